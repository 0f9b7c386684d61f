"""One person's page: what it shows, how it turns, and what its buttons do."""

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.render.home_views import HomeRow
from bot.run.app import Alerts
from bot.run.composition import compose
from prices.records.preferences import Preferences, Setting
from prices.records.recent import RecentQuestion, RecentQuestions
from tests.bot.blocks import check_home, every_text, of_type
from tests.bot.conftest import NOW, Install, Workspace
from tests.bot.fake_slack import Fault
from tests.engines import engine_of


def page(workspace: Workspace, count: int = 1) -> dict[str, Any]:
    """The newest page that was published, checked."""
    view: dict[str, Any] = workspace.slack.called("views.publish", count)[-1]["view"]
    check_home(view)
    return view


def open_page(workspace: Workspace) -> dict[str, Any]:
    """Open the page."""
    workspace.person.happen("app_home_opened", channel="D1", tab="home")
    return page(workspace)


def texts(view: dict[str, Any]) -> str:
    """Everything that a page shows."""
    return "\n".join(every_text(view))


def button(view: dict[str, Any], label: str) -> dict[str, Any]:
    """A button by what is written on it."""
    return next(b for b in of_type(view, "button") if b["text"]["text"] == label)


def asked(workspace: Workspace, count: int, team: str = "T1", user: str = "U1") -> None:
    """Let somebody have asked questions, the last one last."""
    recent = RecentQuestions(engine_of(workspace.home / "gpucost.sqlite3"))
    for n in range(count):
        at = NOW - timedelta(minutes=count - n)
        recent.note(
            team, user, RecentQuestion(f"q{n:02}", "k7f2q9", f"verdict {n}", at)
        )


def test_an_empty_page_says_what_to_do(workspace: Workspace) -> None:
    """Examples, and a part for everything that will stand there."""
    view = open_page(workspace)

    assert {"Ask a question", "70b inference 50rps", "Change settings"} <= {
        b["text"]["text"] for b in of_type(view, "button")
    }
    assert "You have not asked anything yet." in texts(view)


def test_recent_questions_are_ones_own(workspace: Workspace) -> None:
    """Newest first, neither another person's nor another team's."""
    asked(workspace, 3)
    asked(workspace, 9, user="U2")
    asked(workspace, 9, team="T2")

    shown = texts(open_page(workspace))

    assert [shown.index(q) for q in ("q02", "q01", "q00")] == sorted(
        shown.index(q) for q in ("q00", "q01", "q02")
    )
    assert "q03" not in shown


def test_the_page_turns_both_ways(workspace: Workspace) -> None:
    """Five questions a page; the ends have one way only."""
    asked(workspace, 12)
    first = open_page(workspace)
    older = button(first, "Older")
    assert "Newer" not in texts(first)

    workspace.person.press_at_home(older["action_id"], older["value"])
    second = page(workspace, 2)
    older = button(second, "Older")
    workspace.person.press_at_home(older["action_id"], older["value"])
    third = page(workspace, 3)

    assert ["q11" in texts(v) for v in (first, second, third)] == [True, False, False]
    assert "q06" in texts(second)
    assert "q00" in texts(third)
    assert "Older" not in texts(third)
    newer = json.loads(button(third, "Newer")["value"])
    assert newer["recent"] == 1


def test_asking_again_answers_on_the_page(workspace: Workspace) -> None:
    """The answer comes first on the page that asked, and nowhere else."""
    asked(workspace, 1)
    again = button(open_page(workspace), "Ask again")

    workspace.person.press_at_home(again["action_id"], again["value"])

    view = page(workspace, 2)
    shown = texts(view)
    assert workspace.answers.asked[0][0] == "q00"
    assert shown.index(workspace.answers.view.verdict) < shown.index(
        "My recent questions"
    )
    assert not workspace.slack.heard


@pytest.mark.parametrize("label", ["Ask a question", "Change"])
def test_the_page_opens_the_form(workspace: Workspace, label: str) -> None:
    """Empty, or with a recent question; either asks where to answer."""
    asked(workspace, 1)
    pressed = button(open_page(workspace), label)

    workspace.person.press_at_home(pressed["action_id"], pressed.get("value", ""))

    assert "place" in {b.get("block_id") for b in workspace.opened()["blocks"]}


