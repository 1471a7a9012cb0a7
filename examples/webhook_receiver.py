"""A server that takes webhooks and answers 401 to what SearchQA has not signed. WEBHOOK_SECRET is
the secret that `POST /webhooks` has returned."""

import base64
import hashlib
import hmac
import json
import os
import time
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_genuine(headers: Message, body: bytes) -> bool:
    """By the Standard Webhooks scheme; what is older than five minutes may be a replay."""
    id_, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    digest = hmac.digest(KEY, f"{id_}.{sent_at}.".encode() + body, hashlib.sha256)
    expected = f"v1,{base64.b64encode(digest).decode()}"
    given = headers.get("webhook-signature", "").split()  # two while the secret is rotated
    return any(hmac.compare_digest(expected, one) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)  # at once: slow work comes later
        self.end_headers()
        if genuine:  # the same webhook-id may come twice
            print(self.headers["webhook-id"], json.loads(body)["type"], flush=True)


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
