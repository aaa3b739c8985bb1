import { z } from "zod";
import type { PlaceKey } from "../../../database/taughtPlaces.ts";
import { listCarried } from "../../../services/teaching/listPlaces.ts";
import { previewName } from "../../../services/teaching/preview.ts";
import { internalAccess } from "../../http/access.ts";
import { operation } from "../../http/operation.ts";
import { type Cursors, listOf, pageParameters } from "../../http/paging.ts";
import { carriedPlace, placePosition, previewedPlace, shapeCarried, shapePreviewed, taughtNamePath } from "./schema.ts";

const query = z.strictObject(pageParameters);

export const previewTaughtName = operation({
  id: "previewTaughtName",
  method: "get",
  path: "/internal/taught-names/{id}/preview",
  tag: "Taught names",
  summary: "Where the same wrong words stand, and what accepting the name would make of them",
  description:
    "Segments of all transcripts as they are now, in the order of videos and texts. What each page shows is done and rolled back, so it is exact.",
  access: internalAccess,
  params: taughtNamePath,
  query,
  errors: ["taught_name_not_found"],
  responses: {
    200: { description: "A page of segments.", json: listOf(previewedPlace).meta({ id: "TaughtNamePreviewList" }) },
  },
  async handle({ context, params, query: asked, cursors }) {
    const page = pageOf(cursors, "previewTaughtName", params.id, asked);
    const { places, hasMore } = await previewName(context, params.id, page);
    const data = places.map((place) => shapePreviewed(place, context.settings.videoUrl));
    return { status: 200, json: { data, has_more: hasMore, next_cursor: hasMore ? page.seal(places.at(-1)) : null } };
  },
});

export const listTaughtNamePlaces = operation({
  id: "listTaughtNamePlaces",
  method: "get",
  path: "/internal/taught-names/{id}/places",
  tag: "Taught names",
  summary: "What became of each place since the name was accepted",
  description: "In the order of videos and texts. Empty before it is accepted.",
  access: internalAccess,
  params: taughtNamePath,
  query,
  errors: ["taught_name_not_found"],
  responses: {
    200: { description: "A page of segments.", json: listOf(carriedPlace).meta({ id: "TaughtNamePlaceList" }) },
  },
  async handle({ context, params, query: asked, cursors }) {
    const page = pageOf(cursors, "listTaughtNamePlaces", params.id, asked);
    const { places, hasMore } = await listCarried(context, params.id, page);
    const data = places.map((place) => shapeCarried(place, context.settings.videoUrl));
    return { status: 200, json: { data, has_more: hasMore, next_cursor: hasMore ? page.seal(places.at(-1)) : null } };
  },
});

function pageOf(cursors: Cursors, name: string, id: number, { limit, cursor }: z.output<typeof query>) {
  const binding = { operation: name, id };
  return {
    limit,
    after: cursors.open(binding, cursor, placePosition),
    seal: (last: PlaceKey | undefined) =>
      last === undefined ? null : cursors.seal(binding, [last.videoId, last.position]),
  };
}
