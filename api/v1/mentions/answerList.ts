import type { z } from "zod";
import type { MeteredCaller, ServiceContext } from "../../../services/context.ts";
import { buyMentionPage, quoteMentionPage } from "../../../services/mentions/list.ts";
import type { KeyRule } from "../../http/access.ts";
import type { Cursors } from "../../http/paging.ts";
import { type dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { type MentionFilters, type mentionList, mentionPosition, mentionQuery, shapeMention } from "./schema.ts";

/** Commercial rows are attached for callers with access to them only. */
export const attachmentsAccess: Pick<KeyRule, "commercialWhen"> = {
  commercialWhen: { says: "`details=full`", holds: ({ query }) => query["details"] === "full" },
};

interface Asked {
  context: ServiceContext;
  caller: MeteredCaller;
  cursors: Cursors;
  operation: string;
  entity: { id: number | null; name: string | null };
  filters: MentionFilters;
}

/** Answers either list of mentions: a page, or what it would cost. */
export async function answerMentionList({ context, caller, cursors, operation, entity, filters }: Asked): Promise<{
  status: 200;
  json: z.input<typeof mentionList> | z.input<typeof dryRunBody>;
  rows?: number;
}> {
  const { cursor, limit: _, dry_run, date_from, date_to, q, ...others } = filters;
  const binding = {
    operation,
    account: caller.accountId,
    entity: JSON.stringify(entity),
    date_from: date_from?.getTime(),
    date_to: date_to?.getTime(),
    q: JSON.stringify(q),
    ...others,
  };
  const query = mentionQuery(filters, entity, cursors.open(binding, cursor, mentionPosition));
  if (dry_run) return { status: 200, json: shapeDryRun(await quoteMentionPage(context, caller, query)) };
  const { rows, hasMore, last, costRows } = await buyMentionPage(context, caller, query);
  const next_cursor = hasMore && last !== null ? cursors.seal(binding, [last.sortedAt, last.id]) : null;
  return {
    status: 200,
    json: { data: rows.map((row) => shapeMention(row, context.settings)), has_more: hasMore, next_cursor },
    rows: costRows,
  };
}
