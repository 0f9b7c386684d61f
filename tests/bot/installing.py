"""A bot that workspaces install themselves, and a browser to install it with."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from slack_bolt import App

from bot.config.secret import SecretStr
from bot.config.settings import Settings
from bot.install.sealing import Sealer
from bot.question.asking import Answers
from bot.run.app import Alerts, build_app
from bot.run.server import http_server
from prices.database.connection import Engine
from prices.records.installations import Installations
from tests.bot.fake_slack import SECRET, FakeAnswers, FakeSlack, fake_slack
from tests.bot.person import Person
from tests.bot.samples import ANSWER
from tests.engines import engine_of

KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
OTHER_KEY = "YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY="
CLIENT = "111.222"
HALF_A_DAY = 43_200


def every_byte(engine: Engine) -> bytes:
    """What a database keeps: its file and log, or every row that a server gives."""
    if engine.is_file:
        files = sorted(engine.file.parent.glob(f"{engine.file.name}*"))
        return b"".join(file.read_bytes() for file in files)
    with engine.reading() as connection:
        queries = [f"SELECT * FROM {name}" for name in sorted(connection.tables())]  # noqa: S608
        return repr([connection.execute(q).fetchall() for q in queries]).encode()


@dataclass
class Grant:
    """What Slack gives for one code."""

    team: str | None = "T1"
    enterprise: str | None = None
    expires_in: int | None = None
    number: int = 0

    def response(self) -> dict[str, Any]:
        """The answer of oauth.v2.access."""
        self.number += 1
        place = self.team or self.enterprise
        rotated = {
            "refresh_token": f"xoxe-1-{place}-{self.number}",
            "expires_in": self.expires_in,
        }
        return {
            "ok": True,
            "app_id": "A1",
            "access_token": f"xoxb-secret-{place}-{self.number}",
            "token_type": "bot",
            "scope": "commands,chat:write",
            "bot_user_id": f"UBOT{place}",
            "team": {"id": self.team, "name": "Acme"} if self.team else None,
            "enterprise": {"id": self.enterprise} if self.enterprise else None,
            "is_enterprise_install": self.team is None,
            "authed_user": {"id": "U1"},
        } | (rotated if self.expires_in else {})


@dataclass
class Host:
    """The bot on its server, the Slack that installs it, and the time of day."""

    slack: FakeSlack
    home: Path
    app: App
    answers: FakeAnswers
    address: tuple[str, int]
    """Where the bot's own server listens."""
    grants: dict[str, Grant] = field(default_factory=dict)
    """By code; a refresh token belongs to the grant that it came from."""
    welcomed: list[dict[str, Any]] = field(default_factory=list)
    """The first messages to whoever installed it."""

    def get(self, path: str, cookie: str = "") -> tuple[str, dict[str, str], str]:
        """Open a page in a browser: its status, headers and text."""
        connection = HTTPConnection(*self.address, timeout=20)
        connection.request("GET", path, headers={"cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        page = answer.read().decode()
        connection.close()
        return str(answer.status), headers, page

    def begin(self, query: str = "") -> tuple[str, str, dict[str, list[str]]]:
        """Open the page of installation: state, cookie and what Slack is asked."""
        _, headers, page = self.get(f"/slack/install{query}")
        cookie = headers["set-cookie"].split(";")[0]
        found = re.search(r'href="(https://slack.com/oauth[^"]+)"', page)
        assert found
        asked = parse_qs(urlsplit(unescape(found[1])).query)
        return asked["state"][0], cookie, asked

    def install(self, grant: Grant) -> tuple[str, str]:
        """Install as a person does: the status and the page they end on."""
        state, cookie, _ = self.begin()
        found = self.come_back(state, cookie, grant)
        self.welcomed += self._take_welcomes()
        return found

    def _take_welcomes(self) -> list[dict[str, Any]]:
        """Take the first messages to installers out of what was heard."""
        told = [call for call in self.slack.heard if "is installed" in str(call[1])]
        for call in told:
            self.slack.heard.remove(call)
            posted = [t for t in self.slack.tokens if t[0] == "chat.postMessage"]
            self.slack.tokens.remove(posted[-1])
        return [message for _, message in told]

    def come_back(self, state: str, cookie: str, grant: Grant) -> tuple[str, str]:
        """Return from Slack with a code and a state."""
        code = f"code-{len(self.grants)}"
        self.grants[code] = grant
        path = f"/slack/oauth_redirect?code={code}&state={state}"
        status, _, page = self.get(path, cookie)
        return status, page

    def access(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Exchange a code, or a refresh token, once."""
        if asked.get("grant_type") == "refresh_token":
            token = asked["refresh_token"]
            for grant in self.grants.values():
                place = grant.team or grant.enterprise
                if token == f"xoxe-1-{place}-{grant.number}":
                    return grant.response()
            return {"ok": False, "error": "invalid_refresh_token"}
        if asked.get("code") in self.grants:
            return self.grants[asked["code"]].response()
        return {"ok": False, "error": "invalid_code"}

    def person(self, team: str = "T1") -> Person:
        """Somebody in a workspace."""
        return Person(self.app, self.slack, team=team)

    def told_with(self) -> list[str]:
        """The tokens with which messages were posted, oldest first."""
        return [
            token for name, token in self.slack.tokens if name == "chat.postMessage"
        ]

    def file(self) -> bytes:
        """Every byte of the database, what is still in its log included."""
        return every_byte(engine_of(self.home / "gpucost.sqlite3"))

    def installations(self) -> Installations:
        """What is stored."""
        return Installations(engine_of(self.home / "gpucost.sqlite3"), CLIENT)

    def settle(self) -> None:
        """Wait until everything that was begun is done."""
        self.app.listener_runner.listener_executor.shutdown(wait=True)


def settings_of(slack: FakeSlack, home: Path, keys: str = KEY) -> Settings:
    """What the operator of such a bot sets."""
    return Settings(
        home=home,
        slack_client_id=CLIENT,
        slack_client_secret=SecretStr("client-secret"),
        slack_signing_secret=SecretStr(SECRET),
        slack_redirect_uri="https://bot.example/slack/oauth_redirect",
        slack_api_url=f"{slack.url}/api/",
        token_keys=SecretStr(keys),
        port=0,
    )


Product = Callable[[Settings], tuple[Answers, Alerts | None]]


@contextmanager
def hosting(
    home: Path, keys: str = KEY, product: Product | None = None
) -> Iterator[Host]:
    """Run a bot for many workspaces, with the real product where it is given."""
    fake = FakeAnswers(ANSWER)
    with fake_slack() as slack:
        settings = settings_of(slack, home, keys)
        answers, alerts = product(settings) if product else (fake, None)
        app = build_app(settings, answers, alerts)
        with http_server(app, settings) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            at = (str(server.server_address[0]), int(server.server_address[1]))
            host = Host(slack, home, app, fake, at)
            slack.methods["oauth.v2.access"] = host.access
            try:
                yield host
            finally:
                server.shutdown()
                thread.join()
                host.settle()


def expire(host: Host, team: str, seconds: int) -> None:
    """Let a workspace's token end so many seconds from now."""
    store, sealer = host.installations(), Sealer([KEY])
    for installed in store.every():
        if installed.site.team_id == team:
            held = sealer.unseal(installed, CLIENT)
            ends = int(time.time()) + seconds
            old = held.model_copy(update={"expires_at": ends})
            store.renew(installed.site, sealer.seal(old))
