import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { startTemporalServer, type TemporalServer } from "../../cli/start/temporalServer.ts";
import { testEnvironment } from "../environment/addresses.ts";

let home: string;
let server: TemporalServer | undefined;
beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "media-index-taken-"));
});
afterAll(async () => {
  await server?.stop(true);
  await rm(home, { recursive: true, force: true });
});

it("starts the Temporal server again when somebody held one of its ports for a moment", async () => {
  const { temporalCli } = testEnvironment();
  const attempts = path.join(home, "attempts");
  // A stand-in for the first attempt alone: nobody can take a port at the right moment on purpose.
  const cli = path.join(home, "temporal.sh");
  await writeFile(
    cli,
    `#!/bin/sh
echo attempt >> '${attempts}'
[ "$(wc -l < '${attempts}')" -gt 1 ] && exec '${temporalCli}' "$@"
echo 'listen tcp 127.0.0.1:34885: bind: address already in use'
exit 1
`,
  );
  await chmod(cli, 0o755);
  server = await startTemporalServer({ home, cli, port: 0, uiPort: 0, durable: false });
  expect(readFileSync(attempts, "utf8")).toBe("attempt\nattempt\n");
});
