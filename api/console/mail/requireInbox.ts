import type { Inbox } from "../../../domain/delivery/inbox.ts";
import { ApiError } from "../../../domain/errors.ts";

/** Throws `not_found` where the installation hands its mail to a server. */
export function requireInbox(inbox: Inbox | null): Inbox {
  if (inbox === null)
    throw new ApiError("not_found", "Mail goes to the server of SMTP_URL; there is none to be read here.");
  return inbox;
}