def test_refused_tables_are_drawn_in_characters(workspace: Workspace) -> None:
    """The page comes anyway."""
    workspace.slack.faults["views.publish"] = [Fault(said="invalid_blocks")]

    open_page(workspace)

    assert len(workspace.slack.called("views.publish")) == 1


def test_a_page_that_cannot_be_published_is_no_fault(workspace: Workspace) -> None:
    """Nobody is told of a page that they may have left."""
    workspace.slack.faults["views.publish"] = [Fault(said="not_enabled")]

    workspace.person.happen("app_home_opened", channel="D1", tab="home")
    workspace.settle()

    assert not workspace.slack.heard


def test_prices_of_favourite_gpus_stand_on_the_page(
    install: Install, tmp_path: Path
) -> None:
    """The chosen GPUs with their cheapest prices, in the workspace's currency."""
    workspace = install(compose(Settings(home=tmp_path), lambda: NOW))
    usual = open_page(workspace)
    store = Preferences(engine_of(tmp_path / "gpucost.sqlite3"))
    store.set("T1", Setting("gpus", "h100-80gb-sxm,l4", "", "U1", NOW))
    store.set("T1", Setting("currency", "EUR", "", "U1", NOW))
    workspace.person.happen("app_home_opened", channel="D1", tab="home")

    chosen = page(workspace, 2)

    rows = of_type(usual, "data_table")[0]["rows"]
    assert len(rows) == 7
    assert rows[1][1]["text"].startswith("$")
    rows = of_type(chosen, "data_table")[0]["rows"]
    assert [row[0]["text"] for row in rows[1:]] == ["H100 SXM 80 GB", "L4"] or len(
        rows
    ) == 3
    assert rows[1][1]["text"].startswith("€")
    assert "Currency: EUR" in texts(chosen)


def test_watches_stand_on_the_page_and_turn(install: Install) -> None:
    """They come from the alerts, where there are any."""

    def watches(context: AskContext) -> Sequence[HomeRow]:
        return [HomeRow(text=f"{context.team_id} watch {n}") for n in range(7)]

    workspace = install(alerts=Alerts(verbs={}, buttons={}, watches=watches))
    first = open_page(workspace)
    older = button(first, "Older")
    workspace.person.press_at_home(older["action_id"], older["value"])

    second = page(workspace, 2)

    assert "T1 watch 4" in texts(first)
    assert "T1 watch 5" not in texts(first)
    assert "T1 watch 6" in texts(second)


def test_an_alert_names_its_channel(install: Install) -> None:
    """Slack draws the name for whoever may know it; a conversation has none."""
    places = ("C7", "G8", "D9", "", "<!channel>")
    rows = [HomeRow(text=f"watch {n}", channel_id=c) for n, c in enumerate(places)]
    alerts = Alerts(verbs={}, buttons={}, watches=lambda context: rows)

    view = open_page(install(alerts=alerts))

    named = [each["channel_id"] for each in of_type(view, "channel")]
    assert ["C7", "G8"] == named


def test_a_page_that_became_empty_shows_the_one_before(install: Install) -> None:
    """Who stops the last alert of a page is not told that nothing is watched."""
    rows = [HomeRow(text=f"watch {n}") for n in range(6)]
    alerts = Alerts(verbs={}, buttons={}, watches=lambda context: rows)
    workspace = install(alerts=alerts)
    older = button(open_page(workspace), "Older")
    workspace.person.press_at_home(older["action_id"], older["value"])
    assert "watch 5" in texts(page(workspace, 2))

    rows.pop()
    workspace.person.press_at_home(older["action_id"], older["value"])

    shown = texts(page(workspace, 3))
    assert "watch 4" in shown
    assert "Newer" not in shown


def test_hostile_questions_are_only_shown(workspace: Workspace) -> None:
    """What somebody typed stays text on their page, however long."""
    recent = RecentQuestions(engine_of(workspace.home / "gpucost.sqlite3"))
    for n, text in enumerate(("<!channel> <@U2> `x`", "😀" * 4000, "\u202eab\x07 &<>")):
        recent.note("T1", "U1", RecentQuestion(text, "id", text, NOW + timedelta(n)))

    view = open_page(workspace)

    assert not of_type(view, "mrkdwn")
    assert not [t for t in of_type(view, "rich_text_section") if "\x07" in str(t)]
