"""The notebook of the rules: what is left to read, and what was read so far."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from bot.language.catalogue import Catalogue
from bot.language.grammar import BITS, CODES, USED, compiled
from bot.language.items import Item
from bot.language.replaced import FORGOTTEN, REPLACES
from bot.language.stance import WHY, Stance, heard
from bot.language.vocabulary import phrases
from core.patterns import regex
from core.query import Use

Match = re.Match[str]
Rule = Callable[["Reading"], None]
NEEDS: dict[Rule, list[int]] = {}
"""The sets of concepts of which a rule needs one each, as bits; others need none."""


def needs(*sets: str) -> Callable[[Rule], Rule]:
    """Call a rule only where a concept of each set stands: it finds nothing else."""

    def noted(rule: Rule) -> Rule:
        NEEDS[rule] = [sum(BITS[name] for name in one.split()) for one in sets]
        return rule

    return noted


Edit = tuple[int, int, str]
"""Where in the plain text to write what: it turns a question into a clearer one."""
APPEND = -1


class Doubt(Struct, frozen=True):
    """What must be asked back, about which fields, and likely readings."""

    question: str
    about: tuple[str, ...]
    choices: tuple[Edit, ...] = ()


class Note(Struct, frozen=True):
    """A value and the items it was read from."""

    value: Any
    start: int
    end: int


_STRONG = regex(r"[;|\n?!]|\.(?=\s|$)|\s-\s|—|--")
_BRACKET = regex(r"[()\[\]{}]")
_COMMA = regex(r"[,+·•/]")
_RATED = regex(r"\d\s?(?:rps|qps|req\S*|requests? (?:per|a) \w+)\s+$")
"""A rate right before a word of averages: the word is said of it."""
_WATTS = regex(r"\s?k?w(?:atts?)?\b(?!/)")
_KINDS_OF_GPU = frozenset(
    "owned own used new existing dedicated our idle rented spare more dev test staging "
    "production prod lab office training old free available vacant leftover surplus "
    "unallocated brand freie freien ungenutzte ungenutzten "
    "ubrige".split()
)
_LOOKED_BACK = regex(
    r"\b(?:last|past|previous)\s+(?:\d+\s*)?"
    r"(?:[dh]|days?|hours?|weeks?|months?|years?)\b"
)
_TELLS_LOAD = frozenset("NUM NUMB NUMT XCOUNT DUPLEX HALF MULTIPLE FACTOR PCT".split())
_KEYS = frozenset(
    "IN OUT CTX TIME USER CONC GPUWORD COUNTKEY BUDGET PEAK TTFT TPOT LAT E2E EPOCH "
    "RANK "
    "STEP BATCHSIZE BATCH SEQLEN SAMPLE PARAMS CACHE UTIL MODEL".split()
)
"""Words before "=" or ":" that are keys of a number."""
_APART = regex(r"[,;.\d]|--|—")
_NEAR_AVERAGE = 14
_UNITS = frozenset(
    "CTX TIME PCT REQ DOC USER CONC TOK GB CUR EPOCH STEP SAMPLE TIMES GPU "
    "GPUWORD NODE".split()
)
_ELIDED = 20
"""Letters between a word that plans and a number whose unit is left out."""
_NEAR_TODAY = 6
"""Letters between such a number and a word of today, on either side of it."""
_DENIED = 3
"""Words of no meaning over which a "not" reaches to a phrase: "not yet in real use"."""
_LINKS = frozenset("W ON IN NEED HAVE USED ALL".split())
_TURN = regex(r"[,;:.?!|\n]|\b(?:and|but)\b")
_QUESTIONS = frozenset(("wanted", "techniques"))
"""What is asked stays asked where it is negated: "why not batching"."""
_LAST = regex(r"\s*(?:in )?last (month|year)\b")
_LOADS = frozenset("rps peak_rps users concurrency requests_per_day".split())
_LENGTHS = frozenset("input_tokens output_tokens total_tokens_per_request".split())
_LENGTH = compiled("NUM [TOK IN OUT]|[IN OUT] W? NUM")
_LOAD = compiled("[REQ TOK IMAGE VIDEO DOC W] PER TIME")
_PEOPLE = compiled("NUM W? USER")
_RATE = compiled("[REQ DOC] PER <t>TIME")
_RATE_AHEAD = compiled("PER <t>TIME AMT [REQ DOC] (?!PER)")
""" "峰值每秒120次请求"."""
_OF_A_TEST = frozenset("OFFLINE BATCH REALTIME CAPACITY".split())
"""Of the work that was measured or told of, not of what is wanted."""
_SAME = regex(
    r"\b(?:same|that|this|today's|current) (?:load|traffic|rate|volume|demand)\b"
    r"|\b(?:take|use|treat|plan for|size for|assume) (?:that|this|it)\b"
)
_GIVEN = frozenset("CAPACITY FIT OK IDLE".split())
"""What is asked of hardware in hand."""
_OF_IT = regex(
    r"\b(?:can|could|will|would)\s+(?:[\w']+\s+){1,2}of (?:them|those|these)\b|"
    r"\b(?:can|could|will|would|do|does)\s+(?:they|it|this|that|those|these|we|i|the|one)\b"
)
_IS_IT = regex(
    r"\bis (?:that|this|it)\b|\bsanity check\b|(?<!n't )(?<!not )\bbelieve\b|"
    r"\bhow many more\b"
)
"""Asks something of what was named before."""
_NUMBERS = frozenset(("NUM", "NUMB", "NUMT"))
_CLASS = {
    **dict.fromkeys(("GPU", "INSTANCE"), "hardware"),
    **dict.fromkeys(("MODELNAME", "NUMB"), "model"),
    **dict.fromkeys(("REQ", "USER", "CONC", "TOK"), "load"),
    **dict.fromkeys(("TRAIN", "FINETUNE", "METHOD", "LIFE", "EPOCH", "STEP"), "run"),
    "PROVIDER": "seller",
    "APINAME": "api",
    **dict.fromkeys(("HOWMANY", "HOWMUCH", "NEED", "COST", "CANI", "HOWLONG"), "asked"),
    "CUR": "sum",
}
"""What is told of, by which the past is held against today."""
_POINTS_BACK = regex(
    r"\b(?:same|that (?:load|setup|cluster|box|rate)|those|of them|these|as before|"
    r"(?:is|are|would|will|could|can|does|do) (?:that|this|it|they)\b|"
    r"replace\w*|compared? (?:to|with)|versus|vs|than|have cost)\b"
    r"|[这那此]\s?\d|[그이] \d|[そこ]の"
)
_COUNTED = frozenset(
    "TIME GPU TIMES GPUWORD NODE CUR PCT USER CONC REQ EPOCH STEP PARAMS ACTIVE PER "
    "MODEL GB COUNTER DUPLEX TOK DOC SAMPLE IMAGE VIDEO AUDIO IN OUT CTX PREC DATA "
    "NUM MODELNAME".split()
)


_NO_MATCH: Iterator[Match] = iter(())


_LONGEST_RATE = 40
_SHORT = regex(
    r"\b(?:no|nr|ca|vs|approx|incl|max|min|avg|e\.g|i\.e|z\.b|tys|тыс|bzw|ok)$"
)


def _abbreviated(plain: str, end: int, gap: str) -> bool:
    """Whether the full stop of a gap only shortens the word: "ca. 1.800 tokens"."""
    stop = gap.find(".")
    if stop < 0 or _STRONG.search(gap[:stop] + gap[stop + 1 :]):
        return False
    return _SHORT.search(plain[max(0, end + stop - 8) : end + stop]) is not None


class Reading:
    """The row of meanings; a rule takes what it understands out of it."""

    def __init__(
        self,
        items: list[Item],
        catalogue: Catalogue,
        kind: str | None = None,
        plain: str = "",
    ) -> None:
        self.items = items
        self.at_first = [(one.concept, one.value) for one in items]
        """What they were before any was read as something else."""
        self.plain = plain
        """The text that the items stand in, lower-case."""
        self.catalogue = catalogue
        self.kind = kind
        """The kind of work that a thread is about, for what follows in it."""
        self._heard = heard(plain)
        self.stances: tuple[Stance, ...] = self._heard.stances
        """Where something is said that is not wanted now."""
        self.past_times: set[str] = set()
        """The times of rates that are not wanted any more."""
        self._take_back()
        self.line = "".join([CODES[item.concept] for item in items])
        self.whole = self.line
        """The same, with what is crossed out of `line` still in it."""
        self.seen = frozenset(item.concept for item in items)
        self.fields: dict[str, Any] = {}
        self.spans: dict[str, list[tuple[int, int]]] = {}
        """Where in the plain text a field was read, by its name."""
        self.doubts: list[Doubt] = []
        self.aims: Mapping[str, str | None] = {}
        """The intent and the kind of work, where a second look is sure of them."""
        self.wanted: str | None = None
        self.use_case: Use | None = None
        self.aside: dict[str, Any] = {}
        """What is no field of the workload: rivals, words, the currency of a spend."""
        self.beside: dict[str, float] = {}
        """What is to be counted beside rented GPU-hours, as fields of `Beside`."""
        self.life: dict[str, Any] = {}
        """What is said of a model's training beside the run, as fields of `Life`."""
        self.unknown: list[tuple[str, str, tuple[str, ...]]] = []
        self.notes: dict[str, list[Note]] = {}
        """What was read of numbers and is worked out later, by its name."""
        self.taken: list[int] = []
        """The items that were crossed out, in the order of reading."""
        self.described: set[int] = set()
        """Words that only say what a counted thing is like: they were understood."""
        self.weak: dict[str, tuple[int, int]] = {}
        """Fields that only a paste or a quote states, and where in the message."""
        self.expect: tuple[str, ...] = ()
        self.heard: frozenset[str] = frozenset()
        """Concepts of its thread, which need not stand in the text again."""
        self.threaded = False
        """Whether it goes on from a question: then half of one is in scope."""
        """The fields that a number of no unit means."""
        self.learning: tuple[str, frozenset[str], str | None, bool] | None = None
        """Whether weights are changed, and of which row, concepts and kind it holds."""
        self.hints: frozenset[str] = frozenset()
        """What a paste says of the work."""
        self.pasted_unused: tuple[tuple[int, int, str], ...] = ()
        self.left: list[tuple[int, int, str]] = []
        """What was understood and is not taken into account, and why."""
        self._places: dict[str, list[int]] | None = None
        self._times: set[str] | None = None
        self._boundaries: tuple[tuple[int, int, int], ...] | None = None

    def _take_back(self) -> None:
        """Read nothing of what is taken back, but by which time it counted."""
        kept = [one for one in self.stances if not self._is_a_swap(one)]
        kept += [
            Stance(item.start, item.end, "retracted")
            for item in self.items
            if item.value == FORGOTTEN
        ]
        self.stances = (*kept, *self._outlived())
        gone = [
            s for s in self.stances if s.kind in ("retracted", "elsewhere", "outlived")
        ]
        heard = [s for s in self.stances if s.kind in ("measured", "quoted")]
        for item in self.items if heard else ():
            if item.concept in _OF_A_TEST and any(
                s.start <= item.start < s.end for s in heard
            ):
                item.concept, item.value = "W", None
        if not gone:
            return
        line = "".join(CODES[item.concept] for item in self.items)
        self.past_times = {
            self.items[match.start("t")].value for match in _RATE.finditer(line)
        }
        for item in self.items:
            if any(s.start <= item.start < s.end for s in gone):
                item.concept, item.value = "W", None

    def _is_a_swap(self, stance: Stance) -> bool:
        """Whether only a name is taken back, for which another stands now."""
        return stance.kind == "retracted" and any(
            item.suffix == REPLACES and item.start <= stance.end <= item.end
            for item in self.items
        )

    def _outlived(self) -> Iterator[Stance]:
        """What was, where the rest of the text says what is to be: nothing is wanted.

        The rest has a model of its own where the past had one, and points back to
        nothing; hardware, sellers and sums of the past are none of today's.
        """
        told = [  # "no T4, our boss said no" is kept
            (start, end)
            for start, end in self._heard.past
            if self.concept_at(bisect_left(self.starts, start)) != "NOT"
        ]
        if not told or _POINTS_BACK.search(self.plain):
            return

        def of(inside: bool) -> set[str]:
            return {
                _CLASS[item.concept]
                for item in self.items
                if item.concept in _CLASS
                and any(a <= item.start < b for a, b in told) is inside
            }

        was, now = of(True), of(False)
        sized = now & {"load", "model"} or not was & {"hardware"} - now
        left = was - now - {"asked"}
        done = {"run"} if "load" in now and "sum" not in was else set()
        if was - {"asked"} and sized and left <= {"hardware", "seller", "sum"} | done:
            yield from (Stance(a, b, "outlived") for a, b in told)

    @cached_property
    def starts(self) -> list[int]:
        """Where each item starts in the plain text."""
        return [item.start for item in self.items]

    def has(self, *concepts: str) -> bool:
        """Whether any of these concepts stands anywhere in the question."""
        return not self.seen.isdisjoint(concepts)

    def stated(self, *fields: str) -> bool:
        """Whether any of these fields was read."""
        return not self.fields.keys().isdisjoint(fields)

    def all(self, concept: str) -> list[Item]:
        """Every item of a concept, read or not."""
        if concept not in self.seen:
            return []
        return [self.items[index] for index in self._index().get(concept, ())]

    def places(self, *concepts: str) -> list[int]:
        """Where these concepts stand, read or not."""
        if self.seen.isdisjoint(concepts):
            return []
        if len(concepts) == 1:
            return self._index().get(concepts[0], [])[:]
        return sorted(i for one in concepts for i in self._index().get(one, ()))

    def _index(self) -> dict[str, list[int]]:
        """The places of every concept."""
        if self._places is None:
            self._places = {}
            for index, item in enumerate(self.items):
                self._places.setdefault(item.concept, []).append(index)
        return self._places

    def become(self, index: int, concept: str, value: str) -> None:
        """Read one item as another concept after all."""
        self._places = None
        self.items[index].concept, self.items[index].value = concept, value
        self.seen = self.heard.union([item.concept for item in self.items])
        code = CODES[concept]
        self.line = self.line[:index] + code + self.line[index + 1 :]
        self.whole = self.whole[:index] + code + self.whole[index + 1 :]

    def find(
        self, *patterns: str, start: int = 0, end: int | None = None
    ) -> Iterator[Match]:
        """Find patterns in what is still unread, the first pattern first."""
        last = len(self.line) if end is None else end
        for at, pattern in enumerate(patterns):
            if compiled(pattern).search(self.line, start, last) is not None:
                return self._each(patterns[at:], start, last)
        return _NO_MATCH  # as most patterns are in no message

    def _each(
        self, patterns: tuple[str, ...], start: int, last: int
    ) -> Iterator[Match]:
        for pattern in patterns:
            shape, at = compiled(pattern), start
            while (match := shape.search(self.line, at, last)) is not None:
                yield match
                at = match.start() + 1

    def first(self, *patterns: str) -> Match | None:
        """Find the first place where one of the patterns holds."""
        for pattern in patterns:
            if (match := compiled(pattern).search(self.line)) is not None:
                return match
        return None

    def item(self, match: Match, group: str) -> Item:
        """The item that a named part of a pattern stands on."""
        return self.items[match.start(group)]

    def value(self, match: Match, group: str = "n") -> Any:
        """The value of the item that a named part of a pattern stands on."""
        return self.items[match.start(group)].value

    def concepts(self, match: Match) -> set[str]:
        """The concepts that a match stands on, read or not."""
        return {self.items[index].concept for index in range(*match.span())}

    def between(self, index: int) -> str:
        """The text between an item and the one before it."""
        before = self.items[index - 1].end if index else 0
        return self.plain[before : self.items[index].start]

    def concept_at(self, index: int) -> str:
        """The concept at a place, or nothing behind the end."""
        return self.items[index].concept if 0 <= index < len(self.items) else ""

    # -- what the numbers are read by --------------------------------------------------

    def crossed(self, start: int, end: int, weight: Mapping[str, float]) -> float:
        """What the boundaries between the items of a stretch cost."""
        if self._boundaries is None:
            self._boundaries = tuple(self._count_boundaries())
        first, last = self._boundaries[start], self._boundaries[end - 1]
        return (
            weight["comma"] * (last[0] - first[0])
            + weight["bracket"] * (last[1] - first[1])
            + weight["strong"] * (last[2] - first[2])
        )

    def _count_boundaries(self) -> Iterator[tuple[int, int, int]]:
        comma = bracket = strong = end = 0
        for item in self.items:
            gap = self.plain[end : item.start] if end else ""
            if gap and gap != " ":
                if _STRONG.search(gap) and not _abbreviated(self.plain, end, gap):
                    strong += 1
                elif _BRACKET.search(gap):
                    bracket += 1
                elif _COMMA.search(gap):
                    comma += 1
            end = max(end, item.end)
            yield comma, bracket, strong

    def muted(self, match: Match, fields: Mapping[str, Any]) -> str | None:
        """Who says it, or how, where that keeps a match from filling its fields."""
        start = self.items[match.start()].start
        for one in self.stances:
            if one.start <= start < one.end and any(map(one.mutes, fields)):
                sizes = any(field.startswith("params_b") for field in fields)
                if sizes and not self._sized_elsewhere(match):
                    continue
                loads = fields.keys() <= _LOADS
                if loads and (self._only_load or _SAME.search(self.plain)):
                    continue
                seen = one.kind == "measured" and fields.keys() <= _LENGTHS
                if seen and (self._only_load or not self._lengths_outside(one)):
                    continue
                counts = all(field.startswith("count") for field in fields)
                if counts and (self._is_asked_of or not self.is_service()):
                    continue
                return WHY[one.kind]
        return None

    def settled_numbers(self) -> Iterator[int]:
        """The numbers of no unit right behind a word that something was decided."""
        for cue in self._heard.settled:
            index = bisect_left(self.starts, cue)
            near = index < len(self.items) and self.starts[index] - cue <= _ELIDED
            if near and self.items[index].concept == "NUM":
                yield index

    def counts_alike(self, one: int, other: int) -> bool:
        """Whether a number has the unit of another one, or leaves it out."""
        if not self.counts_something(other + 1):
            return True
        units = [self.items[i + 1] for i in (one, other) if i + 1 < len(self.items)]
        return len({(unit.concept, unit.value) for unit in units}) == 1

    def passed(self, match: Match) -> str | None:
        """Why a match may fill no field where another figure of the field stands."""
        start, last = (self.items[i].start for i in (match.start(), match.end() - 1))
        if any(last < cue for cue in self._heard.settled):
            return WHY["retracted"]
        told = ("past", "quoted")
        inside = (s.kind for s in self.stances if s.start <= start < s.end)
        return next((WHY[kind] for kind in inside if kind in told), None)

    @cached_property
    def _only_load(self) -> bool:
        """Whether one rate is told in all and none is planned: then it is the load."""
        other = any(
            self._holds_number(max(a, self.plain.rfind(",", 0, cue)), b)
            for a, b, cue in self._heard.wanted
        )
        other = other or self.has("CONC", "PEAK", "ARROW")
        other = other or _PEOPLE.search(self.whole) is not None
        today = any(
            not any(s.start <= start < s.end for s in self.stances)
            for start, _ in self._heard.today
        )
        return len(self.rates) == 1 and not other and not today

    def _holds_number(self, start: int, end: int) -> bool:
        """Whether a stretch tells of an amount: "should feel instant" of none."""
        return any(
            item.concept in _TELLS_LOAD and start <= item.start < end
            for item in self.items
        )

    def _lengths_outside(self, stance: Stance) -> bool:
        """Whether lengths stand elsewhere too: else those measured are the work's."""
        return any(
            not stance.start <= self.items[found.start()].start < stance.end
            for found in _LENGTH.finditer(self.whole)
        )

    @cached_property
    def _is_asked_of(self) -> bool:
        """Whether something is asked of hardware in hand."""
        if self.has(*_GIVEN):
            return True
        asks = self.has("CANI") and _OF_IT.search(self.plain) is not None
        return asks or _IS_IT.search(self.plain) is not None

    def _sized_elsewhere(self, match: Match) -> bool:
        """Whether another model is told of in a clause of today."""
        others = self.places("NUMB", "MODELNAME")
        return any(
            index != match.start("n")
            and not any(
                s.start <= self.items[index].start < s.end for s in self.stances
            )
            for index in others
        )

    def is_past(self, start: int) -> bool:
        """Whether somebody only said so, or it was once: "in #infra they said"."""
        told = any(a <= start < b for a, b in self._heard.past)
        kinds = ("past", "quoted")
        return told or any(
            s.start <= start < s.end for s in self.stances if s.kind in kinds
        )

    def is_told_of(self, index: int, field: str = "gpu") -> bool:
        """Whether hardware is that of a test, of the past or of others."""
        if field == "gpu" and (not self.is_service() or self._is_asked_of):
            return False
        if not self._told_of(index, field):
            return False
        others = self.places("GPU", "INSTANCE")
        if field == "gpu" and len(others) == 1 and self._is_gone_on_from(index):
            return False  # "our l40s does 900 tok/s, how many for 4,000?"
        weighed = field == "gpu" and len(others) > 1
        return not weighed or not all(self._told_of(i, field) for i in others)

    def _is_gone_on_from(self, index: int) -> bool:
        """Whether a test, or the one setup there was, is what more is asked of."""
        start = self.items[index].start
        inside = [s for s in self.stances if s.start <= start < s.end]
        kinds = {s.kind for s in inside}
        if kinds == {"measured"}:
            return True
        models = [self.items[i].start for i in self.places("MODELNAME", "NUMB")]
        whole = all(any(s.start <= m < s.end for s in inside) for m in models)
        return kinds == {"past"} and bool(models) and whole and self.has("HOWMANY")

    def _told_of(self, index: int, field: str) -> bool:
        start = self.items[index].start
        return any(s.start <= start < s.end and s.mutes(field) for s in self.stances)

    def elided_time(self, index: int) -> str | None:
        """By which time a number counts that leaves its unit to one said before.

        "We did 11 rps last quarter, plan 28": where a word says that it is wanted.
        """
        if not self._is_planned(index) and not self._corrects(index):
            return None
        times = self._times_told
        return next(iter(times)) if len(times) == 1 else None

    @cached_property
    def _times_told(self) -> set[str]:
        """The times of rates that are not wanted, or not any more."""
        return self.past_times | {
            self.items[match.start("t")].value
            for match in _RATE.finditer(self.whole)
            if any(
                s.start <= self.items[match.start()].start < s.end and s.mutes("rps")
                for s in self.stances
            )
        }

    def counts_planned_people(self, index: int) -> bool:
        """Whether a bare number of a plan follows people of today: "… it'll be 900"."""
        if not self._is_planned(index) or self.elided_time(index) is not None:
            return False
        return any(
            s.kind == "today" and s.start <= self.items[found.start()].start < s.end
            for s in self.stances
            for found in _PEOPLE.finditer(self.whole)
        )

    def tells_plans(self) -> bool:
        """Whether any word says of something that it is wanted, or is of today."""
        return bool(self._heard.wanted or self._heard.today)

    def retracts(self) -> bool:
        """Whether anything is taken back."""
        return "retracted" in [stance.kind for stance in self.stances]

    def _is_planned(self, index: int) -> bool:
        """Whether a word says of a number that it is wanted."""
        place, behind = self.items[index].start, self.items[index].end
        wanted = any(0 <= place - cue <= _ELIDED for _, _, cue in self._heard.wanted)
        return wanted or any(
            0 <= place - end <= _NEAR_TODAY or 0 <= start - behind <= _NEAR_TODAY
            for start, end in self._heard.today
        )

    def _corrects(self, index: int) -> bool:
        """Whether a number stands in the words that take another one back."""
        place = self.items[index].start
        factor = self.plain[:place].rstrip().endswith("factor of")
        return not factor and any(
            s.kind == "retracted"
            and 0 <= place - s.end <= 2 * _ELIDED
            and not _STRONG.search(self.plain, s.end, place)
            for s in self.stances
        )

    def is_wanted(self, match: Match) -> bool:
        """Whether the clause of a match says that it is needed or planned."""
        if not self._heard.wanted:
            return False
        start = self.items[match.start()].start
        return any(a <= start < b for a, b, _ in self._heard.wanted)

    def robs(self, match: Match) -> bool:
        """Whether the last number of a match leaves a unit of its own behind."""
        last = match.end() - 1
        return (
            self.items[last].concept in _NUMBERS
            and self.concept_at(last + 1) in _UNITS
            and not self.crossed_at(last + 1)
        )

    def ignores_key(self, match: Match) -> bool:
        """Whether a "key=" stands before the number, or behind what seems its unit."""
        if "EQ" not in self.seen:
            return False
        start = match.start("n" if "n" in match.re.groupindex else 0)
        keyed = (
            start == match.start()
            and self.concept_at(start - 1) == "EQ"
            and self.concept_at(start - 2) in _KEYS
        )
        return keyed or (
            self.concept_at(match.end()) == "EQ"
            and match.end() - 1 != start
            and self.word(match.end()) == "="
        )

    @cached_property
    def rates(self) -> list[str]:
        """The times by which requests are counted in the message."""
        return [
            self.items[match.start("t")].value
            for shape in (_RATE, _RATE_AHEAD)
            for match in shape.finditer(self.whole)
        ]

    def common_time(self) -> str | None:
        """The one time by which requests are counted in the message."""
        if self._times is None:
            self._times = set(self.rates)
        times = self._times
        known = times & {"second", "minute", "hour"}
        return (
            next(iter(known))
            if len(times) == 1 and known
            else (None if times else "second")
        )

    @cached_property
    def averages(self) -> list[tuple[int, int, bool]]:
        """Where words of averages stand, and whether each is said of a rate."""
        return [
            (
                word.start,
                word.end,
                (
                    _RATED.search(
                        self.plain[max(0, word.start - _LONGEST_RATE) : word.start]
                    )
                    is not None
                ),
            )
            for word in phrases("account", "average").find(self.plain)
        ]

    def beside_average(self, index: int) -> bool:
        """Whether a word of averages stands right beside an item."""
        if not self.averages or self._is_led_by_a_peak(index):
            return False
        item = self.items[index]
        return any(
            (
                0 <= start - item.end <= 10
                and not _APART.search(self.plain[item.end : start])
            )
            or (
                0 <= item.start - end <= _NEAR_AVERAGE
                and not self._between(end, index)
                and not (rated and self.concept_at(index + 1) in ("REQ", "PEAK"))
                and not _APART.search(self.plain[end : item.start])
            )
            for start, end, rated in self.averages
        )

    def _is_led_by_a_peak(self, index: int) -> bool:
        """Whether "peak" is said of an item and not of the rate before: "peak 7"."""
        led = self.concept_at(index - 1) == "PEAK" and not self.crossed_at(index)
        return led and self.concept_at(index - 2) != "TIME"

    def _between(self, place: int, index: int) -> bool:
        """Whether a word of a meaning stands between a place and an item."""
        while index and self.items[index - 1].start >= place:
            index -= 1
            if self.items[index].concept not in ("W", "EQ"):
                return True
        return False

    def counts_something(self, index: int) -> bool:
        """Whether an item is one that a number before it would count."""
        return self.concept_at(index) in _COUNTED and not self.crossed_at(index)

    def crossed_at(self, index: int) -> bool:
        """Whether a boundary stands before an item."""
        gap = self.between(index)
        return gap not in ("", " ") and bool(
            _STRONG.search(gap) or _BRACKET.search(gap) or _COMMA.search(gap)
        )

    def between_numbers(self, match: Match) -> str:
        """What is written between the two numbers of a match."""
        first, second = self.item(match, "n"), self.item(match, "m")
        return self.plain[first.end : second.start]

    def word(self, index: int) -> str:
        """An item as it is written."""
        item = self.items[index]
        return self.plain[item.start : item.end]

    def is_service(self) -> bool:
        """Whether requests come by the time, or people are there."""
        timed = self.has("REQ") and compiled("PER TIME").search(self.whole)
        return bool(
            self.has("USER", "CONC", "PEAK") or timed or _LOAD.search(self.whole)
        )

    def last_period(self, index: int) -> str | None:
        """The "last year" right behind an item."""
        end = self.items[index - 1].end
        found = _LAST.match(self.plain, end)
        return found[1] if found else None

    def is_watts(self, index: int) -> bool:
        """Whether the number is one of watts: "700w h100", not "8 w/ h100"."""
        return _WATTS.match(self.plain, self.items[index].end) is not None

    def stands_on(self, match: Match) -> bool:
        """Whether the number runs on the GPU: "serve 50 on h100" counts none."""
        if not match.groupdict().get("g") or match.start("g") < match.start("n"):
            return False
        return "on" in self.between(match.start("g")).split()

    def is_owned(self, index: int) -> bool:
        """Whether a word says whose the GPUs are, or which: "16 owned h200"."""
        word = self.items[index]
        return self.plain[word.start : word.end] in _KINDS_OF_GPU

    def beside_media(self, match: Match) -> bool:
        """Whether the model named is one of images or sound: a size is another's."""
        if {"PARAMS", "MODEL"} & self.concepts(match):
            return False
        named = self.all("MODELNAME")
        return bool(named) and named[0].value.family.modality is not None

    def looks_back(self) -> bool:
        """Whether a time says how far back to look."""
        return _LOOKED_BACK.search(self.plain) is not None

    def ruled_out(self, index: int) -> bool:
        """Whether a word follows a "not", "neither", or stands in such a list."""
        item, before = self.items[index], index - 1
        while before >= 0 and self.items[before].concept in ("OR", "AND", item.concept):
            before -= 1
        return before >= 0 and self.items[before].concept == "NOT"

    def unsaid(self, field: str, start: int) -> bool:
        """Whether a phrase at a place of the plain text is negated or not meant."""
        if any(s.start <= start < s.end and s.mutes(field) for s in self.stances):
            return True
        index = bisect_left(self.starts, start)
        own = self.concept_at(index) == "NOT" and self.items[index].start == start
        for item in reversed(self.items[max(index - 1 - _DENIED, 0) : index]):
            if own and self.plain[item.end : start].strip():
                return False  # "no resellers no …": it says its own "no"
            if _TURN.search(self.plain, item.end, start):
                return False
            if item.concept == "NOT":
                return field not in _QUESTIONS
            if item.end > start or item.concept not in _LINKS:
                return False
        return False

    def leave(self, start: int, end: int, why: str) -> None:
        """Note that items were read and are not taken into account."""
        self.left.append((self.items[start].start, self.items[end - 1].end, why))

    def span(self, field: str, start: int, end: int) -> None:
        """Note one more place from which a field was read."""
        place = self.items[start].start, self.items[end - 1].end
        self.spans.setdefault(field, []).append(place)

    def stretch(self, field: str, start: int, end: int) -> None:
        """Note characters of the plain text from which a field was read."""
        self.spans.setdefault(field, []).append((start, end))

    def note(self, field: str, value: Any, start: int, end: int) -> None:
        """Put a field, or keep for later what is none."""
        name, several, _ = field.partition(":")
        if field.startswith("~") or several:
            self.notes.setdefault(name, []).append(Note(value, start, end))
        else:
            self.put(field, value, start, end)

    def put(self, field: str, value: Any, start: int, end: int) -> None:
        """Note a field that is not yet known, with the items it was read from."""
        if field not in self.fields:
            self.fields[field] = value
            self.spans[field] = []
            self.span(field, start, end)

    def rename(self, old: str, new: str) -> None:
        """Note a field that is known, if it is, under another name."""
        if old in self.fields and new not in self.fields:
            self.fields[new] = self.fields.pop(old)
            self.spans[new] = self.spans.pop(old, [])

    def use(self, start: int, end: int) -> None:
        """Cross items out, so that no later rule reads them again."""
        self.taken.extend(range(start, end))
        self.line = self.line[:start] + USED * (end - start) + self.line[end:]

    def hide(self, index: int) -> None:
        """Make a name mean nothing to later rules: it was told of something else."""
        self.items[index].concept = "W"
        self._places = None

    def inside(self, start: int, end: int) -> list[int]:
        """The items that begin within a stretch of the plain text."""
        return [i for i, one in enumerate(self.items) if start <= one.start < end]

    def use_words(self, match: re.Match[str]) -> None:
        """Cross out the items that begin within a stretch of the plain text."""
        for index in self.inside(*match.span()):
            self.use(index, index + 1)

    def told(self, field: str, match: re.Match[str]) -> None:
        """Note that a stretch of the plain text tells a field, and cross it out."""
        self.stretch(field, *match.span())
        self.use_words(match)

    def leave_words(self, match: re.Match[str], why: str) -> None:
        """Cross out what begins within a stretch, and note that it was not applied."""
        self.use_words(match)
        self.left.append((*match.span(), why))

    def take(self, field: str, value: Any, match: Match) -> None:
        """Note a field and cross out what it was read from."""
        self.put(field, value, match.start(), match.end())
        self.use(match.start(), match.end())

    def doubt(self, question: str, *about: str, choices: tuple[Edit, ...] = ()) -> None:
        """Note that the answer needs one more word from the asker."""
        self.doubts.append(Doubt(question, about, choices))
