import { type Request, type RequestHandler, type Response, Router } from "express";
import type { ServiceContext } from "../../services/context.ts";
import { endMailSubscription } from "../../services/mailSubscriptions/end.ts";
import { type MailSubscription, readUnsubscribeToken } from "../../services/mailSubscriptions/link.ts";
import { readMailState } from "../../services/mailSubscriptions/read.ts";
import { refuseMethod } from "../http/routing.ts";
import { askPage, goneLinkPage, overPage } from "./texts.ts";

/** The page has one style sheet and one form, which leads to itself. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * Where the links in mails lead (RFC 8058). Looking at the page changes nothing, since mail scanners follow links; posting to it, which is
 * what its button and a mail client's do, ends the mails at once, without a redirect, whatever is in the body. The link is all that is asked for.
 */
export function unsubscribePages(context: ServiceContext): Router {
  const pages = Router({ strict: true, caseSensitive: true });
  pages
    .route("/unsubscribe/:token")
    .get(
      serve("askUnsubscribe", context, async (subscription) => {
        const state = await readMailState(context.pool, subscription);
        return state?.isOn ? askPage(state.name, subscription.address) : overPage(subscription.address);
      }),
    )
    .post(
      serve("unsubscribe", context, async (subscription) => {
        await endMailSubscription(context, subscription);
        return overPage(subscription.address);
      }),
    )
    .all(refuseMethod("GET, HEAD, POST"));
  return pages;
}

function serve(
  operationId: string,
  { vault }: ServiceContext,
  answer: (subscription: MailSubscription) => Promise<string>,
): RequestHandler<{ token: string }> {
  return async (request: Request<{ token: string }>, response: Response) => {
    request.exchange.operationId = operationId;
    const subscription = await readUnsubscribeToken(vault, request.params.token);
    response.setHeader("Content-Security-Policy", pagePolicy);
    response
      .status(subscription === null ? 404 : 200)
      .type("html")
      .send(subscription === null ? goneLinkPage : await answer(subscription));
  };
}
