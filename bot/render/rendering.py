"""Turn any answer into a Slack message: blocks, and the same in words."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from markupsafe import Markup
from msgspec.json import decode, encode

from bot.render.block_limits import (
    ACTIONS,
    LEVELS,
    WORDS_LEVELS,
    Draft,
    actions,
    drafts,
    without_repeats,
)
from bot.render.plot import drawn, grid, spoken
from bot.render.sanitize import clip, units
from bot.render.views import Action, AnswerView, Cell, Table
from core.frozen import Frozen
from core.patterns import regex
from core.reference.packaged import files
from core.wording import say

if TYPE_CHECKING:
    from jinja2 import Environment, FileSystemLoader

Block = dict[str, Any]

# Undocumented: 13,172 characters passed and 13,297 gave msg_blocks_too_long
# (github.com/slackapi/bolt-js/issues/2509).
MESSAGE_CHARACTERS: Final = 12_500
TABLE_CHARACTERS: Final = 10_000
MESSAGE_BLOCKS: Final = 50
TEXT_CHARACTERS: Final = 4_000
CONTEXT_ELEMENTS: Final = 10
SHORT: Final = 100
"""Characters of a text that is worth keeping as it was written."""
QUOTED: Final = 60
"""Characters of the question below an answer that does not say how it was read."""

ASK: Final = "ask"
CHIP: Final = "chip"
FEEDBACK: Final = "feedback"
FORM: Final = "form"
SHARE: Final = "share"
SHOW: Final = "show"
DETAILS: Final = "details"
VARIANT: Final = "variant"
WATCH: Final = "watch"
WHY: Final = "why"

_URL = regex(r"https?://[^\s<>|\"'`]*[^\s<>|\"'`.,;:)]")
_CALL = regex("<(?=[!@#])")
_UNSHOWN = frozenset({"type", "action_id", "value", "style", "user_id"})


Feedback = Literal["native", "buttons", ""]
"""How readers are asked for an opinion: by Slack's own element, by buttons, not."""


class RenderedMessage(Frozen, frozen=True):
    """What is posted: blocks for the eye, text for everything else."""

    blocks: list[Block]
    text: str


class Part(NamedTuple):
    """A piece of small print: words, or a finished link."""

    text: str = ""
    link: Markup | None = None


