"""Many workspaces install one bot: each with its token, none with another's."""

import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest

from bot.alerts.service import patient_clients
from bot.commands.workspaces import workspaces_command
from bot.config.secret import SecretStr
from bot.config.settings import load_settings
from bot.install.checkup import installed
from bot.install.flow import STATE_LASTS
from bot.install.scopes import SCOPES
from bot.install.sealing import Credentials, Sealer, SealError
from bot.run.app import build_app
from bot.run.server import missing
from core.alerts.subscription import StaleWatch, Wanted
from prices.alerts.subscriptions import SubscriptionBook
from prices.records.installations import Installed, InstallStates, Site
from prices.records.recent import RecentQuestion, RecentQuestions
from tests.bot.fake_slack import FakeAnswers, Fault, fake_slack
from tests.bot.installing import (
    CLIENT,
    HALF_A_DAY,
    KEY,
    OTHER_KEY,
    Grant,
    Host,
    every_byte,
    expire,
    hosting,
    settings_of,
)
from tests.bot.samples import ANSWER
from tests.engines import engine_of

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """A bot that nobody has installed yet."""
    with hosting(tmp_path) as running:
        yield running


@pytest.mark.parametrize("path", ["/slack/install", "/slack/oauth_redirect"])
@pytest.mark.parametrize("body", [b"[1]", b"payload=5", b"\xff", b"null", b"{"])
def test_what_a_visitor_brings_is_not_read(host: Host, path: str, body: bytes) -> None:
    """Nobody signs requests of these pages: what Bolt would trip over is no matter."""
    connection = HTTPConnection(*host.address, timeout=20)
    connection.request("GET", path, body, {"content-type": "application/json"})
    with_body = connection.getresponse().status
    connection.close()

    assert str(with_body) == host.get(path)[0]


def test_a_workspace_installs_it_and_is_answered(host: Host) -> None:
    """From the page over Slack's consent to an answer, with the token it was given."""
    status, page = host.install(Grant())
    host.person().happen("app_mention", text="<@UBOT> 70b")
    host.slack.called("chat.postMessage")

    assert status == "200"
    assert "Thank you" in page
    assert host.told_with() == ["xoxb-secret-T1-1"]


def test_the_page_asks_for_what_it_says(host: Host) -> None:
    """Each scope with its reason, where to come back to, and a state."""
    status, headers, page = host.get("/slack/install")
    _, _, asked = host.begin()

    assert status == "200"
    assert set(SCOPES) == set(asked["scope"][0].split(","))
    assert all(scope in page for scope in SCOPES)
    assert [CLIENT] == asked["client_id"]
    assert ["https://bot.example/slack/oauth_redirect"] == asked["redirect_uri"]
    assert len(asked["state"][0]) > 30
    assert headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_a_link_may_name_a_workspace_and_nothing_else(host: Host) -> None:
    """What else is slipped into the parameter does not reach Slack."""
    named = host.begin("?team=T9")[2]
    slipped = host.begin("?team=T9%26redirect_uri%3Dhttps%3A%2F%2Fevil.example")[2]

    assert named["team"] == ["T9"]
    assert "team" not in slipped
    assert ["https://bot.example/slack/oauth_redirect"] == slipped["redirect_uri"]


def test_a_state_is_good_once(host: Host) -> None:
    """Whoever repeats the redirect installs nothing."""
    state, cookie, _ = host.begin()
    first, _ = host.come_back(state, cookie, Grant(team="T1"))
    second, page = host.come_back(state, cookie, Grant(team="T2"))

    assert (first, second) == ("200", "401")
    assert "invalid_state" in page
    assert [i.site.team_id for i in host.installations().every()] == ["T1"]


@pytest.mark.parametrize(
    ("state", "cookie", "status"),
    [
        ("made-up", "slack-app-oauth-state=made-up", "401"),
        ("made-up", "", "400"),
        ("{state}", "", "400"),
        ("{state}", "slack-app-oauth-state=another", "400"),
        ("made-up", "{cookie}", "400"),
    ],
)
def test_a_wrong_state_installs_nothing(
    host: Host, state: str, cookie: str, status: str
) -> None:
    """Made up, of another browser, or of none."""
    own_state, own_cookie, _ = host.begin()
    said = host.come_back(
        state.format(state=own_state), cookie.format(cookie=own_cookie), Grant()
    )

    assert said[0] == status
    assert host.installations().every() == []
    assert not [name for name, _ in host.slack.others if name == "oauth.v2.access"]


