"""The commands of the alerts: `alert a100-80gb spot < 0.90`, `mute b200 until tuesday`.

The words have one meaning or none: what cannot be read is said, with what would do.
"""

import html
import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal

from bot.language.alerts.conditions import Said, read_condition, read_waited
from bot.language.alerts.requests import (
    Adopt,
    Create,
    Mute,
    Problem,
    Remove,
    Request,
    Resume,
    Show,
    Try,
    WatchQuestion,
    Which,
)
from bot.language.alerts.schedules import (
    read_cadence,
    read_until,
)
from bot.language.alerts.subjects import (
    UnknownNameError,
    read_gpus,
    read_selections,
)
from core.alerts.conditions import Direction, Threshold
from core.alerts.subscription import DigestWatch, PriceWatch, StaleWatch
from core.offers import MICRO
from core.patterns import regex
from core.reference.catalogue import Reference
from core.wording import say

EXAMPLES = (
    "alert a100-80gb spot < 0.90",
    "alert mi300x on-demand moves 8%",
    "watch 70b 50rps 10%",
    "digest l40s,h200 weekly mon 8:30 berlin",
)
MANAGING = ("alerts", "alert remove 3", "mute b200 until tuesday", "alert test 3")
CONFIRM = "confirm"
TWO_CONDITIONS = Problem(
    say("alert_questions.that_is_two"),
    say("alert_questions.make_an_alert"),
    EXAMPLES,
)

_MARKS = str.maketrans({
    "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-",
    "\u00a0": " ", "`": "", '"': "",
})  # fmt: skip
_PERCENT = regex(
    r"(?:\s+(?:by|at|moves?|changes?|gets|(?P<down>cheaper|drops?|falls?)|"
    r"(?P<up>dearer|rises?)))*\s+(?P<n>\d+(?:[.,]\d+)?)\s*(?:%|percent|pct)"
    r"(?:\s+(?P<less>cheaper|lower|less(?:\s+expensive)?)|"
    r"\s+(?P<more>dearer|higher|more(?:\s+expensive)?))?$",
    re.IGNORECASE,
)
_WINNER = regex(
    r"[\s,]+(?:(?:or|and|when|whenever|if|on|once)\s+)*(?:(?:its|the|a|of)\s+)*"
    r"(?:(?:another|new|different|other)\s+(?:winner|best(?:\s+offer)?)"
    r"|(?:winner|best(?:\s+offer)?)\s+(?:changes?|flips?|moves?|is\s+another))$",
    re.IGNORECASE,
)
_SPAN = regex(r"\d|an?$|one$|until$")
NO_SOURCE = frozenset(
    "source sources feed feeds price prices stale silent old older than after for in is"
    " are goes go gone gets get any all every the our my or and when if no each which"
    " outdated down alert alerts tell notify ping watch me us fails"
    " fail stops stop some of from"
    .split()
)  # fmt: skip
"""Words around the name of a source."""
_THAN = regex(r"\bthan\s+(?:at\s+|on\s+)?([a-z][\w-]*)", re.IGNORECASE)
_MACHINE = regex(r"(?<![\w.])(\d{1,3})\s*[x×]\s*(?=[a-z])", re.IGNORECASE)
Reader = Callable[[str, Reference, datetime], Request]


def read_request(text: str, reference: Reference, now: datetime) -> Request:
    """Read a command that begins with one of the verbs."""
    # Slack writes < as &lt; in what people type.
    plain = " ".join(html.unescape(text).translate(_MARKS).split())
    verb, _, rest = plain.partition(" ")
    reader = VERBS.get(verb.lower())
    if reader is None:
        return Problem(
            say("alert_questions.is_no_command", verb=verb), examples=EXAMPLES
        )
    try:
        return reader(rest, reference, now)
    except UnknownNameError as fault:
        return Problem(str(fault), "", fault.instead(plain), fault.word)
    except ValueError as fault:
        return Problem(str(fault), examples=EXAMPLES)