class Renderer:
    """Draw answers with the templates; safe to share between threads."""

    def __init__(self) -> None:
        # Compiled now: the first question should not wait for it.
        # So is what that imports: threads that begin together would each compile it.
        self._blocks = block_templates().get_template("slack/answer.json.j2")
        block_templates().get_template("slack/blocks.json.j2")
        self._words = _word_templates().get_template("plain/answer.txt.j2")

    def render_blocks(
        self,
        view: AnswerView,
        native: bool = True,
        sharer: str = "",
        feedback: Feedback = "",
        classic: bool = False,
    ) -> RenderedMessage:
        """Draw the whole answer, or as much as one message holds.

        Without native blocks a table is Slack's older one (`classic`), or characters.
        """
        asked = feedback if is_answer(view) else ""
        view = without_repeats(view)
        draft = drafts(view)
        blocks: list[Block] = []
        for cuts in LEVELS:
            blocks = self._draw(draft(cuts), native, sharer, asked, classic)
            if fits(blocks):
                break
        return RenderedMessage(blocks=blocks, text=self._in_words(draft))

    def render_text(self, view: AnswerView) -> str:
        """Say the whole answer in words, escaped for Slack."""
        return self._in_words(drafts(without_repeats(view)))

    def _in_words(self, draft: Draft) -> str:
        text = ""
        for cuts in WORDS_LEVELS:
            text = self._say(draft(cuts))
            if units(escaped := mrkdwn(text)) <= TEXT_CHARACTERS:
                return escaped
        while units(mrkdwn(text)) > TEXT_CHARACTERS:
            text = clip(text, units(text) * 3 // 4)
        return mrkdwn(text)

    def _draw(
        self,
        view: AnswerView,
        native: bool,
        sharer: str,
        feedback: Feedback,
        classic: bool,
    ) -> list[Block]:
        written = self._blocks.render(
            view=view,
            native=native,
            classic=classic,
            grid=grid(view.table) if view.table and not native else "",
            plots=[] if native else [drawn(chart) for chart in view.charts],
            questions=_questions(view),
            chips=list(_chips(view, native)),
            buttons=actions(
                (*view.actions, *view.variants, *_feedback(view, feedback, "buttons"))
            ),
            verdicts=_feedback(view, feedback, "native"),
            sources=[list(_parts(line)) for line in _small_print(view)],
            sharer=sharer,
        )
        return decode(written, type=list[Block])

    def _say(self, view: AnswerView) -> str:
        plots = [spoken(chart) for chart in view.charts]
        return self._words.render(view=view, plots=plots, footer=footer(view)).strip()


@cache
def block_templates() -> "Environment":
    """Templates of Block Kit: whatever they interpolate comes out as JSON."""
    from jinja2 import Environment, StrictUndefined  # a terminal does without

    blocks = Environment(
        loader=_folder(),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_scalar,
        auto_reload=False,
    )
    blocks.filters["plain"] = _json
    blocks.filters["rows"] = _rows
    return blocks


@cache
def _word_templates() -> "Environment":
    from jinja2 import Environment, StrictUndefined, select_autoescape

    words = Environment(
        loader=_folder(),
        autoescape=select_autoescape(default=False, enabled_extensions=()),
        undefined=StrictUndefined,
        auto_reload=False,
    )
    words.filters["behind"] = _behind
    return words


def _behind(row: Sequence[Cell], columns: Sequence[str]) -> str:
    """A row in a line: its first cell, each other one behind its column's name."""
    rest = zip(columns[1:], row[1:], strict=False)
    return "; ".join([row[0].text, *[f"{name} {cell.text}" for name, cell in rest]])


def _folder() -> "FileSystemLoader":
    from jinja2 import FileSystemLoader

    return FileSystemLoader(str(files("templates")))


def mrkdwn(text: str) -> str:
    """Escape the three characters that start Slack's mentions, links and entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def fits(blocks: Sequence[Block]) -> bool:
    """Tell whether Slack takes this many blocks and characters in one message."""
    if len(blocks) > MESSAGE_BLOCKS:
        return False
    characters = _characters(*blocks)
    if not TABLE_CHARACTERS < characters <= MESSAGE_CHARACTERS:
        return characters <= TABLE_CHARACTERS  # of its tables and of all else
    tables = [block["rows"] for block in blocks if block["type"] == "data_table"]
    return _characters(*tables) <= TABLE_CHARACTERS


def _characters(*pieces: object) -> int:
    """Count the characters that a reader could see."""
    found = [*pieces]
    for piece in found:  # which grows by what each piece holds
        if type(piece) is dict:
            found += [value for name, value in piece.items() if name not in _UNSHOWN]
        elif type(piece) is list:
            found += piece
    return units("".join([piece for piece in found if type(piece) is str]))


def _json(value: object) -> Markup:
    """Write a value as JSON; nothing in it can call a person, a group or a channel.

    Some of Slack's clients and most of its stand-ins read these even in plain text.
    No line ends between a number and its "%".
    """
    return _text(value, False) if isinstance(value, str) else _literal(value)


def _text(text: str, escaped: bool) -> Markup:
    return (_quoted if len(text) <= SHORT else _written)(text, escaped)


def _written(text: str, escaped: bool) -> Markup:
    text = _uncalled(mrkdwn(text) if escaped else text)
    return _literal(text.replace(" %", "\N{NO-BREAK SPACE}%"))


_quoted = lru_cache(maxsize=2048)(_written)
"""A short text as JSON: cells and labels are the same from answer to answer."""


def _uncalled(text: str) -> str:
    return _CALL.sub("‹", text) if "<" in text else text


def _literal(value: object) -> Markup:
    # The value is a JSON literal now: marked so that autoescape leaves its quotes.
    return Markup(encode(value).decode())  # noqa: S704 - it is JSON by now # nosec B704


def _rows(table: Table, numbers: bool = False) -> Markup:
    """A table's rows as JSON, its columns first: hundreds of cells, written at once."""

    def written(cell: Cell) -> Block:
        text = _uncalled(cell.text)
        if cell.value is None or not numbers:
            return {"type": "raw_text", "text": text}
        return {"type": "raw_number", "value": cell.value, "text": text}

    heads = [{"type": "raw_text", "text": _uncalled(one)} for one in table.columns]
    return _literal([heads, *[[written(cell) for cell in row] for row in table.rows]])


def _scalar(value: object) -> Markup:
    """Write any interpolated scalar as JSON, text escaped for mrkdwn."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return _text(value, True)
    if value is None or isinstance(value, bool | int | float):
        return _json(value)
    return _json(str(value))


def is_answer(view: AnswerView) -> bool:
    """Whether a view is an answer of its own, not a hint or an explanation."""
    return bool(view.id) and any(a.id in (SHARE, WHY, FORM) for a in view.actions)


def _feedback(view: AnswerView, wanted: Feedback, form: Feedback) -> list[Action]:
    if wanted != form:
        return []
    return [
        Action(
            id=f"{FEEDBACK}:good",
            label=say("slack.good_answer"),
            value=f"{view.id} good",
        ),
        Action(
            id=f"{FEEDBACK}:bad", label=say("slack.bad_answer"), value=f"{view.id} bad"
        ),
    ]


def _questions(view: AnswerView) -> list[Action]:
    return [
        Action(id=f"{ASK}:{n}", label=clip(question, 75), value=question)
        for n, question in enumerate(view.examples)
    ]


def _chips(view: AnswerView, native: bool) -> Iterator[list[Action]]:
    """Lay one button for each assumption in rows that an actions block holds.

    Unfolded, the values stand right above: the buttons need not say them again.
    """
    chips = [
        Action(
            id=f"{CHIP}:{n}",
            label=f"{chip.label}: {chip.value}" if native else f"{chip.label}…",
            value=f"{view.id} {chip.field}",
        )
        for n, chip in enumerate(view.chips)
    ]
    for start in range(0, len(chips), ACTIONS):
        yield chips[start : start + ACTIONS]


def _parts(line: str) -> Iterable[Part]:
    """Split small print at its URLs, so that only a URL becomes a link."""
    parts: list[Part] = []
    end = 0
    for found in list(_URL.finditer(line))[: CONTEXT_ELEMENTS // 2]:
        parts += [Part(text=line[end : found.start()].strip()), _link(found.group())]
        end = found.end()
    parts.append(Part(text=line[end:].strip()))
    return [part for part in parts if part.text or part.link][:CONTEXT_ELEMENTS]


def _link(url: str) -> Part:
    label = clip(url.split("/")[2].removeprefix("www."), 60)
    return Part(link=_json(f"<{mrkdwn(url)}|{mrkdwn(label)}>"))


def _small_print(view: AnswerView) -> list[str]:
    """The small print, its last line with what to quote; *Why?* carries the id."""
    *lines, last = view.small_print or ("",)
    carried = any(action.id == WHY for action in view.actions)
    return [*lines, " · ".join(filter(None, (last, footer(view, carried))))]


def footer(view: AnswerView, carried: bool = False) -> str:
    """Say what to quote when asking about this answer, or about its failure.

    `carried`: a button below it holds the answer's id already.
    """
    if not view.id:
        return ""
    if view.kind == "error":
        return f"Reference {view.id}"
    said = any(view.id in line for line in view.small_print)
    named = "" if said or carried else f"Answer {view.id}"
    asked = "" if view.read_as else clip(view.question, QUOTED)
    return " · ".join(filter(None, (named, asked)))
