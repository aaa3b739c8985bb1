import * as wf from "@temporalio/workflow";

const { answer } = wf.proxyActivities<{ answer: (subject: string) => Promise<string> }>({
  startToCloseTimeout: "5 minutes",
});

/** As little as a durable workflow that does one thing can be. */
export async function bare(subject: string): Promise<string> {
  return answer(subject);
}
