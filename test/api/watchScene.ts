import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { createNamedEntity } from "../builders/monitors.ts";
import { type Edge, type NewKey, startEdge } from "./edge.ts";

/** When all of it happens. */
export const now = new Date("2026-03-10T12:00:00Z");

/** A monitor's webhook. */
export const hook = { notifyWebhook: true, webhookUrl: "https://example.com/hook" };

type Body = Record<string, unknown>;

/** An edge for the tests of a file; each of them has an account of its own, with monitors, trackers and somebody to watch. */
export class WatchScene {
  edge!: Edge;
  /** Whose calls it makes where no other key is named. */
  caller!: NewKey;
  /** Of a person that is new in each test; `number` ends the name and an alias. */
  name = "";
  entityId = 0;
  number = 0;
  #others = 0;

  /** Registers the hooks; for the top of a file. */
  constructor() {
    beforeAll(async () => {
      this.edge = await startEdge({ clock: () => now, settings: { rateLimitPerMinute: { enterprise: 100_000 } } });
    });
    afterAll(() => this.edge.close());
    beforeEach(async () => {
      this.number += 1;
      this.name = `Zoë Example ${this.number}`;
      this.entityId = await createNamedEntity(this.edge.context, this.name, { aliases: [`Zed ${this.number}`] });
      this.caller = await this.edge.newKey();
    });
  }

  post = (path: string, body: unknown, as: { key: string } = this.caller) =>
    this.edge.call("POST", path, { ...as, body });
  patch = (path: string, body: unknown, as: { key: string } = this.caller) =>
    this.edge.call("PATCH", path, { ...as, body });
  get = (path: string, as: { key: string } = this.caller) => this.edge.call("GET", path, as);

  createMonitor = async (more: Body = {}, as: { key: string } = this.caller) => {
    const answer = await this.post("/v1/monitors", { name: "Watch", ...more }, as);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.monitor;
  };

  /** What a tracker of the scene's person is made of. */
  tracked = (more: Body = {}) => ({ entityName: this.name, entityType: "person", ...more });

  createTracker = async (more: Body = {}, as: { key: string } = this.caller) => {
    const answer = await this.post("/v1/trackers", this.tracked(more), as);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.tracker;
  };

  /** A tracker of somebody else. */
  track = async (as: { key: string } = this.caller) => {
    this.#others += 1;
    const entityName = `Watched ${this.#others}`;
    const entityId = await createNamedEntity(this.edge.context, entityName);
    const { id } = await this.createTracker({ entityName }, as);
    return { id: String(id), entityId, entityName };
  };
}
