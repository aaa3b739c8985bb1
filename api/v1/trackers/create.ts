import { createTracker } from "../../../services/trackers/create.ts";
import { keyAccess } from "../../http/access.ts";
import { none, operation } from "../../http/operation.ts";
import { featureOf } from "../monitors/schema.ts";
import { createdTracker, newTracker, ownDelivery, shapeTracker } from "./schema.ts";

export const create = operation({
  id: "createTracker",
  method: "post",
  path: "/v1/trackers",
  tag: "Trackers",
  summary: "Watch an entity",
  description:
    "Every video that is indexed from now on and speaks of the entity, within the filters, fires one alert. A name that is not known answers 404 with the nearest `candidates`; an entity that the account tracks already answers 409 with `existingId`.",
  access: keyAccess("trackers:write", { featureOf }),
  params: none,
  query: none,
  body: newTracker,
  errors: ["entity_not_found", "duplicate_tracker"],
  responses: { 201: { description: "The tracker.", json: createdTracker } },
  async handle({ context, transaction, caller, body }) {
    const inherited = {
      notifyEmail: null,
      notifyWebhook: null,
      notifyChat: null,
      webhookUrl: null,
      chatChannelId: null,
      chatIntegrationId: null,
    };
    const record = await createTracker(context, transaction, caller, {
      entityName: body.entityName,
      entityType: body.entityType,
      displayName: body.displayName ?? null,
      delivery: { ...inherited, ...ownDelivery(body) },
      filters: body.filters ?? {},
    });
    const tracker = shapeTracker(record);
    return {
      status: 201,
      json: { tracker, message: `Now tracking ${tracker.entityName} (${tracker.entityType}).` },
    };
  },
});