def alert(rest: str, reference: Reference, now: datetime) -> Request:
    """Read what follows `alert`: a price to watch, or a command after all."""
    first, _, after = rest.partition(" ")
    if not rest:
        return Show()
    if first.lower() in VERBS and first.lower() not in ("alert", "alerts"):
        return VERBS[first.lower()](after, reference, now)
    return price(rest, reference, now)


def price(rest: str, reference: Reference, now: datetime) -> Request:
    """Read a watch on prices."""
    said = read_condition(rest)
    if said is None:
        return Problem(
            say("alert_questions.when_should_speak"),
            say("alert_questions.for_instance_moves"),
            EXAMPLES,
        )
    if read_condition(said.rest) is not None:
        return TWO_CONDITIONS
    if problem := not_watched(said, rest, reference):
        return problem
    found = read_selections(said.rest, reference, said.measure)
    watch = PriceWatch(selections=found.selections, condition=said.condition)
    return Create(watch, found.notes + said.notes)


def not_watched(said: Said, text: str, reference: Reference) -> Problem | None:
    """Say what no alert waits for, though each of its words is known."""
    other = _THAN.search(text)
    if other and reference.provider(other[1]):
        return Problem(
            say("alert_questions.an_alert_waits"),
            say("alert_questions.name_the_price"),
            ("alert h100 < 2", "alert h100 new low 30d"),
        )
    machine = _MACHINE.search(said.rest)
    if machine is None:
        return None
    examples: tuple[str, ...] = EXAMPLES[:1]
    if isinstance(said.condition, Threshold):
        usd = Decimal(said.condition.amount) / MICRO / int(machine[1])
        sign = "<" if said.condition.op == "below" else ">"
        rest = " ".join(_MACHINE.sub("", said.rest).split())
        examples = (f"alert {rest} {sign} {usd.quantize(Decimal('0.001')):f}",)
    return Problem(
        say("alert_questions.alerts_watch_what"),
        say("alert_questions.divide_the_price", machine=machine[1]),
        examples,
    )


def watch(rest: str, reference: Reference, now: datetime) -> Request:
    """Read what follows `watch`."""
    return read_watch(rest)


def read_watch(rest: str) -> Request:
    """Read a watched workload, and by how much its cost must move, or to what."""
    if waited := read_waited(f" {rest}"):
        question, line, notes = waited
        return WatchQuestion(question, sized=True, line=line, notes=notes)
    rest, winner = without_winner(rest)
    found = _PERCENT.search(f" {rest}")
    question = f" {rest}"[: found.start()].strip() if found else rest
    if not question:
        return Problem(say("alert_questions.what_should_watch"), examples=EXAMPLES[2:3])
    if found is None and winner:
        return WatchQuestion(question, None, sized=True)
    if found is None:
        return WatchQuestion(question)
    percent = float(found["n"].replace(",", "."))
    if not 0 < percent <= 1000:
        return Problem(say("alert_questions.move_is_more"), examples=EXAMPLES[2:3])
    down, up = found["down"] or found["less"], found["up"] or found["more"]
    direction: Direction = "down" if down else "up" if up else "any"
    return WatchQuestion(question, percent, direction, sized=True)


def without_winner(text: str) -> tuple[str, bool]:
    """Take "or its winner changes" off the end of a watch, and tell if it stood there.

    Another winner is always news; said alone, it is the only one.
    """
    rest = _WINNER.sub("", f" {text}").strip()
    return rest, rest != text


def digest(rest: str, reference: Reference, now: datetime) -> Request:
    """Read a digest: of which GPUs, how often, at what local time."""
    found = read_cadence(rest.lower())
    labels = read_gpus(found.rest, reference)
    notes = () if found.zone_said else (say("alert_questions.time_is_utc"),)
    return Create(DigestWatch(labels=labels, cadence=found.cadence), notes)


