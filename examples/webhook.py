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
import re
import time

TOLERANCE_SECONDS = 300


def is_from_tocsin(headers, body, secret, now=None):
    """By the headers of Standard Webhooks, which sign the id and the time as well: what somebody recorded and sends
    again later is refused. `body` is the bytes that came, not parsed."""
    headers = {name.lower(): value for name, value in headers.items()}
    sent_at = headers.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", sent_at) or abs(now - int(sent_at)) > TOLERANCE_SECONDS:
        return False
    content = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    signature = base64.b64encode(hmac.new(_key_of(secret), content, hashlib.sha256).digest()).decode()
    # While a secret is being replaced there are two.
    sent = headers.get("webhook-signature", "").split(" ")
    return any(_is_same(one, f"v1,{signature}") for one in sent)


def has_plain_signature(headers, body, secret):
    """The same by `X-Webhook-Signature`, which signs the body alone. Its key is the whole secret, `whsec_` included."""
    headers = {name.lower(): value for name, value in headers.items()}
    wanted = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    names = ("x-webhook-signature", "x-webhook-signature-previous")
    return any(_is_same(headers.get(name, ""), wanted) for name in names)


def _key_of(secret):
    """What the base64 after `whsec_` stands for; of a secret that is written otherwise, its UTF-8 bytes."""
    encoded = secret[len("whsec_"):] if secret.startswith("whsec_") else ""
    is_base64 = re.fullmatch("[A-Za-z0-9+/]+={0,2}", encoded) and len(encoded) % 4 == 0
    return base64.b64decode(encoded) if is_base64 else secret.encode()


def _is_same(one, other):
    return hmac.compare_digest(one.encode(), other.encode())
