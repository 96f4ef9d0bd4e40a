"""Tells whether a webhook comes from Tocsin. Python 3.8 or newer, nothing to install.

    from webhook import is_from_tocsin

    @app.post("/hook")                      # Flask, for example
    def hook():
        if not is_from_tocsin(request.headers, request.get_data(), os.environ["WEBHOOK_SECRET"]):
            return "", 401
        print(request.get_json()["event"])
        return "", 204
"""

import base64
import hashlib
import hmac
import time

TOLERANCE_SECONDS = 300


def is_from_tocsin(headers, body, secret, now=None):
    """By the headers of Standard Webhooks, which sign the id and the time as well: what somebody recorded and sends
    again later is refused. `body` is the bytes that came, not parsed."""
    headers = {name.lower(): value for name, value in headers.items()}
    sent_at = headers.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not sent_at.isdigit() or abs(now - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    is_encoded = secret.startswith("whsec_")
    key = base64.b64decode(secret[len("whsec_"):]) if is_encoded else secret.encode()
    content = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    signature = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    # While a secret is being replaced there are two.
    sent = headers.get("webhook-signature", "").split(" ")
    return any(_is_same(one, f"v1,{signature}") for one in sent)


def has_plain_signature(headers, body, secret):
    """The same by `X-Webhook-Signature`, which signs the body alone. Its key is the whole secret, `whsec_` included."""
    headers = {name.lower(): value for name, value in headers.items()}
    wanted = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    names = ("x-webhook-signature", "x-webhook-signature-previous")
    return any(_is_same(headers.get(name, ""), wanted) for name in names)


def _is_same(one, other):
    return hmac.compare_digest(one.encode(), other.encode())
