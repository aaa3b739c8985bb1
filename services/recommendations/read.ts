import {
  buyRecommendation as buyRow,
  type FullRecommendation,
  recommendationExists,
} from "../../database/recommendations.ts";
import { ApiError } from "../../domain/errors.ts";
import { usagePeriod } from "../../domain/rowPool.ts";
import type { MeteredCaller, ServiceContext } from "../context.ts";
import { type RowQuote, rowQuote } from "../usage/rowQuote.ts";

/** Reads a commercial row, disputed or not, and debits its price with the read. Throws `recommendation_not_found`, free of charge, and `quota_exceeded`. */
export async function buyRecommendation(
  context: ServiceContext,
  caller: MeteredCaller,
  id: number,
): Promise<{ row: FullRecommendation; costRows: number }> {
  const costRows = context.settings.prices.commercialRowRows;
  const purchase = {
    accountId: caller.accountId,
    period: usagePeriod(context.clock()),
    allowance: caller.allowance,
    rows: costRows,
    requestId: caller.requestId,
  };
  const bought = await buyRow(context.pool, purchase, id);
  if (bought === null) throw new ApiError("recommendation_not_found");
  if (!bought.paid) throw new ApiError("quota_exceeded");
  return { row: bought.row, costRows };
}

/** What reading the row would cost. Throws `recommendation_not_found`. */
export async function quoteRecommendation(
  context: ServiceContext,
  caller: MeteredCaller,
  id: number,
): Promise<RowQuote> {
  if (!(await recommendationExists(context.pool, id))) throw new ApiError("recommendation_not_found");
  return rowQuote(caller, { count: 1, rows: context.settings.prices.commercialRowRows });
}
