"""Credentials at rest: sealed with the operator's keys; the first one seals."""

import base64
import binascii
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import Field

from bot.render.words import say
from core.checked import Checked
from prices.records.installations import Installed, Site

KEY_BYTES = 32


class SealError(Exception):
    """Something cannot be unsealed, or a key is none; the message says which."""


class Credentials(Checked):
    """What lets the bot speak in one workspace, or in one organisation."""

    client_id: str
    enterprise_id: str = ""
    team_id: str = ""
    name: str = ""
    bot_id: str = ""
    bot_user_id: str = ""
    scopes: tuple[str, ...] = ()
    token: str = Field(repr=False)
    refresh_token: str = Field(default="", repr=False)
    expires_at: int | None = None
    """When the token ends, in seconds since 1970; None: it does not."""
    installed_by: str = ""

    @property
    def site(self) -> Site:
        """The key under which they are kept."""
        return Site(self.enterprise_id, self.team_id)


class Sealer:
    """Seals with its first key, and unseals with any of them."""

    def __init__(self, keys: Sequence[str]) -> None:
        if not keys:
            raise SealError(say("install.init"))
        self._first = Fernet(_checked(keys[0], 1))
        self._all = MultiFernet([Fernet(_checked(k, n)) for n, k in enumerate(keys, 1)])

    def seal(self, credentials: Credentials) -> str:
        """Make unreadable what only this bot may read."""
        return self._first.encrypt(credentials.model_dump_json().encode()).decode()

    def unseal(self, installed: Installed, client_id: str) -> Credentials:
        """Read credentials; those moved here from another row are refused."""
        try:
            said = self._all.decrypt(installed.sealed)
        except InvalidToken:
            raise SealError(say("install.token_locked", site=installed.site)) from None
        credentials = Credentials.model_validate_json(said)
        if (credentials.site, credentials.client_id) != (installed.site, client_id):
            raise SealError(say("install.token_of_another", site=installed.site))
        return credentials

    def again(self, sealed: str) -> str | None:
        """Seal with the first key what an older one sealed; None: nothing to do."""
        try:
            self._first.decrypt(sealed)
        except InvalidToken:
            try:
                return self._all.rotate(sealed).decode()
            except InvalidToken:
                return None
        return None


def _checked(key: str, number: int) -> str:
    # Said here without the key: Fernet's own complaint reaches logs.
    try:
        size = len(base64.urlsafe_b64decode(key))
    except (binascii.Error, ValueError):
        size = 0
    if size != KEY_BYTES:
        raise SealError(say("install.checked", number=number))
    return key
