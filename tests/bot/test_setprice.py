"""The price book from Slack: set, listed, taken back, and refused with a reason."""

import pytest

from prices.records.pricebook import PriceBook
from tests.bot.blocks import check_message, every_text, of_type
from tests.bot.conftest import NOW, Workspace
from tests.bot.person import Person
from tests.engines import engine_of

LINE = "setprice lambda h100 1.85 reserved 12m until 2027-03"


def book_lines(workspace: Workspace, team: str = "T1") -> list[str]:
    """The lines of a team's price book."""
    book = PriceBook(engine_of(workspace.home / "gpucost.sqlite3"))
    return [price.command for price in book.valid_on(team, NOW).values()]


def test_a_price_is_noted_as_it_was_understood(workspace: Workspace) -> None:
    """Provider, GPU, terms and end are repeated; the team's book holds the line."""
    workspace.person.command(LINE)

    reply = workspace.slack.wait()[0]

    check_message(reply["blocks"], reply["text"])
    assert reply["response_type"] == "ephemeral"
    assert "$1.85 per GPU-hour, 12-month reserved, until 2027-03-31" in reply["text"]
    expected = ["setprice lambda h100-80gb-sxm 1.85 reserved 12m until 2027-03-31"]
    assert expected == book_lines(workspace)
    assert book_lines(workspace, "T2") == []


def test_the_book_is_listed_with_who_set_what(workspace: Workspace) -> None:
    """Each line has a number, and the number takes it back."""
    workspace.person.command(LINE)
    workspace.slack.wait()
    workspace.person.command("setprice list")
    listed = workspace.slack.wait(2)[1]
    check_message(listed["blocks"], listed["text"])
    rows = of_type(listed["blocks"], "data_table")[0]["rows"]
    assert of_type(listed["blocks"], "user")[0]["user_id"] == "U1"

    workspace.person.command(f"setprice remove {rows[1][-1]['text']}")

    assert "Taken back" in workspace.slack.wait(3)[2]["text"]
    assert book_lines(workspace) == []


def test_a_later_price_replaces_an_earlier_one(workspace: Workspace) -> None:
    """The same terms hold once; other terms stand beside them."""
    for words in ("2.10", "1.99", "1.20 spot"):
        workspace.person.command(f"setprice lambda h100 {words}")
        workspace.settle_one()

    assert [line.split()[3:5] for line in book_lines(workspace)] == [
        ["1.99", "on-demand"],
        ["1.2", "spot"],
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("lambda h1000 1.85", "GPU"),
        ("lambada h100 1.85", "provider"),
        ("lambda h100", "price"),
        ("lambda h100 1.85 reserved", "term"),
        ("lambda h100 1.85 until 2020-01", "is over"),
        ("remove 99", "No price has that number"),
        ("list", "empty"),
        ("", "empty"),
        ("<!channel> `h100` 1.85", "provider"),
    ],
)
def test_a_line_that_cannot_be_read_says_why(
    workspace: Workspace, words: str, said: str
) -> None:
    """The reply names the problem, and nothing is noted."""
    workspace.person.command(f"setprice {words}")

    reply = workspace.slack.wait()[0]

    check_message(reply["blocks"], reply["text"])
    assert said in reply["text"]
    assert book_lines(workspace) == []


def test_administrators_keep_the_book(workspace: Workspace) -> None:
    """Where they are named, nobody else writes into it; everybody reads it."""
    workspace.person.command("settings set admins U1")
    workspace.slack.wait()
    other = Person(workspace.app, workspace.slack, user="U2")
    other.command(LINE)
    assert "admins" in workspace.slack.wait(2)[1]["text"]
    other.command("setprice list")

    assert "empty" in "".join(every_text(workspace.slack.wait(3)[2]["blocks"]))
    assert book_lines(workspace) == []
