import type { WorkflowHandle } from "@temporalio/client";

/** All that a workflow's history says, as it stands and with its payloads decoded: where something would be found that must not be in it. */
export async function historyText(handle: Pick<WorkflowHandle, "fetchHistory">): Promise<string> {
  const history = JSON.stringify(await handle.fetchHistory());
  const decoded = history.replaceAll(/"([A-Za-z0-9+/=]{8,})"/g, (_, base64: string) =>
    Buffer.from(base64, "base64").toString(),
  );
  return `${history}\n${decoded}`;
}

/** How many updates a workflow accepted. */
export async function countAcceptedUpdates(handle: Pick<WorkflowHandle, "fetchHistory">): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes != null).length;
}
