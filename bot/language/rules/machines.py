"""What machines of one's own cost: their price, their power, where they stand."""

import re

from bot.language.reading import Match, Reading, needs
from bot.language.rules.people import note_currency
from bot.language.states import shape
from core.patterns import regex

_WHOLE = (
    r"(?:servers?|nodes?|box(?:es)?|machines?|systems?|dgx|hgx|cluster|rig|workstation)"
)
_PAID = regex(
    rf"(?:\b(?:paid|cost|costs|costing|bought|purchased|priced?|capex|quoted?|invested)\b"
    rf"|\b{_WHOLE}\b)[^.;?!]{{0,30}}$"
)
"""Right before a sum: it is what the machines were bought for, or are offered at."""
_NOT_PAID = regex(r"\b(?:rent\w*|leas\w+|colo\w*|hosting|month|budget|salary)\b")
_BEHIND = "(?!PER|SLASH|TIME|PCT|TOK|GPU|CTX|IN|OUT|REQ|DOC|USER|SAMPLE)"
_SUM = (
    f"CUR <n>NUM GRAND? {_BEHIND}",
    f"<n>NUM GRAND? CUR {_BEHIND}",
    f"<n>NUM GRAND? {_BEHIND}",
)
_LEAST = 2000
"""Dollars: no machine with a GPU of a data centre is sold for less."""
_LEAST_BARE = 20_000
"""Of a sum without its currency: shorter ones are lengths, years, rates."""
_NEAR = 60
_EACH = regex(rf"\s*(?:each|apiece|a piece|per {_WHOLE})\b")
_WRITTEN_OFF = shape("machines_written_off")
_KILOWATTS = shape("machines_kilowatts")
_HOUSED = regex(
    r"\b(?:colo\w*|hosting|housing|rack(?:s|(?: ?space)?)|data ?cent(?:er|re)|cage|"
    r"(?:floor|cabinet) space)\b"
)
_SUPPORTED = regex(
    r"\b(?:inc?[lk]\w*\.?|with|mit|plus) (?:\d+[ -]?(?:y|yrs?|years?|jahre?) ?)?"
    r"(?:of )?(?:\w+ )?(?:support|warranty|maintenance|wartung)\b"
)
"""The price of machines holds their support already."""
_OWN_ROOM = shape("machines_own_room")
_OF_THE_RACK = regex(r"\s?(?:for|per|of) (?:the|a|our|one) (?:full |half )?rack\b")
_MONTHLY = "[CUR]? <n>NUM GRAND? CUR? [PER SLASH] <t>TIME"
_STRETCH = regex(r"[^,;.?!:()]+")
_BORNE = shape("machines_borne")
"""Said of what owning takes: it costs nothing more."""
_TO_COUNT = regex(
    r"^\s*(?:and )?(?:all )?(?:includ(?:ing|es?)|incl|inkl\w*|mit|with)\b|"
    r"(?<!is )(?<!are )\bincluded\b"
)
"""Said of a sum that is asked for: it counts them."""
_CURRENT = r"(?:power|electricity|energy|strom|courant|electricidad|elettricita)\b"
_POWER = regex(rf"\b{_CURRENT}")
_OUT_OF_IT = regex(
    r"\b(?:excluding|excl\.?|without|not including|no|ohne|sans|sin|senza) (?:the )?"
    rf"{_CURRENT}|\b{_CURRENT} (?:excluded|extra|on top)\b"
)
_AT_HAND = regex(r"\b(?:have|own|got|haben|already have|spare|existing|vorhanden)\b")
"""Power that is there is paid by the kilowatt-hour all the same."""
_STAFF = r"(?:staff|people|admins?|engineers|ops team|personnel|personal)\b"
_PEOPLE = regex(
    rf"\b(?:no (?:extra |more |new )?|existing |our own |already have ){_STAFF}|"
    rf"\b{_STAFF} (?:is|are) (?:already|there|paid|covered|free)\b"
)
_PRICE_OF_POWER = regex(r"\b(?:power|energy)(?= (?:is|costs?|at|comes|[$€£\d]))")


@needs("GPU INSTANCE")
def bought(reading: Reading) -> None:
    """Read "paid 140k for it", "server 280k": what whole machines were sold for."""
    if not reading.has("GPU", "INSTANCE") or reading.has("TRAIN", "ALERT", "BUDGET"):
        return
    if len({str(item.value) for item in reading.all("GPU")}) > 1:
        return  # one kind bought is held against another one rented
    for match in reading.find(*_SUM):
        scale = 1000 if "GRAND" in reading.concepts(match) else 1
        amount = float(reading.value(match)) * scale
        marked = "CUR" in reading.concepts(match)
        least = _LEAST if marked else _LEAST_BARE
        if amount < least or not _is_price(reading, match):
            continue
        each = _EACH.match(reading.plain, reading.items[match.end() - 1].end)
        signs = {item.value for item in reading.items[slice(*match.span())]}
        if "USD" in signs:
            reading.beside["servers_in_dollars"] = True
        note_currency(reading, match)
        reading.beside["server_usd" if each else "servers_usd"] = amount
        reading.use(*match.span())
        return


