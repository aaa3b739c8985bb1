import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { inboxFolderOf } from "../../adapters/mail/inboxFolder.ts";
import { openInboxFolder } from "../../adapters/mail/openInbox.ts";
import { createWorkflowCarrier } from "../../adapters/reviews/workflowCarrier.ts";
import { createKeyVault } from "../../adapters/vault/keyVault.ts";
import { readMasterKeys } from "../../adapters/vault/masterKeys.ts";
import { type Edge, startEdge } from "../api/edge.ts";
import { startProcess } from "../builders/childProcess.ts";
import { loopbackToo } from "../builders/receiver.ts";
import { createNamespace } from "../builders/transcriptionWorkers.ts";

/** The API of this process beside the product's own worker process, on real servers: what is decided is carried out, what is redelivered is sent. */
export async function startWorkedEdge(): Promise<Edge & { temporal: TestWorkflowEnvironment }> {
  const [temporal, home] = await Promise.all([createNamespace(), mkdtemp(path.join(tmpdir(), "media-index-browser-"))]);
  const masterKeys = await readMasterKeys({ home });
  const inbox = openInboxFolder(inboxFolderOf(home));
  const edge = await startEdge({
    carrier: createWorkflowCarrier(temporal.client),
    vault: createKeyVault(async () => masterKeys),
    outbound: loopbackToo,
    inbox,
    settings: { rateLimitPerMinute: { enterprise: 100_000 } },
  });
  const worker = await startProcess("workers/main.ts", {
    DATABASE_URL: edge.context.databaseUrl,
    MEDIA_INDEX_HOME: home,
    OUTBOUND_ALLOWED_CIDRS: "127.0.0.0/8",
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace ?? "default",
  });
  return {
    ...edge,
    temporal,
    async close() {
      const ended = once(worker.child, "exit");
      worker.child.kill("SIGTERM");
      await ended;
      await edge.close();
      await temporal.teardown();
      await rm(home, { recursive: true, force: true });
    },
  };
}
