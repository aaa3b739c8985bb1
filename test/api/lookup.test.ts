import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { saveNames } from "../../database/entityNames.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let statements = 0;
let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge({ onStatement: () => (statements += 1) });
  caller = await edge.newKey();
});
afterAll(() => edge.close());

const lookUp = (name: string, more = "") =>
  edge.call("GET", `/v1/entities/lookup?name=${encodeURIComponent(name)}${more}`, caller);
const merge = (from: number, into: number) =>
  edge.context.pool.transaction((transaction) => mergeEntities(transaction, from, into));

describe("GET /v1/entities/lookup", () => {
  it("finds a name whatever its case, accents, punctuation and leading “the”, for nothing", async () => {
    const id = await createEntity(edge.context, {
      name: "The Beyoncé-Knowles Co.",
      type: "company",
      url: "https://b.example",
    });
    for (const name of [
      "The Beyoncé-Knowles Co.",
      "beyonce knowles co",
      "BEYONCÉ  KNOWLES, CO",
      "the beyonce knowles co",
    ]) {
      const answer = await lookUp(name);
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({
        entity: {
          id: `ent_${id}`,
          type: "company",
          url: "https://b.example",
          is_canonical: true,
          merged_from_id: null,
        },
        match: "exact",
        candidates: [],
      });
    }
    expect((await readUsage(edge.context, caller.accountId)).rows_used).toBe(0);
  });

  it("finds an alias; a name that is both comes once", async () => {
    const id = await createEntity(edge.context, {
      name: "International Machines",
      aliases: ["I.M.", "international machines!"],
    });
    expect((await lookUp("i m")).json).toMatchObject({ entity: { id: `ent_${id}` }, match: "alias", candidates: [] });
    expect((await lookUp("international machines")).json).toMatchObject({ match: "exact", candidates: [] });
  });

  it("of several, the most-mentioned is the answer and the others are candidates, at most twenty", async () => {
    const ids: number[] = [];
    for (let made = 0; made < 23; made += 1)
      ids.push(await createEntity(edge.context, { name: "Mercury", type: made % 2 === 0 ? "topic" : "product" }));
    const [quiet, loud] = [ids[5] ?? 0, ids[9] ?? 0];
    const videoId = await createVideo(edge.context);
    await createMention(edge.context, { videoId, entityId: quiet });
    for (const startSeconds of [10, 20]) await createMention(edge.context, { videoId, entityId: loud, startSeconds });
    const { entity, candidates } = (await lookUp("mercury")).json;
    expect(entity.id).toBe(`ent_${loud}`);
    expect(candidates).toHaveLength(20);
    expect(candidates[0]).toEqual({ id: `ent_${quiet}`, name: "Mercury", type: "product" });
    const topics = (await lookUp("mercury", "&type=topic")).json;
    expect(topics.entity.type).toBe("topic");
    expect(topics.candidates).toHaveLength(11);
  });

  it("finds legacy types as organizations, and reads them back as stored", async () => {
    const id = await createEntity(edge.context, { name: "Legacy Soap", type: "brand" });
    expect((await lookUp("legacy soap", "&type=organization")).json.entity).toMatchObject({
      id: `ent_${id}`,
      type: "brand",
    });
    expect((await lookUp("legacy soap", "&type=person")).status).toBe(404);
    expect((await lookUp("legacy soap", "&type=brand")).json.error.code).toBe("invalid_query");
  });

  it("a name of a merged entity leads to the canonical one at once, and says from where", async () => {
    const [from, middle, into] = [
      await createEntity(edge.context, { name: "Twitter", aliases: ["Birdsite"] }),
      await createEntity(edge.context, { name: "Twitter Inc", type: "company" }),
      await createEntity(edge.context, { name: "X Corp", type: "organization" }),
    ];
    await merge(from, middle);
    await merge(middle, into);
    for (const [name, namedId] of [
      ["twitter", from],
      ["birdsite", from],
      ["twitter inc", middle],
    ] as const)
      expect((await lookUp(name, "&type=organization")).json).toMatchObject({
        entity: {
          id: `ent_${into}`,
          canonical_id: `ent_${into}`,
          is_canonical: false,
          merged_from_id: `ent_${namedId}`,
        },
        match: "alias",
        candidates: [],
      });
    expect((await lookUp("x corp")).json).toMatchObject({
      entity: { is_canonical: true, merged_from_id: null },
      match: "exact",
    });
    await saveNames(edge.context.pool, [{ entityId: into, name: "X Corp", aliases: ["Twitter"] }]);
    expect((await lookUp("twitter")).json).toMatchObject({ entity: { merged_from_id: null }, match: "alias" });
  });

  it("two entities of one name that become one are one answer", async () => {
    const [from, into] = [
      await createEntity(edge.context, { name: "Twins" }),
      await createEntity(edge.context, { name: "Twins" }),
    ];
    await merge(from, into);
    expect((await lookUp("twins")).json).toMatchObject({
      entity: { id: `ent_${into}`, is_canonical: true },
      match: "exact",
      candidates: [],
    });
  });

  it("names that were taken away are no longer found", async () => {
    const entityId = await createEntity(edge.context, { name: "Brandnew", aliases: ["Oldname"] });
    await saveNames(edge.context.pool, [{ entityId, name: "Brandnew", aliases: [] }]);
    expect((await lookUp("oldname")).json.error.code).toBe("entity_not_found");
  });

  it.each(["name=nobody%20at%20all", "name=%27%20or%201=1", "name=%E6%9D%B1"])("%s is 404", async (query) => {
    const answer = await edge.call("GET", `/v1/entities/lookup?${query}`, caller);
    expect([answer.status, answer.json.error.code]).toEqual([404, "entity_not_found"]);
  });

  it.each(["", "name=", "name=%20", `name=${"a".repeat(201)}`, "name=a&type=city", "name=a&limit=5"])(
    "?%.30s is refused",
    async (query) => {
      const answer = await edge.call("GET", `/v1/entities/lookup?${query}`, caller);
      expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
    },
  );

  it("lookups of one moment share their statements", async () => {
    const names = Array.from({ length: 40 }, (_, n) => `Shared ${n}`);
    const ids = await Promise.all(names.map((name) => createEntity(edge.context, { name })));
    const before = statements;
    const answers = await Promise.all(names.map((name) => lookUp(name)));
    expect(answers.map(({ json }) => json.entity.numeric_id)).toEqual(ids);
    // One that comes alone takes two: to be let in, and to look.
    expect(statements - before).toBeLessThan(1.5 * names.length);
  });
});
