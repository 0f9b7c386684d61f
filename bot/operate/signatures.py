"""Who signed a request, asked before anything reads its body."""

import re
from typing import TYPE_CHECKING, Final

from slack_sdk.signature import SignatureVerifier

if TYPE_CHECKING:
    from wsgiref.types import WSGIEnvironment

_STAMP: Final = re.compile(r"[0-9]{1,12}")


class Signatures:
    """Tells requests that Slack signed within five minutes from all others."""

    def __init__(self, signing_secret: str) -> None:
        self._verifier = SignatureVerifier(signing_secret)

    def valid(self, environ: "WSGIEnvironment", body: bytes) -> bool:
        """Whether Slack signed this body; what cannot be checked is no signature."""
        stamp = environ.get("HTTP_X_SLACK_REQUEST_TIMESTAMP", "")
        signature = environ.get("HTTP_X_SLACK_SIGNATURE", "")
        if not _STAMP.fullmatch(stamp) or not signature.isascii():
            return False
        return self._verifier.is_valid(body, stamp, signature)
