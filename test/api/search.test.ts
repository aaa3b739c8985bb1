import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { insertEntity } from "../../database/entities.ts";
import { saveNames } from "../../database/entityNames.ts";
import { sql } from "../../database/pool.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createEntity } from "../builders/context.ts";
import { createMention, createRecommendation, createVideo } from "../builders/evidence.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let edge: Edge;
let caller: NewKey;
beforeAll(async () => {
  edge = await startEdge();
  caller = await edge.newKey();
});
afterAll(() => edge.close());

const search = (q: string, more = "") =>
  edge.call("GET", `/v1/entities/search?q=${encodeURIComponent(q)}${more}`, caller);
const namesOf = async (q: string, more = ""): Promise<string[]> =>
  (await search(q, more)).json.data.map(({ name }: { name: string }) => name);
const merge = (from: number, into: number) =>
  edge.context.pool.transaction((transaction) => mergeEntities(transaction, from, into));
async function mentionTimes(entityId: number, times: number): Promise<void> {
  const videoId = await createVideo(edge.context);
  for (let startSeconds = 0; startSeconds < times; startSeconds += 1)
    await createMention(edge.context, { videoId, entityId, startSeconds });
}

describe("GET /v1/entities/search", () => {
  it("answers with cards, their scores, and whether there are commercial rows, for nothing", async () => {
    const id = await createEntity(edge.context, { name: "Grace Hopper", slug: "grace-hopper", description: "Admiral" });
    const { json } = await search("grace hopper");
    expect(json).toEqual({
      data: [
        {
          id,
          name: "Grace Hopper",
          slug: "grace-hopper",
          type: "person",
          image_url: null,
          subtitle: "Admiral",
          index_mentions: 0,
          index_appearances: 0,
          score: 1,
          has_recommendations_data: false,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
    expect((await readUsage(edge.context, caller.accountId)).rows_used).toBe(0);
  });

  it("forgives typing errors, accents, the order of words, an unfinished last word, and spaces", async () => {
    await createEntity(edge.context, { name: "Sinéad O’Connor-Quillfeather", aliases: ["Magda Davitt"] });
    await createEntity(edge.context, { name: "Wanderlicht" });
    for (const [query, found] of [
      ["sinead oconnor quillfeather", "Sinéad O’Connor-Quillfeather"],
      ["QUILLFEATHER, Sinéad O'Connor", "Sinéad O’Connor-Quillfeather"],
      ["sinaed oconnor quillfeather", "Sinéad O’Connor-Quillfeather"],
      ["sinead oconor quilfeather", "Sinéad O’Connor-Quillfeather"],
      ["sinead oconnor quillfaether", "Sinéad O’Connor-Quillfeather"],
      ["sineadoconnor quillfeather", "Sinéad O’Connor-Quillfeather"],
      ["sin ead oconnor quillfeather", "Sinéad O’Connor-Quillfeather"],
      ["sineadxoconnor quillfeather", "Sinéad O’Connor-Quillfeather"],
      ["sinead ocon", "Sinéad O’Connor-Quillfeather"],
      ["sinead q", "Sinéad O’Connor-Quillfeather"],
      ["quillf", "Sinéad O’Connor-Quillfeather"],
      ["qu", "Sinéad O’Connor-Quillfeather"],
      ["quillfether", "Sinéad O’Connor-Quillfeather"],
      ["quilfether", "Sinéad O’Connor-Quillfeather"],
      ["madga davitt", "Sinéad O’Connor-Quillfeather"],
      ["sinead zzzzqqq quillfeather", "Sinéad O’Connor-Quillfeather"],
      ["wanderlihct", "Wanderlicht"],
      ["wander licht", "Wanderlicht"],
      ["wonderlight", "Wanderlicht"],
      ["wand", "Wanderlicht"],
    ] as const)
      expect([query, (await namesOf(query))[0]]).toEqual([query, found]);
  });

  it("has nothing for what is like no name", async () => {
    for (const query of ["xqzvwkjp", "☃", "東京都", "xqzvwkjp bnmghtyu"])
      expect([query, await namesOf(query)]).toEqual([query, []]);
  });

  it("finds names without spaces between words, by their beginnings too", async () => {
    await createEntity(edge.context, { name: "京都大学", type: "organization" });
    await createEntity(edge.context, { name: "☃☃" });
    expect(await namesOf("京都")).toEqual(["京都大学"]);
    expect(await namesOf("☃☃")).toEqual(["☃☃"]);
  });

  it("puts the better fit first, and of equal ones the more mentioned", async () => {
    const [common, exact, known] = [
      await createEntity(edge.context, { name: "Marek Vondracek" }),
      await createEntity(edge.context, { name: "Vondracek" }),
      await createEntity(edge.context, { name: "Helena Vondracek" }),
    ];
    await mentionTimes(known, 6);
    await mentionTimes(common, 1);
    const { data } = (await search("vondracek")).json;
    expect(data.map(({ id }: { id: number }) => id)).toEqual([exact, known, common]);
    expect(data[0].score).toBe(1);
    expect(data[1].score).toBe(data[2].score);
  });

  it("the exact name is first even where more names have the word than are looked at", async () => {
    const names = Array.from({ length: 400 }, (_, n) => `Smithereen Person${n}`);
    const ids: number[] = [];
    for (const name of names) ids.push(await createEntity(edge.context, { name }));
    await mentionTimes(ids[377] ?? 0, 5);
    await createEntity(edge.context, { name: "Smithereen" });
    expect((await namesOf("smithereen")).slice(0, 2)).toEqual(["Smithereen", "Smithereen Person377"]);
    expect((await namesOf("smithereen person388"))[0]).toBe("Smithereen Person388");
  });

  it("narrows to a type, in which legacy types are organizations", async () => {
    for (const type of ["person", "organization", "company", "brand", "product"] as const)
      await createEntity(edge.context, { name: `Larkspur ${type}`, type });
    expect((await namesOf("larkspur", "&type=organization")).toSorted()).toEqual([
      "Larkspur brand",
      "Larkspur company",
      "Larkspur organization",
    ]);
    expect(await namesOf("larkspr", "&type=product")).toEqual(["Larkspur product"]);
    expect(await namesOf("larkspur", "&type=topic")).toEqual([]);
  });

  it("narrows to what commercial rows are about, as they come, go and move with merges", async () => {
    const [advertiser, other, member] = [
      await createEntity(edge.context, { name: "Fennimore Mattress" }),
      await createEntity(edge.context, { name: "Fennimore Clinic" }),
      await createEntity(edge.context, { name: "Fenimor Beds" }),
    ];
    const videoId = await createVideo(edge.context);
    const rowId = await createRecommendation(edge.context, { videoId, entityId: advertiser });
    expect(await namesOf("fennimore", "&has_recommendations_data=true")).toEqual(["Fennimore Mattress"]);
    expect(await namesOf("fennimore", "&has_recommendations_data=false")).toEqual(["Fennimore Clinic"]);
    await createRecommendation(edge.context, { videoId, entityId: member });
    await merge(member, other);
    const flags = (await search("fennimore")).json.data;
    expect(flags.map((row: { has_recommendations_data: boolean }) => row.has_recommendations_data)).toEqual([
      true,
      true,
    ]);
    await edge.context.pool.query(sql.typeAlias("void")`delete from recommendation where id = ${rowId}`);
    expect(await namesOf("fennimore", "&has_recommendations_data=true")).toEqual(["Fennimore Clinic"]);
  });

  it("a merged entity is found by all of its names, once, at once, with the counts and the type of what it became", async () => {
    const [from, into] = [
      await createEntity(edge.context, { name: "Oddbody Industries", aliases: ["Oddbody"], type: "person" }),
      await createEntity(edge.context, { name: "Oddbody International", type: "company" }),
    ];
    await mentionTimes(from, 5);
    await merge(from, into);
    for (const query of ["oddbody", "oddbody industries", "odbody industries", "oddbody international"]) {
      const { data } = (await search(query, "&type=organization")).json;
      expect(data).toEqual([expect.objectContaining({ id: into, name: "Oddbody International", index_mentions: 5 })]);
      expect(await namesOf(query, "&type=person")).toEqual([]);
    }
  });

  it("what is not committed is not found, what is is", async () => {
    await edge.context.pool.transaction(async (transaction) => {
      const entityId = await insertEntity(transaction, { name: "Justin Time", slug: "justin-time", type: "person" });
      await saveNames(transaction, [{ entityId, name: "Justin Time", aliases: [] }]);
      expect(await namesOf("justin time")).toEqual([]);
    });
    expect(await namesOf("justn time")).toEqual(["Justin Time"]);
  });

  it("writers of the same new words do not stop each other", async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const words = ["Zaphrentis", "Yttrium", "Xylograph", "Wolfram", "Vexillum"];
        await createEntity(edge.context, { name: [...words.slice(n % 5), ...words.slice(0, n % 5)].join(" ") });
      }),
    );
    expect(await namesOf("zaphrentis yttrum xylograph wolfram vexillum")).toHaveLength(20);
  });

  it("pages through all results without repeating or skipping one; a cursor fits its own query only", async () => {
    const ids: number[] = [];
    for (let made = 0; made < 25; made += 1)
      ids.push(await createEntity(edge.context, { name: `Pagelet Number${made}` }));
    const seen: number[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const { json } = await search("pagelet", `&limit=10${cursor}`);
      seen.push(...json.data.map(({ id }: { id: number }) => id));
      expect(json.has_more).toBe(page < 2);
      if (json.next_cursor !== null) cursor = `&cursor=${json.next_cursor}`;
    }
    expect(seen).toEqual(ids);
    for (const other of [`pagelets&limit=10${cursor}`, `pagelet&type=person${cursor}`, `pagelet&cursor=abc`]) {
      const answer = await edge.call("GET", `/v1/entities/search?q=${other}`, caller);
      expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
    }
  });

  it.each([
    "",
    "q=",
    "q=%20",
    `q=${"a".repeat(201)}`,
    "q=a&type=city",
    "q=a&has_recommendations_data=yes",
    "q=a&dry_run=true",
  ])("?%.40s is refused", async (query) => {
    const answer = await edge.call("GET", `/v1/entities/search?${query}`, caller);
    expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
  });

  it.each([
    "a".repeat(200),
    "a ".repeat(100),
    "% _ \\ ' \" ; --",
    "\u{1F600} x",
    "(ad&|a)*",
    "a".repeat(50).concat(" b".repeat(75)),
  ])("%.30s is answered", async (query) => expect((await search(query)).status).toBe(200));
});
