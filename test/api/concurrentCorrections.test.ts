import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type CorrectionScene, startCorrections } from "./correctionScene.ts";

let scene: CorrectionScene;
beforeAll(async () => {
  scene = await startCorrections();
  await scene.publish();
});
afterAll(() => scene.edge.close());

describe("many editors at once", () => {
  it("lose no edit, leave no gap in seq, and are told when they must look again", async () => {
    const clients = 32;
    const statuses = new Map<number, number>();
    const applied: { seq: number; segmentId: string; text: string }[] = [];
    let left = 1000;
    async function edits(client: number): Promise<void> {
      let { revision, segments, seq } = await scene.read();
      while ((left -= 1) >= 0) {
        const at = (client + left) % segments.length;
        const segment = segments[at];
        if (segment === undefined) throw new Error("no segment");
        const text = `${segment.text.slice(0, 20)} ${client} ${left}`;
        const { status, json } = await scene.post({
          kind: "line_edit",
          revision,
          anchor: { segmentId: segment.id, contentHash: segment.contentHash },
          text,
          ...(left % 4 === 0 && { seq }),
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201) applied.push({ seq: json.seq, segmentId: segment.id, text });
        else ({ revision, segments, seq } = await scene.read());
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => edits(client)));
    expect([...statuses.keys()].filter((status) => ![201, 409, 412].includes(status))).toEqual([]);
    expect([...statuses.values()].reduce((sum, n) => sum + n, 0)).toBe(1000);
    const { seq, revision, segments } = await scene.read();
    const latest = new Map(applied.toSorted((a, b) => a.seq - b.seq).map(({ segmentId, text }) => [segmentId, text]));
    expect(segments.map(({ text }) => text)).toEqual(segments.map(({ id }) => latest.get(id)));
    expect(applied.map((one) => one.seq).toSorted((a, b) => a - b)).toEqual(applied.map((_, n) => n + 1));
    expect([seq, revision]).toEqual([applied.length, applied.length + 1]);
    expect(applied.length).toBeGreaterThan(clients);
  }, 300_000);
});