def stale(rest: str, reference: Reference, now: datetime) -> Request:
    """Read a watch on the sources of prices."""
    words = re.split(r"[\s,]+", rest.lower().strip())
    at = next((i for i, w in enumerate(words) if _SPAN.match(w)), len(words))
    names = dict.fromkeys(w for w in words[:at] if w and w not in NO_SOURCE)
    if not words[at:]:
        return Create(StaleWatch(sources=tuple(names)))
    hours = (read_until(" ".join(words[at:]), now) - now).total_seconds() / 3600
    return Create(StaleWatch(hours=hours, sources=tuple(names)))


def remove(rest: str, reference: Reference, now: datetime) -> Request:
    """Read what to stop watching."""
    words, confirmed = rest.strip(), False
    if words.lower().endswith(f" {CONFIRM}"):
        words, confirmed = words[: -len(CONFIRM)].strip(), True
    which = _which(words)
    if which is None:
        return Problem(
            say("alert_questions.which_ones_number"),
            examples=("alert remove 3", "alert remove h100*", "alert remove all"),
        )
    return Remove(which, confirmed)


def mute(rest: str, reference: Reference, now: datetime) -> Request:
    """Read what should be quiet, and until when."""
    found = re.search(r"\s+(until|till|for)\s+", f" {rest}", re.IGNORECASE)
    if found:
        words = f" {rest}"[: found.start()].strip()
        until = read_until(f" {rest}"[found.start() :].strip().lower(), now)
    else:
        words, _, span = rest.rpartition(" ")
        until = read_until(span.lower(), now)
    which = _which(words or "all")
    if which is None:
        return Problem(say("alert_questions.what_to_mute"), examples=MANAGING[2:3])
    return Mute(which, until)


def unmute(rest: str, reference: Reference, now: datetime) -> Request:
    """Read what may speak again."""
    return Mute(_which(rest or "all") or Which(), None)


def show(rest: str, reference: Reference, now: datetime) -> Request:
    """Read `list`."""
    if rest.strip().lower() in (
        "",
        "alerts",
        "all",
        "here",
        "subscriptions",
        "watches",
        "muted",
    ):
        return Show()
    return Problem(say("alert_questions.list_shows_what"), examples=MANAGING[:1])


def _numbered(asked: str, request: Callable[[int], Request]) -> Reader:
    """Read which subscription is meant, or ask for its number."""

    def read(rest: str, reference: Reference, now: datetime) -> Request:
        number = _number(rest)
        return Problem(asked) if number is None else request(number)

    return read


VERBS: dict[str, Reader] = {
    "alert": alert,
    "alerts": alert,
    "watch": watch,
    "digest": digest,
    "stale": stale,
    "sources": stale,
    "list": show,
    "remove": remove,
    "stop": remove,
    "unsubscribe": remove,
    "mute": mute,
    "snooze": mute,
    "pause": mute,
    "unmute": unmute,
    "test": _numbered(say("alert_questions.which_one_test"), Try),
    "resume": _numbered(say("alert_questions.which_one_resume"), Resume),
    "adopt": _numbered(say("alert_questions.which_one_adopt"), Adopt),
}
"""Every first word that may begin a command; behind `alert`, every second one."""


def _which(words: str) -> Which | None:
    text = re.sub(r"\s+alerts?$", "", words.strip().lower())
    text = re.sub(r"^(?:(?:all|my|the|alerts?|number|no\.?)\s+)+(?=\S)", "", text)
    if text in ("all", "everything", "*", "all alerts", "all my", "all price"):
        return Which()
    listed = [_number(part) for part in re.split(r"[\s,]+", text) if part]
    numbers = tuple(number for number in listed if number is not None)
    if numbers and len(numbers) == len(listed):
        return Which(numbers)
    return Which(pattern=text) if text else None


def _number(text: str) -> int | None:
    found = re.fullmatch(r"#?(\d{1,9})", text.strip())
    return int(found[1]) if found else None
