"""Verifies deliveries with published libraries: JSON lines {secret, headers, body} on standard input, verdicts on standard output."""

import json
import sys

import stripe
from standardwebhooks.webhooks import Webhook


def verdict(verify):
    try:
        verify()
        return "accepted"
    except Exception as error:
        return type(error).__name__


for line in sys.stdin:
    told = json.loads(line)
    secret, headers, body = told["secret"], told["headers"], told["body"]
    answer = {
        name: verdict(lambda: stripe.WebhookSignature.verify_header(body, headers[name], secret, tolerance=300))
        for name in ("X-Service-Signature", "X-Service-Signature-Previous")
        if name in headers
    }
    answer["standardwebhooks"] = verdict(lambda: Webhook(secret).verify(body, headers))
    print(json.dumps(answer))
