/**
 * Where work is done. `deliveries` is apart so that receivers that are slow to answer hold up nothing but deliveries. `media` and `speech` are served by hosts with the recordings and the engines; they are apart so that a new
 * job's description never waits behind the chunks of a long film.
 */
export const taskQueues = {
  workflows: "media-index",
  deliveries: "media-index-deliveries",
  media: "media-index-media",
  speech: "media-index-speech",
} as const;
