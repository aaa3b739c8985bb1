import { ApiError } from "../../domain/errors.ts";
import { outboundFault, type OutboundPolicy } from "../../domain/outboundAddresses.ts";

/** Throws `invalid_body` for a URL that nothing may be sent to. */
export function requireTarget(policy: OutboundPolicy, webhookUrl: string | null | undefined): void {
  if (webhookUrl === null || webhookUrl === undefined) return;
  const fault = outboundFault(webhookUrl, policy);
  if (fault !== null) throw new ApiError("invalid_body", `The body field \`webhookUrl\` ${fault}.`);
}

/** Throws `invalid_body` for a webhook that is on without a URL, or whose URL nothing may be sent to. */
export function requireWebhook(
  policy: OutboundPolicy,
  settings: { notifyWebhook: boolean; webhookUrl: string | null },
): void {
  if (settings.notifyWebhook && settings.webhookUrl === null)
    throw new ApiError("invalid_body", "`notifyWebhook` needs a `webhookUrl`.");
  requireTarget(policy, settings.webhookUrl);
}