def test_a_state_expires(tmp_path: Path) -> None:
    """It holds for ten minutes; only its digest is stored."""
    now = [NOW]
    states = InstallStates(
        engine_of(tmp_path / "s.sqlite3"), STATE_LASTS, lambda: now[0]
    )
    early, late = states.issue(), states.issue()
    stored = every_byte(engine_of(tmp_path / "s.sqlite3"))
    now[0] += STATE_LASTS - timedelta(seconds=1)
    assert states.consume(early)

    now[0] += timedelta(seconds=1)

    assert not states.consume(late)
    assert early.encode() not in stored


def test_a_flood_of_installations_stays_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest states go first."""
    monkeypatch.setattr("prices.records.installations.STATES_KEPT", 3)
    now = [NOW]
    states = InstallStates(
        engine_of(tmp_path / "s.sqlite3"), STATE_LASTS, lambda: now[0]
    )
    issued = []
    for _ in range(5):
        issued.append(states.issue())
        now[0] += timedelta(seconds=1)

    kept = [states.consume(state) for state in issued]

    assert kept == [False, False, True, True, True]


@pytest.mark.parametrize(
    "fault",
    [Fault(said="invalid_code"), Fault(status=503, said="busy"), Fault(silent=True)],
)
def test_a_code_that_slack_refuses_installs_nothing(host: Host, fault: Fault) -> None:
    """The person is told; nothing is kept."""
    host.slack.faults["oauth.v2.access"] = [fault]

    status, page = host.install(Grant())

    assert status == "401"
    assert "invalid_code" in page
    assert host.installations().every() == []


def test_cancelling_installs_nothing(host: Host) -> None:
    """Slack sends back whoever thinks better of it."""
    status, _, page = host.get("/slack/oauth_redirect?error=access_denied")

    assert status == "200"
    assert "access_denied" in page
    assert host.installations().every() == []


def test_tokens_rest_encrypted(host: Host) -> None:
    """No byte of the database, or of its log, spells a token."""
    host.install(Grant(expires_in=HALF_A_DAY))

    file = host.file()

    assert b"T1" in file
    for secret in (b"xoxb", b"xoxe", b"secret-T1", b"client-secret", KEY.encode()):
        assert secret not in file


def test_a_new_key_seals_anew_and_the_old_one_may_go(tmp_path: Path) -> None:
    """First both keys, then the new one alone; a stranger's key opens nothing."""
    with hosting(tmp_path) as host:
        host.install(Grant())
    served = []
    for keys in (f"{OTHER_KEY},{KEY}", OTHER_KEY, KEY):
        with hosting(tmp_path, keys) as host:
            host.person().happen("app_mention", text="<@UBOT> 70b")
            host.settle()
            served.append(host.told_with())

    assert served == [["xoxb-secret-T1-1"], ["xoxb-secret-T1-1"], []]


def test_keys_come_from_a_file_too(tmp_path: Path) -> None:
    """One a line, after those of the environment."""
    file = tmp_path / "keys"
    file.write_text(f"{KEY}\n")
    with fake_slack() as slack:
        usual = settings_of(slack, tmp_path)
        moved = usual.model_copy(update={"token_keys": None, "token_keys_file": file})
        app = build_app(moved, FakeAnswers(ANSWER))

    assert app.oauth_flow is not None
    assert missing(moved, http=True) == []


@pytest.mark.parametrize("key", ["", "short", "ä" * 44, "A" * 43])
def test_a_bad_key_is_named_by_its_number(key: str) -> None:
    """Never by what it is."""
    with pytest.raises(SealError) as told:
        Sealer([KEY, key])

    assert "key 2" in str(told.value)
    assert not key or key not in str(told.value)


def test_a_token_is_good_in_its_own_row_only(host: Host) -> None:
    """Whoever can write the file cannot lend one team another's token."""
    host.install(Grant(team="T1"))
    (installed,) = host.installations().every()
    host.installations().keep(Site("", "T2"), installed.sealed, NOW)
    host.person("T2").happen("app_mention", text="<@UBOT> 70b")
    host.settle()

    assert host.told_with() == []


def test_whoever_installs_it_is_welcomed(host: Host) -> None:
    """In their own conversation, with a question to begin with."""
    host.install(Grant(team="T1"))

    (welcome,) = host.welcomed
    assert "U1" == welcome["channel"]
    assert "70b inference 50rps" in welcome["text"]


