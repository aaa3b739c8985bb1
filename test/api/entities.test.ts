import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { listLedger } from "../../database/ledger.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import { readUsage } from "../../services/usage/readUsage.ts";
import { createEntity } from "../builders/context.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

let statements = 0;
let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ onStatement: () => (statements += 1) });
});
afterAll(() => edge.close());

const used = async ({ accountId }: NewKey) => (await readUsage(edge.context, accountId)).rows_used;
const merge = (from: number, into: number) =>
  edge.context.pool.transaction((transaction) => mergeEntities(transaction, from, into));
const ledger = ({ accountId }: NewKey) => listLedger(edge.context.pool, accountId, usagePeriod(new Date()));

describe("GET /v1/entities/{id}", () => {
  it("answers with the entity by its public id and by its number, for one row each", async () => {
    const caller = await edge.newKey();
    const owner = await createEntity(edge.context, { type: "organization" });
    const id = await createEntity(edge.context, {
      name: "Ada's Engine",
      type: "product",
      slug: "adas-engine",
      ownerId: owner,
      url: "https://engine.example",
    });
    const expected = {
      entity: {
        id: `ent_${id}`,
        numeric_id: id,
        canonical_id: `ent_${id}`,
        name: "Ada's Engine",
        type: "product",
        platform: null,
        url: "https://engine.example",
        image_url: null,
        image_checked_at: null,
        appearance_count: 0,
        owner_entity_id: `ent_${owner}`,
        is_canonical: true,
        merged_from_id: null,
        route: "/products/adas-engine",
      },
    };
    for (const form of [`ent_${id}`, String(id)]) {
      const answer = await edge.call("GET", `/v1/entities/${form}`, caller);
      expect([answer.status, answer.json]).toEqual([200, expected]);
    }
    expect(await used(caller)).toBe(2);
  });

  it("follows merges of any chain length to the end, whatever the order of the merges; owners follow too", async () => {
    const caller = await edge.newKey();
    const [a, b, c, d] = await Promise.all(Array.from({ length: 4 }, () => createEntity(edge.context)));
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error("four were made");
    const owned = await createEntity(edge.context, { ownerId: a });
    await merge(c, d);
    await merge(a, b);
    await merge(b, c);
    for (const id of [a, b, c]) {
      const { entity } = (await edge.call("GET", `/v1/entities/${id}`, caller)).json;
      expect(entity).toMatchObject({ id: `ent_${d}`, is_canonical: false, merged_from_id: `ent_${id}` });
    }
    expect((await edge.call("GET", `/v1/entities/${owned}`, caller)).json.entity.owner_entity_id).toBe(`ent_${d}`);
    await expect(merge(d, a)).rejects.toMatchObject({ code: "illegal_transition" });
    await expect(merge(a, 999_999)).rejects.toMatchObject({ code: "entity_not_found" });
  });

  it("two merges that would close a circle together: one is refused", async () => {
    const [a, b] = [await createEntity(edge.context), await createEntity(edge.context)];
    const outcomes = await Promise.allSettled([merge(a, b), merge(b, a)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("an unknown id is 404, and free", async () => {
    const caller = await edge.newKey();
    for (const id of ["ent_999999999", "0", "ent_999999999999999"]) {
      const answer = await edge.call("GET", `/v1/entities/${id}`, caller);
      expect([answer.status, answer.json.error.code]).toEqual([404, "entity_not_found"]);
    }
    expect([await used(caller), await ledger(caller)]).toEqual([0, []]);
  });

  it.each(["ent_", "ENT_1", "-1", "1.5", "ent_01", "1e3", "9".repeat(16), "9".repeat(400), "a%20b", "1?nope=1"])(
    "%s is refused before anything is read or debited",
    async (id) => {
      const answer = await edge.call("GET", `/v1/entities/${id}`, await edge.newKey());
      expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
    },
  );

  it("is refused once the pool is used up, with the ledger at exactly the pool", async () => {
    const caller = await edge.newKey({ rows: 3 });
    const id = await createEntity(edge.context);
    const statuses = [];
    for (let call = 0; call < 5; call += 1)
      statuses.push((await edge.call("GET", `/v1/entities/${id}`, caller)).status);
    expect(statuses).toEqual([200, 200, 200, 402, 402]);
    expect((await ledger(caller)).map(({ rows, reason }) => [rows, reason])).toEqual([
      [1, "entity read"],
      [1, "entity read"],
      [1, "entity read"],
    ]);
  });

  it("is not taken as HEAD, which would be charged and return nothing", async () => {
    const caller = await edge.newKey();
    const id = await createEntity(edge.context);
    const answer = await edge.call("HEAD", `/v1/entities/${id}`, caller);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
    expect(await used(caller)).toBe(0);
  });

  it("is entered in the ledger under the request's own id, and logged with its rows", async () => {
    const caller = await edge.newKey();
    const answer = await edge.call("GET", `/v1/entities/${await createEntity(edge.context)}`, caller);
    const requestId = answer.headers.get("x-request-id");
    expect((await ledger(caller)).map((entry) => entry.request_id)).toEqual([requestId]);
    expect(edge.log.find((line) => line["requestId"] === requestId)).toMatchObject({ route: "getEntity", rows: 1 });
  });

  it("goes on past the pool on demand, at a tenth of a cent a row, to the cap", async () => {
    const caller = await edge.newKey({ rows: 1, onDemand: true, spendCapCents: 1 });
    const id = await createEntity(edge.context);
    const statuses = [];
    for (let call = 0; call < 12; call += 1)
      statuses.push((await edge.call("GET", `/v1/entities/${id}`, caller)).status);
    expect(statuses).toEqual([...Array.from({ length: 11 }, () => 200), 402]);
    expect(await readUsage(edge.context, caller.accountId)).toMatchObject({ rows_used: 11, current_spend_cents: 1 });
  });
});

describe("GET /v1/entities/cards", () => {
  it("gives a card for each id that resolves, in the order asked, for one row each", async () => {
    const caller = await edge.newKey();
    const [one, two, gone] = [
      await createEntity(edge.context, { name: "One", description: "The first", slug: "one" }),
      await createEntity(edge.context, { type: "company" }),
      await createEntity(edge.context),
    ];
    await merge(gone, one);
    const answer = await edge.call("GET", `/v1/entities/cards?ids=${two},999999,${gone},${one},${two}`, caller);
    expect(answer.status).toBe(200);
    expect(answer.json.cards.map(({ id }: { id: number }) => id)).toEqual([two, one, one, two]);
    expect(answer.json.cards[1]).toEqual({
      id: one,
      name: "One",
      slug: "one",
      type: "person",
      image_url: null,
      subtitle: "The first",
      index_mentions: 0,
      index_appearances: 0,
    });
    expect([await used(caller), (await ledger(caller)).map(({ rows }) => rows)]).toEqual([4, [4]]);
  });

  it("without one that resolves is an empty list, free of charge", async () => {
    const caller = await edge.newKey();
    const answer = await edge.call("GET", "/v1/entities/cards?ids=999999", caller);
    expect([answer.status, answer.json, await used(caller)]).toEqual([200, { cards: [] }, 0]);
  });

  it("is all or nothing", async () => {
    const caller = await edge.newKey({ rows: 2 });
    const id = await createEntity(edge.context);
    const tooMany = await edge.call("GET", `/v1/entities/cards?ids=${id},${id},${id}`, caller);
    expect([tooMany.status, tooMany.json.error.code, await used(caller)]).toEqual([402, "quota_exceeded", 0]);
    expect((await edge.call("GET", `/v1/entities/cards?ids=${id},${id}`, caller)).status).toBe(200);
    expect(await used(caller)).toBe(2);
  });

  it("takes 50 ids and not one more", async () => {
    const caller = await edge.newKey();
    const statuses = [];
    for (const count of [50, 51])
      statuses.push(
        (await edge.call("GET", `/v1/entities/cards?ids=${Array(count).fill("1").join(",")}`, caller)).status,
      );
    expect(statuses).toEqual([200, 400]);
  });

  it.each(["", "?ids=", "?ids=ent_1", "?ids=1,", "?ids=,1", "?ids=-1", "?ids=1,x", "?ids=1&other=1", "?ids=1.5"])(
    "%j is refused",
    async (query) => {
      const answer = await edge.call("GET", `/v1/entities/cards${query}`, await edge.newKey());
      expect([answer.status, answer.json.error.code]).toEqual([400, "invalid_query"]);
    },
  );
});

describe("dry_run=true", () => {
  it("says what the call would cost and return in number, and charges nothing", async () => {
    const caller = await edge.newKey({ rows: 10 });
    const id = await createEntity(edge.context);
    const read = await edge.call("GET", `/v1/entities/${id}?dry_run=true`, caller);
    expect([read.status, read.json]).toEqual([200, { quote: { rows: 1, count: 1, rows_remaining: 10 } }]);
    const cards = await edge.call("GET", `/v1/entities/cards?ids=${id},${id},999999&dry_run=true`, caller);
    expect([cards.status, cards.json]).toEqual([200, { quote: { rows: 2, count: 2, rows_remaining: 10 } }]);
    expect([await used(caller), await ledger(caller)]).toEqual([0, []]);
  });

  it("refuses what the call itself would refuse", async () => {
    const caller = await edge.newKey();
    const statusOf = async (path: string) => (await edge.call("GET", path, caller)).status;
    expect(await statusOf("/v1/entities/999999?dry_run=true")).toBe(404);
    expect(await statusOf("/v1/entities/x?dry_run=true")).toBe(400);
    expect(await statusOf("/v1/entities/1?dry_run=yes")).toBe(400);
    expect(await statusOf("/v1/entities/cards?ids=x&dry_run=true")).toBe(400);
  });
});

describe("round trips to the database", () => {
  it("are two for a metered read that comes alone: admission, and debit with read", async () => {
    const caller = await edge.newKey();
    const id = await createEntity(edge.context);
    for (const path of [`/v1/entities/${id}`, `/v1/entities/cards?ids=${id},${id}`, "/v1/entities/999999"]) {
      const before = statements;
      await edge.call("GET", path, caller);
      expect(statements - before).toBe(2);
    }
  });

  it("are shared by what comes at the same time, and never more than two a read", async () => {
    const id = await createEntity(edge.context);
    const callers = await Promise.all(Array.from({ length: 8 }, () => edge.newKey()));
    const before = statements;
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) => edge.call("GET", `/v1/entities/${id}`, callers[index % 8])),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(statements - before).toBeLessThan(2 * 64);
    expect(await Promise.all(callers.map(used))).toEqual(callers.map(() => 8));
  });
});
