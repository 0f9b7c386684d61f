"""Two workspaces install one bot; the second tries to reach all that the first has."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.alerts.service import alert_service
from bot.config.settings import Settings
from bot.question.asking import Answers
from bot.run.app import Alerts
from bot.run.composition import compose
from tests.bot.blocks import every_text
from tests.bot.installing import Grant, Host, hosting
from tests.bot.person import Person

Rows = dict[str, list[tuple[object, ...]]]
Act = Callable[[Person, str], object]

SHARED = frozenset(
    "_sqlite_migrations migrations sqlite_sequence words terms sources polls "
    "coverage offers history tracks track_gpus track_points watches leases schedule "
    "audit_horizon install_states quarantine rates feeds facts "
    "feed_state api_data exchange_rates".split()
)
"""Tables of no team: prices, steps, work to do; `watches` hang on subscriptions."""
MARKS = ("team-one", "0.91", "Phi-4", "1.23", "43.21", "T1")
THREAD = "100.777"
DONE = {
    "settings workspace set utilisation 43.21%": "43.21",
    "setprice lambda h100-nvl 1.23 confirm": "1.23",
    "alert a100-80gb spot < 0.91": "Alert 1 is on",
    "llama-3.3-70b 7rps on h200 q-of-team-one": "H200",
}
"""What the first team does, and by what the answer is known."""


def the_product(settings: Settings) -> tuple[Answers, Alerts]:
    """Answers and alerts as they are served."""
    service = alert_service(settings, compose(settings))
    return service.answering, service.for_slack()


@dataclass
class Neighbours:
    """The first team's things, and somebody curious in the second."""

    host: Host
    curious: Person
    answer_id: str
    before: Rows

    def shown_by(self, act: Act) -> str:
        """Everything that the second workspace is shown for what it does."""
        slack = self.host.slack
        start = len(slack.heard), len(slack.others)
        act(self.curious, self.answer_id)
        end = time.monotonic() + 10
        while (len(slack.heard), len(slack.others)) == start and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(0.2)
        told = [*slack.heard[start[0] :], *slack.others[start[1] :]]
        assert told
        # Looking whether a message arrived shows nothing, and names the second.
        shown = [call for name, call in told if not name.startswith("conversations.")]
        return "\n".join(text for call in shown for text in every_text(call))


