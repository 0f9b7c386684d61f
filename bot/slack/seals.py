"""What a form carries from its opening to its sending, sealed on the way.

Slack hands a form's metadata back as it was given, and anybody who can send the bot a
signed form could name another conversation or another address for the answer.
"""

import hmac
from hashlib import sha256
from typing import Final

SIGNS: Final = 32
"""Hexadecimal digits of a seal: 128 bits."""


class Seals:
    """Seals a text for one form and one person; the key outlives the process."""

    def __init__(self, key: str) -> None:
        self._key = sha256(b"form metadata:" + key.encode()).digest()

    def seal(self, text: str, *bound: str) -> str:
        """Return the text with its seal before it."""
        return self._sign(text, bound) + text

    def opened(self, sealed: str, *bound: str) -> str | None:
        """Return the text; None: it was changed, or sealed for something else."""
        sign, text = sealed[:SIGNS], sealed[SIGNS:]
        whole = hmac.compare_digest(sign.encode(), self._sign(text, bound).encode())
        return text if whole else None

    def _sign(self, text: str, bound: tuple[str, ...]) -> str:
        parts = "\0".join((*bound, text)).encode("utf-8", "surrogatepass")
        return hmac.new(self._key, parts, sha256).hexdigest()[:SIGNS]
