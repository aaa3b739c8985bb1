import { insertReviewCommand, type NewReviewCommand } from "../../database/reviewCommands.ts";
import type { ServiceContext } from "../context.ts";

/** Keeps what somebody asked to be done with a feedback, once for its id, so that it can be carried out by that id alone. */
export async function keepCommand({ pool }: ServiceContext, command: NewReviewCommand): Promise<void> {
  await insertReviewCommand(pool, command);
}
