import { z } from "zod";
import type { SubjectGroup } from "../../../domain/relatedLists.ts";
import { buyRelated, quoteRelated } from "../../../services/related/listRelated.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { listOf } from "../../http/paging.ts";
import { dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { relatedEntity, relatedQuery, shapeRelated, slugParameter } from "./schema.ts";

const relatedList = listOf(relatedEntity).meta({ id: "RelatedList" });

const position = z
  .tuple([z.union([z.string(), z.number()]), z.number(), z.number()])
  .transform(([value, entityId, lastMentionId]) => ({ value, entityId, lastMentionId }));

const description = `1 row per row returned; a page that the pool covers in part is cut. Two entities are related when both take part in a video: they are
spoken of or appear there, or are the channel that published it, which takes part in each of its videos. Sorted by the newest shared video, newest first,
unless asked otherwise. The slug of an entity of another type is 404 \`entity_not_found\`.

Lists of entities with little evidence are counted when they are read. Those of entities with much are kept counted and follow what comes and goes
within about a minute, or once they have been counted for the first time; merges show at once in all. A row whose own date or count changes between two
pages of such a list moves within it.`;

function relatedListOf(list: {
  id: string;
  path: string;
  subjectGroup: SubjectGroup;
  rowsName: string;
  title: string;
}) {
  return operation({
    id: list.id,
    method: "get",
    charges: true,
    path: list.path,
    tag: "Related lists",
    summary: list.title,
    description,
    access: keyAccess("read"),
    params: z.strictObject({ slug: slugParameter(list.subjectGroup) }),
    query: relatedQuery,
    errors: ["entity_not_found"],
    responses: {
      200: { description: `A page of ${list.rowsName}.`, json: z.union([relatedList, dryRunBody]) },
    },
    async handle({ context, caller, params, query, cursors }) {
      const { q, field, sort, order, limit, cursor } = query;
      const binding = { operation: list.id, account: caller.accountId, slug: params.slug, q, field, sort, order };
      const after = cursors.open(binding, cursor, position);
      const search = q === undefined ? null : { text: q, field };
      const asked = { slug: params.slug, subjectGroup: list.subjectGroup, search, sort, order, limit, after };
      if (query.dry_run) return { status: 200, json: shapeDryRun(await quoteRelated(context, caller, asked)) };
      const { rows, hasMore, last, costRows } = await buyRelated(context, caller, asked);
      const next_cursor =
        hasMore && last !== null ? cursors.seal(binding, [last.value, last.entityId, last.lastMentionId]) : null;
      return {
        status: 200,
        json: { data: rows.map(shapeRelated), has_more: hasMore, next_cursor },
        rows: costRows,
      };
    },
  });
}

/** The four related lists of the specification. */
export const relatedLists = [
  relatedListOf({
    id: "listOrganizationChannels",
    path: "/v1/organizations/{slug}/channels",
    subjectGroup: "organization",
    rowsName: "channels",
    title: "Channels related to an organization",
  }),
  relatedListOf({
    id: "listTopicProducts",
    path: "/v1/topics/{slug}/products",
    subjectGroup: "topic",
    rowsName: "products",
    title: "Products related to a topic",
  }),
  relatedListOf({
    id: "listChannelPeople",
    path: "/v1/channels/{slug}/people",
    subjectGroup: "channel",
    rowsName: "people",
    title: "People related to a channel",
  }),
  relatedListOf({
    id: "listProductTopics",
    path: "/v1/products/{slug}/topics",
    subjectGroup: "product",
    rowsName: "topics",
    title: "Topics related to a product",
  }),
];
