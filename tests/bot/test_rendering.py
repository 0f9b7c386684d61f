"""Answers as Slack messages: complete, in order, and within every limit."""

import pytest

from bot.answers.help import help_view
from bot.render.plot import PHONE
from bot.render.rendering import Renderer
from bot.render.views import Action, AnswerView, Cell, Chart, Chip, Series, Table
from tests.bot.blocks import check_message, every_text, of_type
from tests.bot.samples import ANSWER, CLARIFY, ERROR, EVERY_KIND, HINT, NO, TABLE

RENDERER = Renderer()


@pytest.mark.parametrize("view", [*EVERY_KIND, help_view()], ids=lambda v: v.kind)
@pytest.mark.parametrize("native", [True, False])
def test_every_kind_of_answer_is_a_valid_message(
    view: AnswerView, native: bool
) -> None:
    """Slack's limits hold for every kind of view, with and without native blocks."""
    message = RENDERER.render_blocks(view, native)

    check_message(message.blocks, message.text)


def test_the_parts_stand_in_the_order_of_reading() -> None:
    """Verdict, why, warnings, table, charts, levers, assumptions, small print."""
    expected = [
        *["rich_text"] * 3,
        "data_table",
        "context",
        *["data_visualization"] * 2,
        "rich_text",
        "container",
        *["context"] * 2,
        "actions",
    ]
    types = [block["type"] for block in RENDERER.render_blocks(ANSWER).blocks]

    assert expected == types


def test_the_verdict_comes_first_and_bold() -> None:
    """The first words of a message are the verdict."""
    first = RENDERER.render_blocks(ANSWER).blocks[0]

    words = of_type(first, "text")

    expected = {"type": "text", "text": ANSWER.verdict, "style": {"bold": True}}
    assert expected == words[0]


def test_of_a_lever_the_money_alone_is_bold() -> None:
    """What to weigh before stands behind it in plain letters."""
    levers = RENDERER.render_blocks(ANSWER).blocks[7]

    words = {each["text"]: "style" in each for each in of_type(levers, "text")}

    assert {
        "−$1,100/mo": True,
        " (spot may be taken away)": False,
    }.items() <= words.items()


def test_table_cells_sort_by_value_and_read_as_text() -> None:
    """A number keeps its value beside its text; the winner's row bears the mark."""
    table = of_type(RENDERER.render_blocks(ANSWER).blocks, "data_table")[0]

    name = {"type": "raw_text", "text": "★ RunPod"}
    hourly = {"type": "raw_number", "value": 1.99, "text": "$1.99"}
    assert name == table["rows"][2][0]
    assert hourly == table["rows"][2][3]  # "Count" is the same in all: told below
    assert table["rows"][1][0]["text"] == TABLE.rows[0][0].text


@pytest.mark.parametrize("native", [True, False])
def test_both_forms_and_the_text_say_the_same(native: bool) -> None:
    """Every verdict, cell, lever, assumption and source is in blocks and in text."""
    message = RENDERER.render_blocks(ANSWER, native)
    shown = "\n".join(every_text(message.blocks)).replace("\N{NO-BREAK SPACE}", " ")

    said = [
        *(ANSWER.verdict, ANSWER.why, *ANSWER.notes, TABLE.caption, TABLE.note),
        *(cell.text for row in TABLE.rows for cell in row),
        *(lever.text for lever in ANSWER.levers),
        *(lever.difference for lever in ANSWER.levers),
        *(f" ({lever.note})" for lever in ANSWER.levers if lever.note),
        *(f"{chip.label}: {chip.value}" for chip in ANSWER.chips),
        *(chip.why for chip in ANSWER.chips),
        *(ANSWER.id, ANSWER.question, "lambda.ai/x", "5,731", "H100 $/GPU-hour"),
    ]

    assert not [part for part in said if part not in shown]
    assert not [part for part in said if part not in message.text]


def test_a_percentage_stays_on_one_line() -> None:
    """ "by 10 %" never ends one line of Slack with its number alone."""
    message = RENDERER.render_blocks(ANSWER.model_copy(update={"verdict": "by 10 %"}))

    assert "by 10\N{NO-BREAK SPACE}%" in every_text(message.blocks)


def test_the_plain_form_uses_no_new_block_types() -> None:
    """What replaces native blocks is accepted by every workspace."""
    classic = {"rich_text", "context", "actions"}
    blocks = RENDERER.render_blocks(ANSWER, native=False).blocks

    assert classic == {block["type"] for block in blocks}


def plain_table(table: Table) -> list[str]:
    """The lines of a table where no native one may be sent."""
    view = ANSWER.model_copy(update={"table": table})
    blocks = RENDERER.render_blocks(view, native=False).blocks
    text: str = of_type(blocks, "rich_text_preformatted")[0]["elements"][0]["text"]
    return text.split("\n")