def test_a_refused_installation_says_what_to_do(host: Host) -> None:
    """A page in plain words, and the way back to the beginning."""
    _, _, page = host.get("/slack/oauth_redirect?error=access_denied&state=x")

    assert "gpucost was not installed" in page
    assert "/slack/install" in page


def test_each_workspace_is_told_with_its_own_token(host: Host) -> None:
    """Two workspaces, and one that never installed it."""
    for team in ("T1", "T2"):
        host.install(Grant(team=team))
    for team in ("T2", "T1", "T3"):
        host.person(team).happen("app_mention", text="<@UBOT> 70b")
        time.sleep(0.2)
    host.settle()

    assert sorted(host.told_with()) == ["xoxb-secret-T1-1", "xoxb-secret-T2-1"]


def test_whoever_is_not_installed_is_told_so(host: Host) -> None:
    """A command where the bot was removed is answered, and nothing computed."""
    host.person("T3").command("70b")

    (said,) = host.slack.wait()

    assert "no longer installed" in said["text"]
    assert host.answers.asked == []


def in_organisation(host: Host, team: str | None, kind: str = "app_mention") -> None:
    """Let something happen in a workspace of an organisation that has the bot."""
    whole = {"enterprise_id": "E1", "team_id": team, "is_enterprise_install": True}
    body = {"team_id": team, "enterprise_id": "E1", "authorizations": [whole]}
    host.person().happen(kind, body=body, text="<@UBOT> 70b")


def test_an_organisation_installs_it_for_all_its_workspaces(host: Host) -> None:
    """Its token serves each; no other organisation has it."""
    host.install(Grant(team=None, enterprise="E1"))
    in_organisation(host, "T7")
    host.slack.called("chat.postMessage")
    host.person("T8").happen("app_mention", text="<@UBOT> 70b")
    host.settle()

    assert host.told_with() == ["xoxb-secret-E1-1"]
    assert {c.team_id for _, c in host.answers.asked} == {"T7"}


def test_alerts_are_posted_with_the_workspaces_own_token(host: Host) -> None:
    """A workspace served by its organisation too; one that left has none."""
    host.install(Grant(team="T1"))
    host.install(Grant(team=None, enterprise="E1"))
    in_organisation(host, "T7")
    host.slack.called("chat.postMessage")

    client_for = patient_clients(settings_of(host.slack, host.home))

    expected = {"T1": "xoxb-secret-T1-1", "T7": "xoxb-secret-E1-1", "T9": "", "": ""}
    assert expected == {team: client_for(team).token for team in expected}
    assert client_for("T1").retry_handlers == []


def test_a_token_is_renewed_before_it_ends(host: Host) -> None:
    """Its refresh token is spent once, and what comes is sealed too."""
    host.install(Grant(expires_in=HALF_A_DAY))
    expire(host, "T1", 3600)
    for _ in range(2):
        host.person().happen("app_mention", text="<@UBOT> 70b")
    host.settle()

    assert host.told_with() == ["xoxb-secret-T1-2"] * 2
    assert len(host.slack.called("oauth.v2.access")) == 2
    assert b"xoxe" not in host.file()


def test_many_requests_renew_it_once(host: Host) -> None:
    """A refresh token is good once: the others go on with what they have."""
    host.install(Grant(expires_in=HALF_A_DAY))
    expire(host, "T1", 3600)
    tokens = patient_clients(settings_of(host.slack, host.home))
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(str(tokens("T1").token)))
        for _ in range(12)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert set(found) <= {"xoxb-secret-T1-1", "xoxb-secret-T1-2"}
    assert len(host.slack.called("oauth.v2.access")) == 2


@pytest.mark.parametrize(
    "fault",
    [Fault(said="invalid_refresh_token"), Fault(status=500), Fault(silent=True)],
)
def test_a_token_that_cannot_be_renewed_serves_to_its_end(
    host: Host, fault: Fault
) -> None:
    """And is not tried again at every request."""
    host.install(Grant(expires_in=HALF_A_DAY))
    expire(host, "T1", 3600)
    host.slack.faults["oauth.v2.access"] = [fault]
    for _ in range(3):
        host.person().happen("app_mention", text="<@UBOT> 70b")
    host.settle()
    calls = [name for name, _ in host.slack.tokens if name == "oauth.v2.access"]

    assert host.told_with() == ["xoxb-secret-T1-1"] * 3
    assert len(calls) == 2


