import type { z } from "zod";
import { buyRecommendationPage, quoteRecommendationPage } from "../../../services/recommendations/list.ts";
import type { MeteredCaller, ServiceContext } from "../../../services/context.ts";
import type { AskedEntity } from "../../../services/entities/findAsked.ts";
import type { Cursors } from "../../http/paging.ts";
import { type dryRunBody, shapeDryRun } from "../meteredRead.ts";
import {
  type Narrowing,
  type recommendationList,
  recommendationPosition,
  recommendationQuery,
  shapeRecommendationList,
} from "./schema.ts";

interface Asked {
  context: ServiceContext;
  caller: MeteredCaller;
  cursors: Cursors;
  operation: string;
  entity: AskedEntity;
  query: Narrowing;
}

/** Answers either list of commercial rows: a page, or what it would cost. */
export async function answerRecommendationList({ context, caller, cursors, operation, entity, query }: Asked): Promise<{
  status: 200;
  json: z.input<typeof recommendationList> | z.input<typeof dryRunBody>;
  rows?: number;
}> {
  const { cursor, limit: _, dry_run, date_from, date_to, ...others } = query;
  const binding = {
    operation,
    account: caller.accountId,
    entity: JSON.stringify(entity),
    date_from: date_from?.getTime(),
    date_to: date_to?.getTime(),
    ...others,
  };
  const asked = recommendationQuery(query, entity, cursors.open(binding, cursor, recommendationPosition));
  if (dry_run) return { status: 200, json: shapeDryRun(await quoteRecommendationPage(context, caller, asked)) };
  const page = await buyRecommendationPage(context, caller, asked);
  const nextCursor =
    page.hasMore && page.last !== null ? cursors.seal(binding, [page.last.sortedAt, page.last.id]) : null;
  return {
    status: 200,
    json: shapeRecommendationList(page, { videoUrl: context.settings.videoUrl, nextCursor }),
    rows: page.costRows,
  };
}