def rows(count: int, columns: int, **more: object) -> Table:
    """A table of so many rows, each a name and figures."""
    names = tuple(f"Column {n}" for n in range(columns))
    figures = tuple(Cell(text=f"${n}.00", value=n) for n in range(1, columns))
    made = tuple((Cell(text=f"Offer {n}"), *figures) for n in range(count))
    return Table(caption="Offers", columns=names, rows=made, **more)


def test_a_plain_table_that_a_phone_holds_is_aligned() -> None:
    """Numbers end in one column, and names begin in one."""
    lines = plain_table(rows(12, 3, winner=1))

    assert lines[0] == "Column 0   Column 1  Column 2"
    assert lines[1] == "─" * len(lines[0])
    assert lines[3] == "★ Offer 1     $1.00     $2.00"
    assert len({len(line) for line in lines}) == 1
    assert lines[-1].startswith("Offer 11 ")


def test_a_plain_table_is_no_wider_than_a_phone() -> None:
    """Each row's name stands alone, its figures below under their heads."""
    lines = plain_table(rows(3, 6, winner=1))
    end = lines.index("─" * PHONE)
    head, body = lines[:end], lines[end + 1 :]

    assert max(map(len, lines)) <= PHONE
    assert head == [
        "Column 0",
        "  Column 1  Column 2  Column 3  Column 4",
        "  Column 5",
    ]
    assert body[:3] == [
        "Offer 0",
        "     $1.00     $2.00     $3.00     $4.00",
        "     $5.00",
    ]
    assert body[3] == "★ Offer 1"
    assert len(body) == 9


def test_a_plain_table_of_words_says_each_behind_its_head() -> None:
    """What holds nothing is left out; a number that names a row keeps its head."""
    cells = [("H100", "$1.99", "Voltage Park", "–"), ("L40S", "–", "–", "a week ago")]
    made = tuple(tuple(Cell(text=text) for text in row) for row in cells)
    columns = ("GPU", "On-demand, cheapest", "from whom", "seen for the last time")
    table = Table(caption="Board", columns=columns, rows=made)
    numbered = tuple((Cell(text=str(n), value=n), *row) for n, row in enumerate(made))
    again = Table(caption="Board", columns=("No.", *columns), rows=numbered)

    assert plain_table(table) == [
        "H100",
        "  On-demand, cheapest: $1.99",
        "  from whom: Voltage Park",
        "L40S",
        "  seen for the last time: a week ago",
    ]
    assert plain_table(again)[:2] == [
        "No. 0",
        "  GPU: H100 · On-demand, cheapest: $1.99",
    ]


def test_a_long_plain_table_of_words_is_as_long_as_there_is_room() -> None:
    """Nobody's nineteenth alert is hidden; of a hundred, those left out are counted."""
    words = tuple(Cell(text=f"as long as {column} words are") for column in range(4))
    made = [(Cell(text=f"Row {n}"), *words) for n in range(100)]
    table = Table(caption="Words", columns=tuple("abcde"), rows=tuple(made[:19]))

    some = plain_table(table)
    many = plain_table(table.model_copy(update={"rows": tuple(made)}))
    named = [line for line in many if line.startswith("Row ")]

    assert [f"Row {n}" for n in range(19)] == [x for x in some if x.startswith("Row")]
    assert many[-1] == f"… {100 - len(named)} more"
    assert 2800 < len("\n".join(many)) < 3020


def test_words_in_a_plain_table_are_never_cut() -> None:
    """Longer than a phone is wide, they stand alone and are broken as words are."""
    said = "TensorDock GeForce RTX 4090 on-demand, eight of them"
    table = rows(2, 4)
    first = (Cell(text="Serving"), Cell(text=said), *table.rows[0][2:])
    lines = plain_table(table.model_copy(update={"rows": (first, table.rows[1])}))

    assert f"  {said}" in lines
    assert "  Column 1" in lines


def test_a_long_plain_table_shows_its_first_page_and_the_winner() -> None:
    """What is not shown is counted."""
    lines = plain_table(rows(25, 6, winner=20, shown=7))

    assert [f"Offer {n}" for n in range(9)] == [x for x in lines if x[:5] == "Offer"]
    assert "★ Offer 20" in lines
    assert lines[-1] == "… 15 more"


def test_a_plain_chart_is_no_wider_than_a_phone() -> None:
    """A sparkline's ends stand below it, and bars are as long as there is room."""
    names = tuple(f"2026-{month:02}-01" for month in range(1, 13))
    values = Series(name="Google Cloud H100", values=tuple(range(1000, 1012)))
    for kind in ("line", "bar"):
        chart = Chart(kind=kind, title="Dollars", categories=names, series=(values,))
        view = ANSWER.model_copy(update={"charts": (chart,), "table": None})
        blocks = RENDERER.render_blocks(view, native=False).blocks
        text = of_type(blocks, "rich_text_preformatted")[0]["elements"][0]["text"]

        assert "1,011" in text
        assert max(map(len, text.split("\n"))) <= PHONE