def test_a_token_that_ended_serves_nobody(host: Host) -> None:
    """Where Slack refuses a new one, the workspace is told to install again."""
    host.install(Grant(expires_in=HALF_A_DAY))
    expire(host, "T1", -1)
    host.slack.faults["oauth.v2.access"] = [Fault(said="invalid_refresh_token")]
    host.person().command("70b")

    (said,) = host.slack.wait()

    assert "no longer installed" in said["text"]


def watching(host: Host, *teams: str) -> SubscriptionBook:
    """Let each workspace watch whether prices grow old."""
    book = SubscriptionBook(engine_of(host.home / "gpucost.sqlite3"))
    for team in teams:
        wanted = Wanted(
            team_id=team,
            channel_id="C1",
            user_id="U1",
            typed="alert stale 24h",
            watch=StaleWatch(),
        )
        book.add(wanted, NOW)
    return book


def paused(book: SubscriptionBook) -> set[str]:
    """The workspaces whose alerts are paused."""
    return {each.team_id for each in book.every() if each.paused}


LEFT = {
    "app_uninstalled": {},
    "tokens_revoked": {"tokens": {"bot": ["UBOTT1"], "oauth": []}},
}


@pytest.mark.parametrize("kind", LEFT)
def test_a_workspace_that_leaves_is_forgotten(host: Host, kind: str) -> None:
    """Its token goes, its alerts stop, and its neighbour notices nothing."""
    for team in ("T1", "T2"):
        host.install(Grant(team=team))
    book = watching(host, "T1", "T2")
    response = host.person("T1").happen(kind, **LEFT[kind])
    host.settle()

    assert response.status == 200
    assert [i.site.team_id for i in host.installations().every()] == ["T2"]
    assert paused(book) == {"T1"}
    assert host.slack.heard == []


def test_a_persons_revoked_token_changes_nothing(host: Host) -> None:
    """The bot asks for no person's token."""
    host.install(Grant())
    book = watching(host, "T1")
    host.person().happen("tokens_revoked", tokens={"oauth": ["U1"], "bot": []})
    host.settle()

    assert len(host.installations().every()) == 1
    assert paused(book) == set()


def test_an_organisation_that_leaves_takes_its_workspaces_along(host: Host) -> None:
    """But not the one that has an installation of its own."""
    host.install(Grant(team=None, enterprise="E1"))
    host.install(Grant(team="T8", enterprise="E1"))
    for team in ("T7", "T8"):
        in_organisation(host, team)
    host.slack.called("chat.postMessage", 2)
    book = watching(host, "T7", "T8", "T9")
    in_organisation(host, None, kind="app_uninstalled")
    host.settle()

    assert [i.site for i in host.installations().every()] == [Site("E1", "T8")]
    assert paused(book) == {"T7"}


def test_a_late_word_of_leaving_undoes_no_new_installation(host: Host) -> None:
    """Slack may bring it a day later, and three times."""
    host.install(Grant())
    book = watching(host, "T1")
    left = int(time.time()) - 3600
    for _ in range(3):
        host.person().happen("app_uninstalled", body={"event_time": left})
    host.settle()

    assert len(host.installations().every()) == 1
    assert paused(book) == set()


def test_a_workspace_that_comes_back_finds_its_things(host: Host) -> None:
    """A new token serves; what was paused is still there, to be resumed."""
    host.install(Grant())
    book = watching(host, "T1")
    host.person().happen("app_uninstalled")
    for _ in range(100):
        if paused(book):
            break
        time.sleep(0.05)
    host.install(Grant())
    host.person().happen("app_mention", text="<@UBOT> 70b")
    host.settle()

    assert host.told_with() == ["xoxb-secret-T1-1"]
    assert [each.paused for each in book.every()] == ["token_revoked"]


def test_the_doctor_looks_at_keys_and_tokens(host: Host) -> None:
    """Whose token no key opens; that a bot token keeps everybody else out."""
    host.install(Grant(team="T1"))

    def said(**changed: object) -> list[tuple[bool, str]]:
        settings = settings_of(host.slack, host.home).model_copy(update=changed)
        return [(finding.good, finding.what) for finding in installed(settings)]

    one = said(slack_bot_token=SecretStr("xoxb-one"))
    assert said() == [(True, "installed in 1 workspaces")]
    assert said(token_keys=SecretStr(OTHER_KEY)) == [
        (False, "installed in 1 workspaces; no key opens the token of T1")
    ]
    assert [good for good, _ in said(token_keys=SecretStr("short"))] == [False]
    assert [(good, "SLACK_BOT_TOKEN" in what) for good, what in one] == [(False, True)]


