import { randomBytes } from "node:crypto";
import { expect, it } from "@jest/globals";
import { signatureHeaders, webhookSecret } from "../../domain/signatures.ts";
import { pythonVerdicts } from "./pythonVerdicts.ts";

it("are accepted by Python's stripe and standardwebhooks, of both secrets during a rotation, and by no other secret", async () => {
  const [current, previous, other] = [0, 1, 2].map(() => webhookSecret(randomBytes(32)));
  if (current === undefined || previous === undefined || other === undefined)
    throw new Error("three secrets were made");
  const body = JSON.stringify({ id: "evt_1", quote: "“Ünïcode” and 東京" });
  const message = { id: "evt_1", timestampSeconds: Math.floor(Date.now() / 1000), body };
  const alone = signatureHeaders(message, { current, previous: null });
  const both = signatureHeaders(message, { current, previous });
  const verdicts = await pythonVerdicts([
    { secret: current, headers: alone, body },
    { secret: current, headers: both, body },
    { secret: previous, headers: both, body },
    { secret: other, headers: both, body },
    { secret: current, headers: both, body: `${body} ` },
  ]);
  const refusedByStripe = "SignatureVerificationError";
  const refusedByStandard = "WebhookVerificationError";
  expect(verdicts).toEqual([
    { "X-Service-Signature": "accepted", standardwebhooks: "accepted" },
    {
      "X-Service-Signature": "accepted",
      "X-Service-Signature-Previous": refusedByStripe,
      standardwebhooks: "accepted",
    },
    {
      "X-Service-Signature": refusedByStripe,
      "X-Service-Signature-Previous": "accepted",
      standardwebhooks: "accepted",
    },
    ...[0, 1].map(() => ({
      "X-Service-Signature": refusedByStripe,
      "X-Service-Signature-Previous": refusedByStripe,
      standardwebhooks: refusedByStandard,
    })),
  ]);
}, 600_000);
