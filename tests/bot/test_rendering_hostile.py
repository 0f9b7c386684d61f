"""No text from outside becomes markup, breaks a message or is too long for one."""

import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.render.block_limits import distinct
from bot.render.plot import bar, sparkline
from bot.render.rendering import RenderedMessage, Renderer
from bot.render.sanitize import clip, one_line, units
from bot.render.views import (
    Action,
    AnswerView,
    Cell,
    Chart,
    Chip,
    Lever,
    Series,
    Table,
)
from tests.bot.blocks import check_message, every_text, of_type

RENDERER = Renderer()
LINK = re.compile(r"<https?://[^<>|]+\|[^<>|]+>")

HOSTILE = (
    "<!channel> <!here|here> <!subteam^S1>",
    "<@U1> <#C1|general> @here #general",
    "<https://evil.example|your bank>",
    "https://evil.example/<@U1>?a=1&b=2|x",
    "`code` ```block``` *bold* _it_ ~no~ > quote :tada: &lt;!channel&gt;",
    '"}], "type": "mrkdwn", "x": "{{ view.id }} {% raw %}',
    "\x1b[31mred\x07\r\n\x00\u202egnol\u2066 \u2028 line",
    "😀👩‍👩‍👧 𝕳100 " * 40,
    "مرحبا שלום " * 30,
    "x" * 4000,
    "😀" * 4000,
    "&<>" * 1400,
    "",
    " \n\t ",
)


def full_of(text: str, many: int = 3) -> AnswerView:
    """Put one text into every field that a view has."""
    cell = Cell(text=text, value=1.5)
    series = Series(name=text, values=(1.0, 2.0))
    chart = Chart(
        kind="bar",
        title=text,
        categories=(text, text),
        series=(series, series),
        x_label=text,
        y_label=text,
    )
    return AnswerView(
        kind="answer",
        id=text,
        question=text,
        verdict=text,
        why=text,
        table=Table(
            caption=text,
            columns=(text,) * 8,
            rows=((cell,) * 8,) * 40,
            winner=30,
            note=text,
        ),
        charts=(chart,) * many,
        levers=(Lever(text=text, difference=text, note=text),) * many,
        chips=(Chip(field=text, label=text, value=text, why=text),) * many * 10,
        notes=(text,) * many,
        examples=(text,) * many,
        small_print=(text,) * many,
        actions=(Action(id=text, label=text, value=text),) * many,
    )


def check_inert(message: RenderedMessage) -> None:
    """Assert that nothing but a plain link to itself could be read as markup."""
    check_message(message.blocks, message.text)
    assert units(message.text) <= 4000
    assert not set(message.text) & set("<>")
    for text in of_type(message.blocks, "mrkdwn"):
        assert LINK.fullmatch(text["text"])
    shown = {block["type"] for block in _typed(message.blocks)}
    assert not shown & {"user", "usergroup", "channel", "broadcast", "emoji", "link"}


def _typed(piece: Any) -> list[dict[str, Any]]:
    if isinstance(piece, dict):
        own = [piece] if "type" in piece else []
        return own + [hit for value in piece.values() for hit in _typed(value)]
    return [hit for i in piece for hit in _typed(i)] if isinstance(piece, list) else []


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_in_every_field_stays_text(text: str, native: bool) -> None:
    """Mentions, links, back-ticks, control characters and floods are only shown."""
    message = RENDERER.render_blocks(full_of(text), native)

    check_inert(message)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_control_character_is_shown(text: str) -> None:
    """Terminal escapes and bidirectional overrides are gone from every text."""
    view = full_of(text).model_copy(update={"actions": (), "chips": ()})

    message = RENDERER.render_blocks(view)
    shown = "".join(every_text(message.blocks)) + message.text

    assert not [
        character
        for character in shown.replace("\n", "")
        if unicodedata.category(character) == "Cc"
        or unicodedata.bidirectional(character) in {"RLO", "LRO", "RLE", "LRE", "RLI"}
    ]


