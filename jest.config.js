const common = {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "\\.ts$": [
      "@swc/jest",
      {
        jsc: { target: "es2024", parser: { syntax: "typescript" }, experimental: { keepImportAttributes: true } },
        module: { type: "es6" },
      },
    ],
  },
};

export default {
  maxWorkers: 2,
  testTimeout: 60_000,
  projects: [
    { ...common, displayName: "unit", testMatch: ["<rootDir>/test/unit/**/*.test.ts"] },
    {
      ...common,
      // Real Postgres and Temporal; they are only started when a test of this project runs.
      displayName: "system",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["<rootDir>/test/unit/", "/node_modules/"],
      globalSetup: "<rootDir>/test/environment/globalSetup.ts",
      globalTeardown: "<rootDir>/test/environment/globalTeardown.ts",
    },
  ],
};