def heard(host: Host, text: str) -> str:
    """Wait until a text was said; give the id of the answer that says it."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        for _, message in list(host.slack.heard):
            if text in message["text"]:
                return str(message["metadata"]["event_payload"]["answer_id"])
        time.sleep(0.02)
    raise AssertionError(f"{text} was not said")


def rows_of(home: Path, team: str) -> Rows:
    """Everything that is stored under a team."""
    with Settings(home=home).database.reading() as connection:
        return {
            table: sorted(
                connection.execute(
                    f"SELECT * FROM {table} WHERE team_id = ?",  # noqa: S608 - own tables
                    (team,),
                ).fetchall(),
                key=repr,
            )
            for table in connection.team_tables()
        }


@pytest.fixture(scope="module")
def neighbours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neighbours]:
    """The first team asked, watched, set, negotiated, judged, talked in a thread."""
    home = tmp_path_factory.mktemp("home")
    with hosting(home, product=the_product) as host:
        for team in ("T1", "T2"):
            host.install(Grant(team=team))
        owner = host.person("T1")
        for words, said in DONE.items():
            owner.command(words)
            answer = heard(host, said)
        owner.happen("app_mention", ts=THREAD, text="<@UBOT> phi-4 chat 3rps")
        heard(host, "Phi-4")
        owner.press("feedback", f"{answer} bad")
        heard(host, "Thank you for telling us")
        time.sleep(0.3)
        yield Neighbours(host, host.person("T2"), answer, rows_of(home, "T1"))


ACTS: dict[str, Act] = {
    "share": lambda them, answer: them.press("share", answer),
    "why": lambda them, answer: them.press("why", answer),
    "show": lambda them, answer: them.press("show", answer),
    "refine": lambda them, answer: them.press("form", answer),
    "chip": lambda them, answer: them.press("chip:0", f"{answer} model"),
    "watch": lambda them, answer: them.press("watch", answer),
    "feedback": lambda them, answer: them.press("feedback", f"{answer} good"),
    "why typed": lambda them, answer: them.command(f"why {answer}"),
    "thread": lambda them, answer: them.happen(
        "app_mention", thread_ts=THREAD, text="<@UBOT> what about int8?"
    ),
    "settings": lambda them, answer: them.command("settings"),
    "settings form": lambda them, answer: them.press("settings:all", ""),
    "price book": lambda them, answer: them.command("setprice list"),
    "price taken back": lambda them, answer: them.command("setprice remove 1"),
    "price": lambda them, answer: them.command("price h100 nvl"),
    "sizing": lambda them, answer: them.command("70b 5rps"),
    "alerts": lambda them, answer: them.command("alert list"),
    "alert removed": lambda them, answer: them.command("alert remove 1"),
    "alert muted": lambda them, answer: them.command("mute 1 for 1d"),
    "alert tested": lambda them, answer: them.command("alert test 1"),
    "alert adopted": lambda them, answer: them.command("alert adopt 1"),
    "alert history": lambda them, answer: them.press("alert_history", "1"),
    "alert stopped": lambda them, answer: them.press("alert_stop", "1"),
    "alert snoozed": lambda them, answer: them.press("alert_snooze", "1 1d"),
    "home": lambda them, answer: them.happen("app_home_opened", tab="home"),
    "prompts": lambda them, answer: them.happen("app_home_opened", tab="messages"),
}


@pytest.mark.parametrize("act", ACTS)
def test_the_second_team_reaches_nothing(neighbours: Neighbours, act: str) -> None:
    """It is shown nothing of the first, and changes nothing there."""
    said = neighbours.shown_by(ACTS[act])

    assert [mark for mark in MARKS if mark in said] == []
    assert rows_of(neighbours.host.home, "T1") == neighbours.before


def test_it_is_told_with_its_own_token(neighbours: Neighbours) -> None:
    """Every call about it was made with what it was given itself."""
    neighbours.host.slack.tokens.clear()
    for name in ("thread", "home", "refine"):
        neighbours.shown_by(ACTS[name])

    used = {token for name, token in neighbours.host.slack.tokens if name != "/hook"}
    assert used == {"xoxb-secret-T2-1"}


def test_the_first_team_finds_its_own(neighbours: Neighbours) -> None:
    """The same acts there show what they should: the test could have failed."""
    owner = Neighbours(
        neighbours.host,
        neighbours.host.person("T1"),
        neighbours.answer_id,
        neighbours.before,
    )

    assert "team-one" in owner.shown_by(ACTS["show"])
    assert "Phi-4" in owner.shown_by(ACTS["thread"])
    assert "1.23" in owner.shown_by(ACTS["price book"])
    assert "0.91" in owner.shown_by(ACTS["alerts"])
    assert "43.21" in owner.shown_by(ACTS["settings"])
    assert "team-one" in owner.shown_by(ACTS["home"])
    prompts = owner.shown_by(ACTS["prompts"])  # two, of three asked within a second
    assert "phi-4" in prompts or "team-one" in prompts


def test_every_table_belongs_to_teams_or_to_nobody(neighbours: Neighbours) -> None:
    """Whoever adds one says which: a team's rows carry the team."""
    with Settings(home=neighbours.host.home).database.reading() as connection:
        homeless = connection.tables() - set(connection.team_tables())

    assert homeless <= SHARED
    assert {"answers", "threads", "recent", "feedback"} <= neighbours.before.keys()
    empty = {name for name, rows in neighbours.before.items() if not rows}
    assert empty <= {"outbox", "pauses", "workspaces", "leases"}
