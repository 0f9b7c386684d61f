"""Turns of phrase that tell what a number is for: busy days, speakers, time allowed.

And which part of the people is there at once.
"""

from itertools import pairwise, zip_longest

from bot.language.items import Item
from bot.language.states import shape
from core.patterns import regex

_CALM = r"normal|ordinary|quiet|usual|typical|average|regular|calm|slow|standard"
_CALM_DAY = shape("phrasing_calm_day")
_BUSY_DAY = shape("phrasing_busy_day")


def busy_days(items: list[Item], plain: str) -> list[Item]:
    """ "On a normal day 18 rps, on sale days up to 70": the second is the peak."""
    calm = _CALM_DAY.search(plain)
    busy = calm and _BUSY_DAY.search(plain)
    if not calm or not busy or any(item.concept == "PEAK" for item in items):
        return items
    inside = [
        i for i, one in enumerate(items) if busy.start() <= one.start < busy.end()
    ]
    at = inside[0] if inside else 0
    if {items[i].concept for i in inside} - {
        "W",
        "TIME",
        "DUR",
        "OVER",
        "PER",
        "A",
        "UTIL",
        "LABEL",
    }:
        return items
    after = [one for one in items[at:] if not busy.start() <= one.start < busy.end()]
    if after[:1] and plain[after[0].start : after[0].end] in ("hit", "hits", "see"):
        del after[0]
    return [*items[:at], Item("PEAK", None, *busy.span()), *after]


_BUSY_TIMES = frozenset(
    "morning mornings noon midday afternoon afternoons evening evenings lunchtime "
    "weekend weekends holidays launch launches payday paydays month-end mittags "
    "morgens abends vormittags nachmittags wochenende wochenenden matin midi soir "
    "manana mediodia tarde mattina mezzogiorno sera manha ochtend middag avond rano "
    "wieczorem weekendy".split()
)
_RISING = frozenset(
    "go goes reach reaches hit hits get gets see sees touch touches come comes".split()
)
_RISES = frozenset(("RISEV", "UNDER", "TARGET"))
_LEADING = frozenset(("IN", "DUR", "ON", "PER"))
"""What stands between a factor and the time at which it holds."""


def busy_times(items: list[Item], plain: str) -> list[Item]:
    """ "6 rps, Fridays go up to 14", "… 4x at noon": the higher rate, a peak."""
    concepts = [item.concept for item in items]
    if not {"TIME", "REQ"} <= set(concepts) or concepts.count("NUM") < 2:
        return items
    for at, item in enumerate(items):
        end = _time_end(item, at, plain)
        if end and item.concept != "PEAK" and _is_multiplied(items, at, end, plain):
            led = at > 0 and items[at - 1].concept in _LEADING
            peak = Item("PEAK", None, items[at - led].start, item.end)
            return [*items[: at - led], peak, *items[end:]]
        if end and "REQ" in concepts[:at] and (last := _risen(items, end, plain)):
            peak = Item("PEAK", None, item.start, items[last - 1].end)
            return [*items[:at], peak, *items[last:]]
    return items


def _time_end(item: Item, at: int, plain: str) -> int:
    """Behind which item a busy time ends: "mondays", "month end"; 0: it is none."""
    said = plain[item.start : item.end]
    if said == "month" and plain[item.end : item.end + 4] in (" end", "-end"):
        return at + 2
    named = item.concept in ("DAYNAME", "PEAK")
    return at + 1 if named or (item.concept == "W" and said in _BUSY_TIMES) else 0


def _is_multiplied(items: list[Item], at: int, end: int, plain: str) -> bool:
    """Whether a factor, and nothing that it might count, stands beside a time."""

    def factor(first: int, last: int) -> bool:
        number, fold = items[max(first, 0)], items[last - 1]
        if fold.concept == "W" and plain[fold.start : fold.end] == "fache":
            fold.concept = "TIMES"  # "das 3-fache"
        pair = number.concept == "NUM" and fold.concept == "TIMES"
        twice = fold.concept == "DUPLEX" and (
            _THAT.match(plain, fold.end) or _ENDS.match(plain, fold.end)
        )
        if twice:
            fold.concept, fold.value = "MULTIPLE", 2
        return fold.concept == "MULTIPLE" or pair

    before = at - 1 if at and items[at - 1].concept in _LEADING else at
    if before and factor(before - 2, before):
        return True
    for last in (end + 1, end + 2):
        if last <= len(items) and factor(end, last):
            while last < len(items) and _OF_THAT.fullmatch(
                plain, items[last].start, items[last].end
            ):
                last += 1
            behind = items[last].start if last < len(items) else len(plain)
            end = items[last - 1].end
            that = _THAT.match(plain, end)
            return (
                _ENDS.match(plain, that.end() if that else end, behind + 1) is not None
            )
    return False


def _risen(items: list[Item], at: int, plain: str) -> int:
    """Where the figure stands to which it rises, counting nothing; 0: nowhere."""
    rises = False
    for place in range(at, min(at + 3, len(items))):
        item = items[place]
        if item.concept == "NUM":
            behind = items[place + 1] if place + 1 < len(items) else None
            counted = behind is not None and behind.concept != "REQ"
            apart = _ENDS.match(plain, item.end) is not None
            return place if rises and (apart or not counted) else 0
        said = plain[item.start : item.end]
        rising = item.concept in _RISES or said in _RISING
        if _PARTED.search(plain, items[place - 1].end, item.start) or not rising:
            return 0
        rises = True
    return 0


