"""Who signed a request, asked before anything reads its body."""

import hashlib
import hmac
import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal

from bot.operate.slack_time import SlackTime
from core.patterns import regex

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

When = Literal["now", "there", "perhaps", "never"]
"""Just now by our clock; just now by Slack's, which differs; the same as far as one can
guess where Slack never said what time it is; at another time, or not at all.

Only the first is believed; who asked in the next two is told that the clock is wrong.
"""
LASTS_S: Final = 300
"""docs.slack.dev/authentication/verifying-requests-from-slack: five minutes."""
SURE: Final = 3
"""So many requests in a row, signed at another time, are no lone recording: the only
sign of a wrong clock where Slack never said what time it is."""
_STAMP: Final = regex(r"[0-9]{1,12}", re.ASCII)


class Signatures:
    """Tells requests that Slack signed within five minutes from all others.

    slack_sdk's verifier decodes the body first, and fails on one that is no UTF-8.
    """

    def __init__(
        self,
        signing_secret: str,
        clock: Callable[[], float] = time.time,
        at_slack: SlackTime | None = None,
    ) -> None:
        self._key = signing_secret.encode()
        self._clock, self._at_slack = clock, at_slack or SlackTime()
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
        at, theirs = int(stamp), self._at_slack
        if abs(now - at) <= LASTS_S and not theirs.denies(at, LASTS_S):
            self._apart = {}
            return "now"
        if theirs.now() is not None:
            if not theirs.is_apart(at, LASTS_S):
                return "there"
            if theirs.denies(at, LASTS_S):
                return "never"
            theirs.doubt()
        if len(self._apart) < SURE or signature in self._apart:
            self._apart = self._apart | {signature: now}
        return "perhaps" if self._are_many() else "never"

    def in_step(self) -> bool:
        """Whether Slack's clock and ours agree; what it signed else is no use to us."""
        if self._at_slack.now() is not None:
            return not self._at_slack.is_apart(self._clock(), LASTS_S)
        return not self._are_many()

    def _are_many(self) -> bool:
        came = self._apart.values()
        return len(came) >= SURE and self._clock() - max(came) <= LASTS_S
