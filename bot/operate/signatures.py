"""Who signed a request, asked before anything reads its body."""

import hashlib
import hmac
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

When = Literal["now", "apart", "never"]
LASTS_S: Final = 300
"""docs.slack.dev/authentication/verifying-requests-from-slack: five minutes."""
SURE: Final = 3
"""So many requests in a row, signed at another time, are no lone recording."""
_STAMP: Final = re.compile(r"[0-9]{1,12}", re.ASCII)


class Signatures:
    """Tells requests that Slack signed within five minutes from all others.

    slack_sdk's verifier decodes the body first, and fails on one that is no UTF-8.
    """

    def __init__(
        self, signing_secret: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._key = signing_secret.encode()
        self._clock = clock
        self._apart: dict[str, float] = {}
        """Signatures of another time since the last of now, and when each came."""

    def valid(self, environ: "WSGIEnvironment", body: bytes) -> bool:
        """Whether Slack signed this body now."""
        return self.time_of(environ, body) == "now"

    def time_of(self, environ: "WSGIEnvironment", body: bytes) -> When:
        """Tell when Slack signed this body; what cannot be checked it never did."""
        stamp = environ.get("HTTP_X_SLACK_REQUEST_TIMESTAMP", "")
        signature = environ.get("HTTP_X_SLACK_SIGNATURE", "")
        if not self._key or not _STAMP.fullmatch(stamp) or not signature.isascii():
            return "never"
        signed = hmac.new(self._key, f"v0:{stamp}:".encode() + body, hashlib.sha256)
        if not hmac.compare_digest(f"v0={signed.hexdigest()}", signature):
            return "never"
        now = self._clock()
        if abs(now - int(stamp)) <= LASTS_S:
            self._apart = {}
            return "now"
        if len(self._apart) < SURE or signature in self._apart:
            self._apart = self._apart | {signature: now}
        return "apart"

    def in_step(self) -> bool:
        """Whether Slack's clock and ours agree; what it signed else is no use to us."""
        came = self._apart.values()
        return len(came) < SURE or self._clock() - max(came) > LASTS_S
