import { createHmac } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { signatureHeaders, webhookSecret, webhookSecretHint } from "../../domain/signatures.ts";

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));
const secrets = bytes.map(webhookSecret);
const now = () => Math.floor(Date.now() / 1000);

function attempt(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

/** Whether each family of verifiers accepts the delivery for one who knows only this secret. */
function accepts(headers: Record<string, string>, body: string, secret: string) {
  const stripeAccepts = (header: string | undefined) =>
    attempt(() => Stripe.webhooks.signature?.verifyHeader(body, header ?? "", secret, 300));
  return {
    service: stripeAccepts(headers["X-Service-Signature"]),
    previous: stripeAccepts(headers["X-Service-Signature-Previous"]),
    standard: attempt(() => new Webhook(secret).verify(body, headers)),
  };
}

describe("signatureHeaders", () => {
  it("is accepted by stripe and standardwebhooks, whatever the body and the secret", () => {
    fc.assert(
      fc.property(secrets, fc.json(), fc.uuid(), (secret, body, id) => {
        const headers = signatureHeaders({ id, timestampSeconds: now(), body }, { current: secret, previous: null });
        expect(accepts(headers, body, secret)).toEqual({ service: true, previous: false, standard: true });
        expect(headers).not.toHaveProperty("X-Service-Signature-Previous");
      }),
    );
  });

  it("during a rotation is accepted by one who knows only the old secret and by one who knows only the new, and by nobody else", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(secrets, { minLength: 3, maxLength: 3 }),
        ([current = "", previous = "", other = ""]) => {
          const body = '{"a":1}';
          const headers = signatureHeaders({ id: "evt_1", timestampSeconds: now(), body }, { current, previous });
          expect(accepts(headers, body, current)).toEqual({ service: true, previous: false, standard: true });
          expect(accepts(headers, body, previous)).toEqual({ service: false, previous: true, standard: true });
          expect(accepts(headers, body, other)).toEqual({ service: false, previous: false, standard: false });
        },
      ),
    );
  });

  it("covers the body, the id and the time", () => {
    const secret = webhookSecret(Buffer.alloc(32, 7));
    const body = '{"a":1}';
    const signedAt = (timestampSeconds: number) =>
      signatureHeaders({ id: "evt_1", timestampSeconds, body }, { current: secret, previous: null });
    const refused = { service: false, previous: false, standard: false };
    expect(accepts(signedAt(now()), '{"a":2}', secret)).toEqual(refused);
    expect(accepts(signedAt(now() - 301), body, secret)).toEqual(refused);
    expect(accepts({ ...signedAt(now()), "webhook-id": "evt_2" }, body, secret)).toMatchObject({ standard: false });
  });

  it("is, to the letter, what the documentation says", () => {
    const secret = webhookSecret(Buffer.alloc(32, 7));
    expect(secret).toBe("whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
    const headers = signatureHeaders(
      { id: "evt_1", timestampSeconds: 1_700_000_000, body: "é" },
      { current: secret, previous: null },
    );
    const v1 = createHmac("sha256", Buffer.from(secret, "utf8")).update("1700000000.é", "utf8").digest("hex");
    const standard = createHmac("sha256", Buffer.alloc(32, 7)).update("evt_1.1700000000.é", "utf8").digest("base64");
    expect(headers).toEqual({
      "X-Service-Signature": `t=1700000000,v1=${v1}`,
      "webhook-id": "evt_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": `v1,${standard}`,
    });
  });

  it("a secret is 32 bytes behind the prefix, and is known again by its last four characters", () => {
    const secret = webhookSecret(Buffer.alloc(32, 255));
    expect(Buffer.from(secret.slice(6), "base64")).toEqual(Buffer.alloc(32, 255));
    expect(webhookSecretHint(secret)).toBe("//8=");
    expect(() => webhookSecret(Buffer.alloc(31))).toThrow("32 bytes");
  });
});