def is_bought(reading: Reading) -> bool:
    """Whether it is said what machines cost, one or all of them, or their lease."""
    told = ("server_usd", "servers_usd", "lease_usd")
    return not reading.beside.keys().isdisjoint(told)


def _is_price(reading: Reading, match: Match) -> bool:
    """Whether the words before a sum say that it bought machines."""
    start = reading.items[match.start()].start
    before = reading.plain[max(0, start - _NEAR) : start]
    found = _PAID.search(before)
    return (
        found is not None
        and re.search(_WHOLE, reading.plain) is not None
        and not _NOT_PAID.search(found[0])
    )


def running(reading: Reading) -> None:
    """Read what they draw, where they stand, how long they are written off."""
    if not (is_bought(reading) or reading.has("BUYORRENT")):
        return
    if found := _WRITTEN_OFF.search(reading.plain):
        unit = found["unit"] or found["per"] or "year"
        months = float(found["n"] or found["m"]) * (1 if unit[0] == "m" else 12)
        reading.fields.setdefault("term_months", months)
        reading.told("term_months", found)
    if found := _KILOWATTS.search(reading.plain):
        each = _EACH.match(reading.plain, found.end())
        drawn = float(found["n"].replace(",", "."))
        reading.beside["server_kw" if each else "servers_kw"] = drawn
        reading.use_words(found)
    _place(reading)
    if found := _SUPPORTED.search(reading.plain):
        reading.beside["support_per_year"] = 0.0
        reading.stretch("beside", *found.span())
    if found := _OWN_ROOM.search(reading.plain):
        told = found[0].startswith("on") or is_bought(reading)
        weighed = reading.has("BUYORRENT") and not told
        reading.beside |= {"colocation_usd": 0.0} if weighed else {"on_premises": True}
        reading.stretch("on_premises", *found.span())
    for found in _STRETCH.finditer(reading.plain):
        if any(map(str.isdigit, found[0])):
            continue
        if _OUT_OF_IT.search(found[0]) or _is_borne(reading, found[0]):
            reading.use_words(found)
            reading.stretch("beside", *found.span())
    if said := _PRICE_OF_POWER.search(reading.plain):
        reading.use_words(said)
        reading.stretch("beside", *said.span())


def _is_borne(reading: Reading, said: str) -> bool:
    """Whether a stretch says what owning does not cost: "the racks are paid for"."""
    if not _BORNE.search(said) or _OUT_OF_IT.search(said):
        return False
    if reading.beside.keys().isdisjoint(("colocation_usd", "lease_usd")):
        # no sum is told that could hold them: the sums that are asked for do
        said = _TO_COUNT.sub(" ", said)
        if not _BORNE.search(said):
            return any(one.search(said) for one in (_HOUSED, _POWER))
    free = {
        "colocation_usd": _HOUSED.search(said),
        "usd_per_kwh": _POWER.search(said) and not _AT_HAND.search(said),
        "engineering_hours": _PEOPLE.search(said),
    }
    reading.beside = {n: 0.0 for n, one in free.items() if one} | reading.beside
    return any(free.values())


@needs("NUM", "PCT")
def busy(reading: Reading) -> None:
    """Read the share of the time in which machines of one's own work."""
    if not (is_bought(reading) or reading.has("BUYORRENT")):
        return
    for match in reading.find("(?<!DROPV|RISEV) <n>NUM PCT"):
        if 0 < reading.value(match) <= 100 and not reading.stated("utilization"):
            reading.take("utilization", reading.value(match) / 100, match)


def _place(reading: Reading) -> None:
    """Read "colo 900 €/month": what it costs where they stand."""
    for match in reading.find(_MONTHLY):
        if reading.value(match, "t") == "month" and _is_of_the_place(reading, match):
            scale = 1000 if "GRAND" in reading.concepts(match) else 1
            note_currency(reading, match)
            reading.beside["colocation_usd"] = float(reading.value(match)) * scale
            reading.use(*match.span())
            end = reading.items[match.end() - 1].end
            if rack := _OF_THE_RACK.match(reading.plain, end):
                reading.told("colocation_usd", rack)
            return


def _is_of_the_place(reading: Reading, match: Match) -> bool:
    start, end = reading.items[match.start()].start, reading.items[match.end() - 1].end
    near = reading.plain[max(0, start - 25) : end + 25]
    return _HOUSED.search(near) is not None


RULES = (bought, busy, running)
