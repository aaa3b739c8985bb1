import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { applicationPlans } from "../../cli/start/applications.ts";
import { searchAttributeNames } from "../../workflows/searchAttributes.ts";
import { environmentVariables } from "../../domain/configuration.ts";
import { testEnvironment } from "./addresses.ts";

const root = path.resolve(import.meta.dirname, "../..");
const condition = z.enum(["service_started", "service_healthy", "service_completed_successfully"]);
const serviceSchema = z.strictObject({
  image: z.string().regex(/:/),
  build: z.literal(".").optional(),
  init: z.boolean().optional(),
  restart: z.enum(["no", "unless-stopped"]),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  ports: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition })).optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
      start_period: z.string().optional(),
    })
    .optional(),
  stop_grace_period: z.string().optional(),
});
const composeSchema = z.looseObject({
  services: z.record(z.string(), serviceSchema),
  volumes: z.record(z.string(), z.null()),
});

/** The file as Compose reads it; the Python of the tools has a YAML reader. */
function readCompose() {
  const script = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
  const json = execFileSync(testEnvironment().python, ["-c", script, path.join(root, "docker-compose.yml")], {
    encoding: "utf8",
  });
  return composeSchema.parse(JSON.parse(json));
}

const compose = readCompose();
const services = Object.entries(compose.services);
const own = services.filter(([, service]) => service.build === ".");

test("our services run files that exist, from the Dockerfile beside it", () => {
  expect(existsSync(path.join(root, "Dockerfile"))).toBe(true);
  expect(own.map(([name]) => name).toSorted()).toEqual(["api", "migrate", "speech", "workers"]);
  for (const [, { command = [] }] of own) {
    const [program, file = ""] = command.filter((word) => !word.startsWith("--"));
    expect(program).toBe("node");
    expect(existsSync(path.join(root, file))).toBe(true);
  }
});

test("our processes run as the start command runs them", () => {
  for (const { name, nodeOptions = [], entry } of applicationPlans)
    expect(compose.services[name]?.command).toEqual(["node", ...nodeOptions, path.relative(root, entry)]);
});

test("everything that the Dockerfile copies exists", () => {
  const copied = readFileSync(path.join(root, "Dockerfile"), "utf8").matchAll(/^COPY (.+) \S+$/gm);
  const files = [...copied].flatMap((match) => (match[1] ?? "").split(" "));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test("our services are configured by variables that the configuration knows", () => {
  for (const [, { environment = {} }] of own) {
    expect(Object.keys(environment).filter((name) => !(name in environmentVariables))).toEqual([]);
  }
});

test("no secret has a default", () => {
  const secrets = services.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).filter(([name]) => /PASSWORD|PWD|SECRET|MASTER_KEYS|DATABASE_URL/.test(name)),
  );
  expect(secrets.length).toBeGreaterThan(3);
  for (const [, value] of secrets) expect(value).toMatch(/\$\{(POSTGRES_PASSWORD|CURSOR_SECRET|MASTER_KEYS):\?/);
});

function canBecome(name: string, awaited: z.infer<typeof condition>): boolean {
  const target = compose.services[name];
  if (awaited === "service_healthy") return target?.healthcheck !== undefined;
  return awaited === "service_completed_successfully" ? target?.restart === "no" : target !== undefined;
}

test("services wait for services that can become what they wait for", () => {
  const waits = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
  expect(waits.length).toBeGreaterThan(5);
  expect(waits.filter(([name, wait]) => !canBecome(name, wait.condition))).toEqual([]);
});

test("nothing is published beyond this machine unless asked for, and every named volume is declared", () => {
  for (const [, { ports = [], volumes = [] }] of services) {
    for (const port of ports) expect(port).toMatch(/^(127\.0\.0\.1|\$\{BIND_ADDRESS:-127\.0\.0\.1\}):/);
    const named = volumes.map((volume) => volume.split(":")[0] ?? "").filter((source) => /^[a-z]/.test(source));
    expect(named.filter((name) => !(name in compose.volumes))).toEqual([]);
  }
});

test("the search attributes are those of the start command", () => {
  const words = compose.services["search-attributes"]?.command ?? [];
  expect(words.filter((word) => word !== "--name")).toEqual([...searchAttributeNames]);
});