def test_a_mention_in_a_verdict_calls_nobody() -> None:
    """It is still readable: escaped in text, in blocks without what would call."""
    words = "<!channel> & co"
    again = Action(id="ask:0", label=f"{words} <@U1>", value=f"{words} <#C1>")
    view = AnswerView(kind="no", id="a", question="q", verdict=words, actions=(again,))

    message = RENDERER.render_blocks(view)

    assert of_type(message.blocks, "text")[0]["text"] == "‹!channel> & co"
    assert not re.search("<[!@#]", json.dumps(message.blocks))
    assert message.text.startswith("&lt;!channel&gt; &amp; co")


def test_a_flood_in_every_field_is_cut_to_one_message() -> None:
    """However much is said, one message carries it, the verdict first."""
    view = full_of("word " * 800, many=30)

    message = RENDERER.render_blocks(view)

    check_inert(message)
    assert message.blocks[0]["elements"][0]["elements"][0]["text"].startswith("word")


texts = st.one_of(
    st.text(max_size=40), st.sampled_from(HOSTILE), st.text(min_size=100, max_size=400)
)
numbers = st.one_of(st.none(), st.floats(), st.floats(-1e6, 1e6))
cells = st.builds(Cell, text=texts, value=numbers)
tables = st.builds(
    Table,
    caption=texts,
    columns=st.lists(texts, max_size=25).map(tuple),
    rows=st.lists(st.lists(cells, max_size=5).map(tuple), max_size=8).map(tuple),
    winner=st.one_of(st.none(), st.integers(-3, 12)),
    shown=st.integers(-5, 200),
    note=texts,
)
series = st.builds(
    Series, name=texts, values=st.lists(st.floats(), max_size=25).map(tuple)
)
charts = st.builds(
    Chart,
    kind=st.sampled_from(["line", "bar"]),
    title=texts,
    categories=st.lists(texts, max_size=25).map(tuple),
    series=st.lists(series, max_size=8).map(tuple),
    x_label=texts,
    y_label=texts,
)


def several(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw a tuple of a few."""
    return st.lists(strategy, max_size=4).map(tuple)


views = st.builds(
    AnswerView,
    kind=st.sampled_from(["answer", "no", "clarify", "hint", "help", "error"]),
    id=texts,
    question=texts,
    verdict=texts,
    why=texts,
    table=st.one_of(st.none(), tables),
    charts=several(charts),
    levers=several(st.builds(Lever, text=texts, difference=texts, note=texts)),
    chips=several(st.builds(Chip, field=texts, label=texts, value=texts, why=texts)),
    notes=several(texts),
    examples=several(texts),
    small_print=several(texts),
    actions=several(
        st.builds(
            Action,
            id=texts,
            label=texts,
            value=texts,
            style=st.sampled_from([None, "primary", "danger"]),
        )
    ),
)


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(view=views, native=st.booleans())
def test_any_view_is_a_valid_inert_message(view: AnswerView, native: bool) -> None:
    """Whatever a view holds, Slack takes the message and runs nothing in it."""
    check_inert(RENDERER.render_blocks(view, native))


@given(text=texts, limit=st.integers(1, 500))
def test_clipping_never_exceeds_the_limit(text: str, limit: int) -> None:
    """A clipped text is within its limit, and whole when it already was."""
    clipped = clip(text, limit)

    assert units(clipped) <= limit
    assert clipped == text or units(text) > limit


@given(names=st.lists(texts, max_size=30))
def test_names_become_distinct(names: list[str]) -> None:
    """Chart labels are unique, short and never empty, however alike they began."""
    labels = distinct(names, 20)

    assert len(names) == len(set(labels)) == len(labels)
    assert all(0 < units(label) <= 20 for label in labels)


@given(text=texts)
def test_one_line_is_one_line(text: str) -> None:
    """No line break of any script survives."""
    assert len(one_line(text).splitlines()) <= 1


@given(values=st.lists(st.floats(-1e308, 1e308), min_size=1, max_size=20))
def test_a_sparkline_has_one_mark_for_each_value(values: list[float]) -> None:
    """Any finite values can be drawn, the largest at the top."""
    drawn = sparkline(values)

    assert len(values) == len(drawn)
    assert drawn[values.index(max(values))] == max(drawn)


@given(value=st.floats(0, 1e9), largest=st.floats(1, 1e9))
def test_a_bar_never_exceeds_its_width(value: float, largest: float) -> None:
    """A bar fits the room it is given."""
    assert len(bar(min(value, largest), largest, 30)) <= 30
