import { saveNames } from "../../database/entityNames.ts";
import { sql } from "../../database/pool.ts";
import { splitWords } from "../../domain/detection/words.ts";
import { findNames } from "../../domain/detection/findNames.ts";
import { detect } from "../../services/detection/detect.ts";
import { NameIndex } from "../../services/detection/nameIndex.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";

let context: TestContext;
let index: NameIndex;

beforeAll(async () => {
  context = await createTestContext();
});
beforeEach(async () => {
  index = new NameIndex(context);
  await index.load();
});
afterAll(() => context.close());

async function createNamed(
  name: string,
  aliases: readonly string[] = [],
  more: Parameters<typeof createEntity>[1] = {},
) {
  const entityId = await createEntity(context, { name, type: "company", ...more });
  await saveNames(context.pool, [{ entityId, name, aliases }]);
  return entityId;
}

/** The ids that a text's words may name. */
function named(text: string): number[] {
  return findNames(splitWords(text), index.gazetteer).flatMap(({ state, acrossComma }) =>
    index.gazetteer.entriesAt(state, acrossComma).map(({ entityId }) => entityId),
  );
}

const transcript = (text: string, channel: { id: string; name: string } | null = null) => ({
  title: null,
  description: null,
  channel,
  segments: [{ id: "seg_0", startSeconds: 0, endSeconds: 10, text, speaker: null }],
});

describe("the name index", () => {
  test("holds the names and aliases that were there when it was loaded", async () => {
    const id = await createNamed("Quillmark Studios", ["Quillmark"]);
    await index.load();
    expect(named("she works at quillmark studios")).toContain(id);
    expect(named("ask Quillmark's lawyers")).toEqual([id]);
  });

  test("takes in new, changed and removed names without being loaded again", async () => {
    const id = await createNamed("Fenwick Audio");
    expect(named("Fenwick Audio")).toEqual([]);
    expect(await index.refresh()).toBe(1);
    expect(named("Fenwick Audio")).toEqual([id]);
    await saveNames(context.pool, [{ entityId: id, name: "Fenwick Sound", aliases: ["FWS"] }]);
    await index.refresh();
    expect(named("Fenwick Audio")).toEqual([]);
    expect([named("Fenwick Sound"), named("FWS")]).toEqual([[id], [id]]);
    expect(await index.refresh()).toBe(0);
  });

  test("misses no name whose transaction was open while later ones were read", async () => {
    const slow = await createEntity(context, { type: "company" });
    const written = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const committed = context.pool.transaction(async (transaction) => {
      await saveNames(transaction, [{ entityId: slow, name: "Slowcoach Partners", aliases: [] }]);
      written.resolve();
      await gate.promise;
    });
    await written.promise;
    const early = await createNamed("Hasty Brothers");
    await index.refresh();
    expect(named("Hasty Brothers")).toEqual([early]);
    expect(named("Slowcoach Partners")).toEqual([]);
    expect(await index.refresh()).toBe(0);
    gate.resolve();
    await committed;
    expect(await index.refresh()).toBe(1);
    expect(named("Slowcoach Partners")).toEqual([slow]);
  });

  test("follows changes within two seconds until it is stopped", async () => {
    const stop = new AbortController();
    const failures: unknown[] = [];
    const following = index.follow({
      everyMilliseconds: 100,
      signal: stop.signal,
      onFailure: (error) => failures.push(error),
    });
    const id = await createNamed("Wayfarer Optics");
    const deadline = Date.now() + 2000;
    while (named("Wayfarer Optics").length === 0 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    await following;
    expect([named("Wayfarer Optics"), failures]).toEqual([[id], []]);
  });

  test("is loaded anew after a sleep in which changes may have been purged", async () => {
    let now = new Date("2026-01-01T00:00:00Z");
    index = new NameIndex({ pool: context.pool, clock: () => now });
    await index.load();
    const id = await createNamed("Dormouse Records");
    await context.pool.query(sql.typeAlias("void")`delete from entity_name_change`);
    expect(await index.refresh()).toBe(0);
    expect(named("Dormouse Records")).toEqual([]);
    now = new Date("2026-01-01T12:00:01Z");
    await index.refresh();
    expect(named("Dormouse Records")).toEqual([id]);
  });
});

describe("detection with the database", () => {
  test("tells merged entities as what they were merged into, from the merge's commit on", async () => {
    const old = await createNamed("Northgale Logistics");
    const into = await createNamed("Northgale Group");
    await index.refresh();
    const text = transcript("Drivers of Northgale Logistics went on strike.");
    expect((await detect(context.pool, index.gazetteer, text)).mentions.map(({ entityId }) => entityId)).toEqual([old]);
    await context.pool.transaction((transaction) => mergeEntities(transaction, old, into));
    expect((await detect(context.pool, index.gazetteer, text)).mentions.map(({ entityId }) => entityId)).toEqual([
      into,
    ]);
  });

  test("prefers the entity that the channel speaks of", async () => {
    const band = await createNamed("Zephyrine", [], { slug: "zephyrine-band", type: "organization" });
    const game = await createNamed("Zephyrine", [], { slug: "zephyrine-game", type: "product" });
    await index.refresh();
    for (const videoId of [
      await createVideo(context, { channelId: "games" }),
      await createVideo(context, { channelId: "games" }),
    ])
      await createMention(context, { videoId, entityId: game });
    for (const videoId of [
      await createVideo(context, { channelId: "music" }),
      await createVideo(context, { channelId: "music" }),
    ])
      await createMention(context, { videoId, entityId: band });
    const found = async (channel: string) =>
      (
        await detect(
          context.pool,
          index.gazetteer,
          transcript("I waited all day for Zephyrine.", { id: channel, name: channel }),
        )
      ).mentions.map(({ entityId }) => entityId);
    expect([await found("games"), await found("music")]).toEqual([[game], [band]]);
  });
});