def test_the_key_that_the_page_makes_is_one() -> None:
    """Its command, run as it stands."""
    page = (Path(__file__).parents[2] / "deploy/README.md").read_text("utf-8")
    found = re.search(r'^python3 -c "(import base64.+)" > token-keys$', page, re.M)
    assert found
    made = subprocess.run(
        [sys.executable, "-c", found[1]], check=True, capture_output=True, text=True
    )

    sealer = Sealer(made.stdout.split())

    held = Credentials(client_id=CLIENT, team_id="T1", token="xoxb-x")  # noqa: S106 - none
    kept = Installed(held.site, sealer.seal(held))
    assert sealer.unseal(kept, CLIENT) == held


def test_the_operator_sees_where_it_is_installed(
    host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Workspaces by name, never a token; of one that left, that data is kept."""
    host.install(Grant(team="T1"))
    watching(host, "T1", "T2")
    monkeypatch.setattr(
        "bot.commands.workspaces.load_settings",
        lambda: settings_of(host.slack, host.home),
    )

    assert workspaces_command([]) == 0

    said = capsys.readouterr().out
    assert said.splitlines() == ["T1  Acme  installed by U1", "T2  data kept"]


@pytest.mark.sqlite_alone
def test_a_team_is_forgotten_for_good(
    host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only when it is meant, only that team, and nothing of it is left in the file."""
    book = watching(host, "T1", "T2")
    recent = RecentQuestions(engine_of(host.home / "gpucost.sqlite3"))
    for team in ("T1", "T2"):
        asked = RecentQuestion(f"secret plan of {team}", "a", "v", NOW)
        recent.note(team, "U1", asked)
    monkeypatch.setattr(
        "bot.commands.workspaces.load_settings",
        lambda: settings_of(host.slack, host.home),
    )

    assert workspaces_command(["forget", "T9", "--yes"]) == 1
    assert workspaces_command(["forget", "T1"]) == 1
    assert len(book.every()) == 2
    assert workspaces_command(["forget", "T1", "--yes"]) == 0

    assert "1  subscriptions" in capsys.readouterr().out
    assert [each.team_id for each in book.every()] == ["T2"]
    assert recent.of("T1", "U1", 9) == []
    assert len(recent.of("T2", "U1", 9)) == 1
    with sqlite3.connect(host.home / "gpucost.sqlite3") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert b"secret plan of T1" not in host.file()
    assert b"secret plan of T2" in host.file()


def test_with_one_token_a_client_id_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bolt would keep installations in the home folder, in clear text."""
    monkeypatch.setenv("SLACK_CLIENT_ID", CLIENT)
    monkeypatch.setenv("SLACK_CLIENT_SECRET", "client-secret")
    with fake_slack() as slack:
        one = settings_of(slack, tmp_path).model_copy(
            update={"slack_bot_token": SecretStr("xoxb-one")}
        )
        app = build_app(one, FakeAnswers(ANSWER))

    assert app.oauth_flow is None
    assert not one.many_workspaces
    assert "SLACK_CLIENT_ID" in os.environ


@pytest.mark.parametrize(
    ("lacking", "named"),
    [
        ("SLACK_CLIENT_SECRET", ["SLACK_CLIENT_SECRET"]),
        ("GPUCOST_TOKEN_KEYS", ["GPUCOST_TOKEN_KEYS"]),
        ("SLACK_SIGNING_SECRET", ["SLACK_SIGNING_SECRET"]),
        ("", []),
    ],
)
def test_what_is_not_set_is_named(
    tmp_path: Path, lacking: str, named: list[str]
) -> None:
    """Before anything is served."""
    environment = {
        "GPUCOST_HOME": str(tmp_path),
        "SLACK_CLIENT_ID": CLIENT,
        "SLACK_CLIENT_SECRET": "s",
        "SLACK_SIGNING_SECRET": "s",
        "GPUCOST_TOKEN_KEYS": KEY,
    }
    environment.pop(lacking, None)

    assert missing(load_settings(environment), http=True) == named


def test_secrets_do_not_print_themselves(host: Host) -> None:
    """Neither settings nor credentials do."""
    host.install(Grant(expires_in=HALF_A_DAY))
    settings = settings_of(host.slack, host.home)
    (installed,) = host.installations().every()

    shown = f"{settings!r} {Sealer([KEY]).unseal(installed, CLIENT)!r}"

    assert not [s for s in ("client-secret", KEY, "xoxb", "xoxe") if s in shown]
