"""The bot's own HTTP transport, and requests that are signed as Slack signs them."""

import http.client
import json
import time
from typing import Final, NamedTuple
from urllib.parse import urlencode

from slack_sdk.signature import SignatureVerifier

from bot.playground.ledger import Thing
from bot.playground.workspace import Workspace
from bot.run.server import PATH

PATIENCE_SECONDS: Final = 3
"""How long Slack waits before it tells the person that nothing came."""

_FORM: Final = "application/x-www-form-urlencoded"
_JSON: Final = "application/json"


class Delivered(NamedTuple):
    """What became of a request: Slack's error code or "", and the body that came."""

    error: str
    body: str

    def said(self) -> Thing:
        """Read the body as a JSON object; {} when it holds none."""
        try:
            read = json.loads(self.body)
        except ValueError:
            return {}
        return read if isinstance(read, dict) else {}


class SignedClient:
    """Deliver to the bot what happens in a workspace."""

    def __init__(
        self, workspace: Workspace, address: tuple[str, int], signing_secret: str
    ) -> None:
        self._workspace = workspace
        self._address = address
        self._verifier = SignatureVerifier(signing_secret)

    def command(self, fields: Thing) -> Delivered:
        """Deliver a slash command."""
        return self._deliver(f"→ {fields['command']}", urlencode(fields), _FORM, fields)

    def interaction(self, payload: Thing) -> Delivered:
        """Deliver a press, a submission or a shortcut."""
        body = urlencode({"payload": json.dumps(payload)})
        return self._deliver(f"→ {payload['type']}", body, _FORM, payload)

    def event(self, envelope: Thing) -> Delivered:
        """Deliver an event."""
        what = f"→ event {envelope['event']['type']}"
        return self._deliver(what, json.dumps(envelope), _JSON, envelope)

    def _deliver(self, what: str, body: str, kind: str, shown: Thing) -> Delivered:
        began = time.perf_counter()
        try:
            status, said = self._sent(body, kind)
            error = "" if status == 200 else f"http_{status}"
        except TimeoutError:
            error, said = "operation_timeout", ""
        except (OSError, http.client.HTTPException) as fault:
            error, said = "connection_failed", str(fault)
        took = (time.perf_counter() - began) * 1000
        detail = {"sent": shown, "got": said}
        self._workspace.note(what, error or "acknowledged", took, detail)
        return Delivered(error, said)

    def _sent(self, body: str, kind: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection(
            *self._address, timeout=PATIENCE_SECONDS
        )
        try:
            connection.request("POST", PATH, body.encode(), self._headers(body, kind))
            response = connection.getresponse()
            return response.status, response.read().decode(errors="replace")
        finally:
            connection.close()

    def _headers(self, body: str, kind: str) -> dict[str, str]:
        stamp = str(int(time.time()))
        signature = self._verifier.generate_signature(timestamp=stamp, body=body)
        return {
            "content-type": kind,
            "x-slack-request-timestamp": stamp,
            "x-slack-signature": signature or "",
        }