def test_plain_assumptions_are_said_once() -> None:
    """Nothing folds them there: the list has the values, the buttons the names."""
    blocks = RENDERER.render_blocks(ANSWER, native=False).blocks
    chip = ANSWER.chips[0]
    labels = [each["text"]["text"] for each in of_type(blocks, "button")]

    assert f"{chip.label}…" in labels
    assert not [label for label in labels if chip.value in label]


def test_examples_are_buttons_that_carry_their_question() -> None:
    """A hint's examples can be pressed."""
    buttons = of_type(RENDERER.render_blocks(HINT).blocks, "button")

    assert list(HINT.examples) == [button["value"] for button in buttons]
    assert len({button["action_id"] for button in buttons}) == len(buttons)
    assert all(button["action_id"].startswith("ask:") for button in buttons)


def test_assumptions_are_buttons_in_a_folded_container() -> None:
    """Each chip names its answer and field; more than 25 take another row."""
    chip = Chip(field="f", label="Label", value="v", why="because")
    view = ANSWER.model_copy(update={"chips": (chip,) * 30})

    container = of_type(RENDERER.render_blocks(view).blocks, "container")[0]
    rows = of_type(container, "actions")

    lengths = [25, 5]
    assert lengths == [len(row["elements"]) for row in rows]
    assert all(b["value"] == "k7f2q9 f" for b in of_type(rows, "button"))
    assert container["default_collapsed"]


def test_an_answer_names_itself_once() -> None:
    """Id and question stand in the footer, the id where nothing else carries it."""
    alone = ANSWER.model_copy(update={"actions": ()})
    said = alone.model_copy(update={"small_print": ("Answer k7f2q9",)})

    first, second, third = (
        every_text(RENDERER.render_blocks(view).blocks)
        for view in (alone, said, ANSWER)
    )

    assert any("Answer k7f2q9 · 70b inference 50rps" in text for text in first)
    assert "Answer k7f2q9 · 70b inference 50rps" in second
    assert not any("Answer k7f2q9" in text for text in third)


def test_an_error_shows_its_reference() -> None:
    """Blocks and text of an error carry what the log is searched for."""
    message = RENDERER.render_blocks(ERROR)

    assert "Reference deadbeef" in every_text(message.blocks)
    assert message.text.endswith("Reference deadbeef")


def test_sources_are_links_and_nothing_else_is() -> None:
    """A URL becomes a link named by its host, without its full stop."""
    blocks = RENDERER.render_blocks(ANSWER).blocks

    expected = [
        "<https://www.runpod.io/pricing|runpod.io>",
        "<https://lambda.ai/x|lambda.ai>",
    ]
    assert expected == [text["text"] for text in of_type(blocks, "mrkdwn")]


def test_a_shared_answer_says_who_asked_what() -> None:
    """The first line of a shared answer names the sharer and the question."""
    message = RENDERER.render_blocks(ANSWER, sharer="U1")

    expected = [
        {"type": "user", "user_id": "U1"},
        {"type": "text", "text": " asked: 70b inference 50rps"},
    ]
    check_message(message.blocks, message.text)
    assert expected == message.blocks[0]["elements"][0]["elements"]


def test_a_long_table_keeps_its_winner_and_counts_what_it_hides() -> None:
    """Of 300 rows at most 100 are sent, the winner among them."""
    rows = tuple((Cell(text=f"offer {n}"), Cell(text="1", value=1)) for n in range(300))
    table = Table(caption="all", columns=("a", "b"), rows=rows, winner=299)
    view = NO.model_copy(update={"table": table})

    message = RENDERER.render_blocks(view)
    drawn = of_type(message.blocks, "data_table")[0]

    check_message(message.blocks, message.text)
    assert len(drawn["rows"]) == 101
    assert drawn["rows"][-1][0]["text"] == "★ offer 299"
    assert "200 more not shown" in every_text(message.blocks)


def test_a_table_without_rows_still_says_what_was_rejected() -> None:
    """An empty table leaves no empty block, and keeps its note."""
    view = NO.model_copy(update={"table": TABLE.model_copy(update={"rows": ()})})

    message = RENDERER.render_blocks(view)

    check_message(message.blocks, message.text)
    assert TABLE.note in every_text(message.blocks)
    assert not of_type(message.blocks, "data_table")


def test_a_button_whose_value_is_too_long_is_left_out() -> None:
    """A cut value would ask another question: better no button."""
    long = Action(id="ask:0", label="long", value="x" * 2001)
    view = CLARIFY.model_copy(update={"actions": (long, *CLARIFY.actions)})

    buttons = of_type(RENDERER.render_blocks(view).blocks, "button")

    expected = [action.label for action in CLARIFY.actions]
    assert expected == [button["text"]["text"] for button in buttons]