_THAT = regex(
    r"\s+(?:as\s+(?:much|many)|so\s+viele?|autant|that(?:\s+(?:load|rate|much|many))?)\b"
)
_OF_THAT = regex(r"as|much|many|viel|viele|autant|that|load")
""" "Mondays triple that", "twice as much": of the rate that is told."""
_PARTED = regex(r"[,;:!?()|\n]|\.(?!\d)")
_ENDS = regex(rf"\s*(?:{_PARTED.pattern}|$)")


_SPEAKER = shape("phrasing_speaker")


_ANOTHER = regex(r"\banother\s+one\b")
_SIDES = regex(
    r"\b(?:two|three|four|[234])\s+(?:of\s+(?:us|them)\s+(?:want|say|think|prefer|like)|"
    r"(?:of\s+us|(?:\w+\s+)?\w+)\s+(?:disagree|differ|argue|are\s+(?:split|arguing)))\b"
)


def speakers(items: list[Item], plain: str) -> None:
    """ "One wants H100, the other …": somebody who speaks counts no cards."""
    heard = {found.start("one") for found in _SPEAKER.finditer(plain)}
    if heard:
        heard |= {found.end() - 3 for found in _ANOTHER.finditer(plain)}
    heard |= {found.start() for found in _SIDES.finditer(plain)}
    for item in items if heard else ():
        if item.concept == "NUM" and item.start in heard:
            item.concept, item.value = "W", None


_ALLOWED = shape("phrasing_allowed")
"""Before how long something may take."""
_MAY = regex(
    r"\b(?:darf|kann|konnte|mag|mogen)(?:\s+(?:ruhig|gern|auch|etwa|bis zu))*\s*$"
)
_LAST = regex(r"\s*(?:dauern|brauchen|duren)\b")
""" "Darf eine Woche dauern": on both sides of it."""
_LONG = frozenset(("hour", "day", "week", "fortnight", "month"))


def allowed_times(items: list[Item], plain: str) -> None:
    """ "It may take a week", "is allowed to take two weeks": a deadline."""
    if any(item.concept == "TIME" and item.value == "second" for item in items):
        return  # a service, of which nothing ends
    for at, (count, time) in enumerate(pairwise(items)):
        if time.concept != "TIME" or count.concept not in ("NUM", "PER", "A"):
            continue
        before = plain, max(0, count.start - 40), count.start
        may = _ALLOWED.search(*before) or (
            _MAY.search(*before) and _LAST.match(plain, time.end)
        )
        if not may or time.value not in _LONG:
            continue
        if count.concept != "NUM":
            count.concept, count.value, count.base = "NUM", 1.0, 1.0
        items.insert(at, Item("DEADLINE", None, count.start, count.start))
        return


_TEAM_OF = shape("phrasing_team_of")
_MEMBERS = shape("phrasing_members")


def teams(items: list[Item], plain: str) -> None:
    """ "For a legal team of 80 with long contracts": eighty people."""
    for at, item in enumerate(items):
        counted = item.concept == "NUM" and _MEMBERS.match(plain, item.end)
        said = _TEAM_OF.search(plain, max(0, item.start - 60), item.start)
        if counted and said and not said["own"]:
            items.insert(at + 1, Item("USER", None, item.end, item.end))
            return


_PART = shape("phrasing_part")
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8,
          "tenth": 10}  # fmt: skip
_TO_AT_ONCE = frozenset(
    "W OFTHEM ALL IN A ON USER REQ INFER RUN USED CANI NEED WORK SERVE ACTIVE".split()
)
"""What stands between a part of the people and the words that say "at once"."""


def parts_at_once(items: list[Item], plain: str) -> list[Item]:
    """ "A quarter of them are active at once": a share of the people, as "25 %" is."""
    if not any(item.concept == "CONC" for item in items):
        return items
    row: list[Item] = []
    for at, item in enumerate(items):
        row.append(item)
        part = item.concept in ("W", "HALF", "CADENCE") and _PART.search(
            plain, item.start, item.end
        )
        counted = at > 0 and items[at - 1].concept == "NUM"
        whole = item.concept == "HALF" and items[at + 1 : at + 2][0:1]
        if not part or counted or (whole and whole[0].concept == "PCT"):
            continue
        if _leads_to_at_once(items, at + 1):
            share = 100 / _PARTS[str(part.lastgroup)]
            row[-1:] = [
                Item("NUM", share, item.start, item.end, base=share),
                Item("PCT", None, item.start, item.end),
            ]
    return row


def _leads_to_at_once(items: list[Item], at: int) -> bool:
    """Whether people are there at once, with at most their number in between."""
    for one, after in zip_longest(items[at:], items[at + 1 :]):
        people = one.concept == "NUM" and after is not None and after.concept == "USER"
        if one.concept == "CONC":
            return True
        if not (people or one.concept in _TO_AT_ONCE):
            return False
    return False
