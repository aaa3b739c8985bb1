import * as wf from "@temporalio/workflow";

/**
 * Does the work for each index below `count`, in order, `lanes` of them at a time, so that engines never wait and one long film does not
 * fill the queue. The first failure stops the rest.
 */
export async function inLanes(count: number, lanes: number, work: (index: number) => Promise<void>): Promise<void> {
  let nextIndex = 0;
  const lane = async () => {
    while (nextIndex < count) {
      const index = nextIndex;
      nextIndex += 1;
      await work(index);
    }
  };
  const scope = new wf.CancellationScope();
  try {
    await scope.run(() => Promise.all(Array.from({ length: Math.min(lanes, count) }, lane)));
  } catch (error) {
    scope.cancel();
    throw error;
  }
}
