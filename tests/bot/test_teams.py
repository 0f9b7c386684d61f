"""One team never reaches another's data: every way in is tried."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from prices.records.pricebook import PriceBook
from tests.bot.blocks import every_text
from tests.bot.conftest import NOW, Install, Workspace
from tests.bot.person import Person, inputs
from tests.engines import engine_of


@dataclass
class Neighbours:
    """Two workspaces that share one bot; the second is curious."""

    workspace: Workspace
    answer_id: str
    curious: Person
    heard: int

    def read(self) -> str:
        """Everything that the second workspace was shown since."""
        self.workspace.settle()
        slack = self.workspace.slack
        mine = [*slack.heard[self.heard :], *slack.others]
        return "\n".join(text for call in mine for text in every_text(call[1]))


@pytest.fixture
def neighbours(install: Install, tmp_path: Path) -> Neighbours:
    """The first team has asked, set, negotiated and judged."""
    workspace = install(compose(Settings(home=tmp_path), lambda: NOW))
    owner = workspace.person
    owner.command("settings workspace set currency EUR")
    workspace.settle_one()
    owner.command("setprice lambda h100-nvl 1.23 confirm")
    workspace.settle_one()
    owner.command("llama-3.3-70b 7rps on h200 q-of-team-one")
    answer = workspace.slack.wait(3)[2]
    answer_id = answer["metadata"]["event_payload"]["answer_id"]
    assert answer_id
    curious = Person(workspace.app, workspace.slack, team="T2", user="U1")
    return Neighbours(workspace, answer_id, curious, 3)


@pytest.mark.parametrize("action", ["share", "why", "show", "form", "chip:0", "watch"])
def test_an_answer_is_not_reached_by_its_id(
    neighbours: Neighbours, action: str
) -> None:
    """Whoever knows the id, and presses a button that carries it, gets nothing."""
    neighbours.curious.press(action, neighbours.answer_id)

    assert "team-one" not in neighbours.read()


def test_an_answer_is_not_explained_to_others(neighbours: Neighbours) -> None:
    """`why ID` finds the answers of one's own team."""
    neighbours.curious.command(f"why {neighbours.answer_id}")

    said = neighbours.read()

    assert "no answer" in said
    assert "team-one" not in said


@pytest.mark.parametrize(
    "words",
    ["settings", "setprice list", "setprice remove 1", "price h100", "70b 5rps"],
)
def test_settings_and_prices_stay_at_home(neighbours: Neighbours, words: str) -> None:
    """Neither shown, nor used, nor taken back by another team."""
    neighbours.curious.command(words)

    said = neighbours.read()

    assert not [s for s in ("1.23", "€", "set to EUR", "your price") if s in said]
    book = PriceBook(engine_of(neighbours.workspace.home / "gpucost.sqlite3"))
    assert len(book.valid_on("T1", NOW)) == 1
    assert book.valid_on("T2", NOW) == {}


def test_the_page_and_the_prompts_are_ones_own(neighbours: Neighbours) -> None:
    """The same user id in another workspace is another person."""
    neighbours.curious.happen("app_home_opened", channel="D1", tab="home")
    neighbours.curious.happen("app_home_opened", channel="D1", tab="messages")

    said = neighbours.read()

    assert "team-one" not in said
    assert "EUR" not in said


def test_the_settings_form_shows_ones_own(neighbours: Neighbours) -> None:
    """An empty form, though the first team has settings."""
    neighbours.curious.press("settings:all", "")
    view = neighbours.workspace.opened()

    assert not [b for b in inputs(view) if "initial_option" in b["element"]]


def test_deliveries_of_two_teams_are_two(neighbours: Neighbours) -> None:
    """The same event id and message of another workspace is answered too."""
    for person in (neighbours.workspace.person, neighbours.curious):
        person.happen("app_mention", event_id="Ev-1", ts="1.1", text="<@UBOT> 70b 5rps")
    neighbours.workspace.settle()

    assert len(neighbours.workspace.slack.called("chat.postMessage", 2)) == 2


def test_an_organisation_without_a_workspace_is_a_team(install: Install) -> None:
    """With neither id there is still no sharing with whoever has an empty one."""
    workspace = install()
    workspace.person.interact(
        type="shortcut",
        callback_id="price_this",
        team=None,
        enterprise={"id": "E1"},
        response_url=workspace.person.hook,
        message={"text": "70b", "ts": "1.1"},
        user={"id": "U1"},
    )
    workspace.slack.wait()

    context: AskContext = workspace.answers.asked[0][1]

    assert (context.team_id, context.enterprise_id) == ("E1", "E1")
