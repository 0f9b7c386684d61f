"""What is to be kept free: "30% headroom", "n+1", "one spare replica"."""

import re

from bot.language.reading import Reading
from core.patterns import regex

_KEPT = (
    r"(?:head ?room|spare(?: capacity)?|buffer|slack|safety margin|margin|contingency|"
    r"free)"
)
_AGAIN = (
    r"(?:restarts?|re-?runs?|retries|failures?|failed (?:runs|jobs|nodes)|crashes|"
    r"mishaps|the unexpected|surprises|contingenc(?:y|ies)|safety)"
)
_HEADROOM = regex(
    rf"(?P<a>\d{{1,2}}(?:\.\d+)?) ?%(?: of| as| for)? {_KEPT}\b(?: for {_AGAIN}\b)?|"
    rf"(?P<c>\d{{1,2}}(?:\.\d+)?) ?%(?: extra| more| on top)? for {_AGAIN}\b|"
    rf"\b{_KEPT}(?: of)?[ :=](?P<b>\d{{1,2}}(?:\.\d+)?) ?%"
)
_AS_BEFORE = (
    r"(?:,? (?:and )?(?:without|with no) (?:any |a |the |getting |becoming )*"
    r"(?:degrad\w+|slow\w*|drop\w*|loss|lost|latency|speed|capacity|performance|down|"
    r"service|visible|users|noticing|impact|effect)"
    r"(?: (?:down|in|of|speed|capacity|performance|latency|service|degrad\w+|impact|"
    r"notic\w+))*"
    r")?"
)
""" "Without degrading": what is kept free is there for that."""
_SURVIVES = r"(?:surviv|tolerat|withstand)\w*"
_SPARE = regex(
    r"\bn ?\+ ?(?P<n>[12])\b|"
    r"\b(?P<two>two|2) (?:spare|standby|extra) (?:replicas?|nodes?|machines?)|"
    r"\b(?:one|a|1) (?:spare|standby|extra|redundant) (?:replica|node|machine)|"
    r"\b(?:with|include|including|incl\.?|and|add|plus|keep|have|put|count|counting) "
    r"(?:one|an?|1|the|that|our) "
    r"(?:(?:hot|cold|on-?site) )?(?:spare|standby|backup (?=server|node|machine))\b"
    r"(?: (?:server|node|machine|unit|box|gpu|card))?"
    r"(?: for (?:failover|redundancy|failures?))?"
    r"(?: in(?:to)? (?:the |your )?(?:\w+ )?(?:price|cost|bill|total|figure|quote))?|"
    r"\b(?:ein\w* |un\w* )?(?:ersatz-?(?:server|maschine|knoten|gerat)\w*|"
    r"(?:serveur|machine|noeud) de (?:secours|rechange)|"
    r"(?:servidor|maquina|nodo) de (?:repuesto|reserva|respaldo)|"
    r"(?:server|macchina|nodo) di (?:riserva|scorta))\b|"
    rf"\b{_SURVIVES} (?:the )?(?:(?:loss|failure|outage|losing)(?: of)? )?"
    r"(?:(?:one|an?|1|any|the|single|whole|entire|availability|failed|failing|dead|lost|"
    r"broken) )+(?:(?P<place>region|zone|az)\b|"
    r"(?:replica|node|machine|server|box|gpu|card)(?: (?:going|falling|dropping|being|"
    r"that (?:goes|falls|drops|is))? ?(?:down|offline|dead|lost|away|out|over|dying|"
    rf"failing|crashing))?\b{_AS_BEFORE})|"
    rf"\b{_SURVIVES} (?:the )?(?:loss|failure|losing)(?: of)? (?:one|an?|1|any)\b|"
    r"\b(?:one|an?|any|the|whole) (?:availability )?(?P<down>region|zone|az) "
    r"(?:fail\w*|outage|goes down|is down|dies|is lost)|"
    r"\bif (?:one|a) (?:replica|node|machine|server) (?:fails|dies|goes down)"
)


def headroom(reading: Reading) -> None:
    """Read how much of the fleet the peak leaves free."""
    found = _HEADROOM.search(reading.plain)
    if found is None:
        return
    percent = float(found["a"] or found["b"] or found["c"])
    if 0 < percent < 90:
        reading.aside["headroom"] = percent / 100
        _cross_out(reading, found)


def spares(reading: Reading) -> None:
    """Read how many replicas may fail, or that a whole place may."""
    told = list(_SPARE.finditer(reading.plain))
    if not told:
        return
    found = told[0]
    if place := found["place"] or found["down"]:
        reading.aside["regions_count" if place == "region" else "zones"] = 2
    else:
        two = found["n"] == "2" or found["two"]
        reading.aside["spare_replicas"] = 2 if two else 1
    for one in told:
        _cross_out(reading, one)


def _cross_out(reading: Reading, found: re.Match[str]) -> None:
    for index, item in enumerate(reading.items):
        if item.start < found.end() and found.start() < item.end:
            reading.use(index, index + 1)


RULES = (headroom, spares)
