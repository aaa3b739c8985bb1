import type { Operation } from "../http/operation.ts";
import { list as listMentions } from "./mentions/list.ts";
import { ofEntity as listEntityMentions } from "./mentions/ofEntity.ts";
import { appearances } from "./people/appearances.ts";
import { cards } from "./entities/cards.ts";
import { lookup } from "./entities/lookup.ts";
import { read as readEntity } from "./entities/read.ts";
import { search } from "./entities/search.ts";
import { list as listChatIntegrations } from "./chat/list.ts";
import { describeApi } from "../openapi/document.ts";
import { getMe } from "./account/me.ts";
import { create as createFeedback } from "./feedback/create.ts";
import { read as readFeedback } from "./feedback/read.ts";
import { withdraw as withdrawFeedback } from "./feedback/withdraw.ts";
import { createHealth } from "./meta/health.ts";
import type { HealthChecks } from "./meta/healthMonitor.ts";
import { openapiOperation } from "./meta/openapi.ts";
import { attachTrackers } from "./monitors/attachTrackers.ts";
import { create as createMonitor } from "./monitors/create.ts";
import { detachTracker } from "./monitors/detachTracker.ts";
import { list as listMonitors } from "./monitors/list.ts";
import { listAlerts } from "./monitors/listAlerts.ts";
import { listDeliveries } from "./monitors/listDeliveries.ts";
import { read as readMonitor } from "./monitors/read.ts";
import { remove as deleteMonitor } from "./monitors/remove.ts";
import { redeliverAlert } from "./monitors/redeliverAlert.ts";
import { redeliverSpan } from "./monitors/redeliverSpan.ts";
import { rotateSecret } from "./monitors/rotateSecret.ts";
import { testWebhook } from "./monitors/testWebhook.ts";
import { update as updateMonitor } from "./monitors/update.ts";
import { create as createTracker } from "./trackers/create.ts";
import { list as listTrackers } from "./trackers/list.ts";
import { preview as previewTracker } from "./trackers/preview.ts";
import { read as readTracker } from "./trackers/read.ts";
import { remove as deleteTracker } from "./trackers/remove.ts";
import { update as updateTracker } from "./trackers/update.ts";
import { create as correct } from "./corrections/create.ts";
import { list as listCorrections } from "./corrections/list.ts";
import { withdrawRewrite } from "./corrections/withdrawRewrite.ts";
import { read as readChannel } from "./channels/read.ts";
import { sponsors as listSponsors } from "./channels/sponsors.ts";
import { list as listRecommendations } from "./recommendations/list.ts";
import { ofEntity as listEntityRecommendations } from "./recommendations/ofEntity.ts";
import { read as readRecommendation } from "./recommendations/read.ts";
import { relatedLists } from "./related/lists.ts";
import { cancel } from "./transcriptions/cancel.ts";
import { list } from "./transcriptions/list.ts";
import { poll } from "./transcriptions/poll.ts";
import { submit } from "./transcriptions/submit.ts";
import { read } from "./transcripts/read.ts";
import { search as searchTranscript } from "./transcripts/search.ts";

/** Every operation that takes a key, in the order of the reference; health and the document itself are the app's own. */
export const v1Operations: readonly Operation[] = [
  lookup,
  search,
  cards,
  readEntity,
  createTracker,
  listTrackers,
  previewTracker,
  readTracker,
  updateTracker,
  deleteTracker,
  createMonitor,
  listMonitors,
  readMonitor,
  updateMonitor,
  deleteMonitor,
  attachTrackers,
  detachTracker,
  rotateSecret,
  testWebhook,
  listAlerts,
  redeliverAlert,
  redeliverSpan,
  listDeliveries,
  listChatIntegrations,
  listRecommendations,
  listEntityRecommendations,
  readRecommendation,
  readChannel,
  listSponsors,
  ...relatedLists,
  listEntityMentions,
  listMentions,
  appearances,
  submit,
  list,
  poll,
  cancel,
  read,
  searchTranscript,
  correct,
  listCorrections,
  withdrawRewrite,
  createFeedback,
  readFeedback,
  withdrawFeedback,
  getMe,
];

/** Operations together with those about the service itself: its health, and the document that describes them all. */
export function withMeta(operations: readonly Operation[], health: HealthChecks, publicUrl: string): Operation[] {
  const all: Operation[] = [
    ...operations,
    createHealth(health),
    openapiOperation(() => ({ ...describeApi(all, publicUrl) })),
  ];
  return all;
}
