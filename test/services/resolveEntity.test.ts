import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { saveNames } from "../../database/entityNames.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { resolveEntity } from "../../services/entities/resolveEntity.ts";
import { createEntity, createTestContext, type TestContext } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

describe("resolveEntity", () => {
  it("finds the canonical entity and its members by id, slug, name and alias", async () => {
    const [from, into] = [
      await createEntity(context, { name: "Intl Machines", slug: "intl", type: "company" }),
      await createEntity(context, { name: "International Machines", slug: "international", type: "organization" }),
    ];
    await saveNames(context.pool, [
      { entityId: from, name: "Intl Machines", aliases: ["IM", "intl. MACHINES"] },
      { entityId: into, name: "International Machines", aliases: [] },
    ]);
    await context.pool.transaction((transaction) => mergeEntities(transaction, from, into));
    for (const selector of [
      { by: "id", id: from } as const,
      { by: "slug", slug: "intl" } as const,
      { by: "name", name: "the Íntl machines!", type: null } as const,
      { by: "name", name: "im", type: "organization" } as const,
    ]) {
      const found = await resolveEntity(context.pool, selector);
      expect([found.entity.numericId, found.memberIds.toSorted((a, b) => a - b), found.suppliedId]).toEqual([
        into,
        [from, into],
        from,
      ]);
    }
    await expect(resolveEntity(context.pool, { by: "name", name: "im", type: "person" })).rejects.toMatchObject({
      code: "entity_not_found",
    });
  });

  it("of one name, the most-mentioned; counts follow mentions that come, change and go, into what they were merged into", async () => {
    const [quiet, loud] = [
      await createEntity(context, { name: "Mercury" }),
      await createEntity(context, { name: "Mercury" }),
    ];
    await saveNames(
      context.pool,
      [quiet, loud].map((entityId) => ({ entityId, name: "Mercury", aliases: [] })),
    );
    const videoId = await createVideo(context);
    await createMention(context, { videoId, entityId: loud, isAppearance: true });
    const named = () => resolveEntity(context.pool, { by: "name", name: "mercury", type: null });
    expect((await named()).entity).toMatchObject({ numericId: loud, mentionCount: 1, appearanceCount: 1 });
    await context.pool.transaction((transaction) => mergeEntities(transaction, loud, quiet));
    await createMention(context, { videoId, entityId: loud, startSeconds: 30 });
    expect((await named()).entity).toMatchObject({ numericId: quiet, mentionCount: 2, appearanceCount: 1 });
  });
});
