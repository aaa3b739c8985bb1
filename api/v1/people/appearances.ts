import { z } from "zod";
import { buyAppearancePage, quoteAppearancePage } from "../../../services/mentions/appearances.ts";
import { keyAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { mentionPosition } from "../mentions/schema.ts";
import { dryRunBody, shapeDryRun } from "../meteredRead.ts";
import { appearanceFilters, appearanceList, personPath, shapeAppearanceList } from "./schema.ts";

export const appearances = operation({
  id: "listAppearances",
  method: "get",
  charges: true,
  path: "/v1/people/{slug}/appearances",
  tag: "Mentions",
  summary: "A person's appearances, newest first",
  description:
    "1 row each. Only persons appear: the slug of another entity is 400 `appearances_person_only`. A page is cut to what the row pool covers.",
  access: keyAccess("read"),
  params: personPath,
  query: z.strictObject(appearanceFilters),
  errors: ["entity_not_found", "channel_not_found", "appearances_person_only"],
  responses: { 200: { description: "A page of appearances.", json: z.union([appearanceList, dryRunBody]) } },
  async handle({ context, caller, cursors, params: { slug }, query }) {
    const { channel_id, role, date_from, date_to, limit, cursor } = query;
    const binding = {
      operation: "listAppearances",
      account: caller.accountId,
      slug,
      channel_id,
      role,
      date_from: date_from?.getTime(),
      date_to: date_to?.getTime(),
    };
    const asked = {
      slug,
      channelId: channel_id ?? null,
      role: role ?? null,
      dates: { from: date_from ?? null, to: date_to ?? null },
      limit,
      after: cursors.open(binding, cursor, mentionPosition),
    };
    if (query.dry_run) return { status: 200, json: shapeDryRun(await quoteAppearancePage(context, caller, asked)) };
    const page = await buyAppearancePage(context, caller, asked);
    const nextCursor =
      page.hasMore && page.last !== null ? cursors.seal(binding, [page.last.sortedAt, page.last.id]) : null;
    const json = shapeAppearanceList(page, { videoUrl: context.settings.videoUrl, nextCursor });
    return { status: 200, json, rows: page.costRows };
  },
});
