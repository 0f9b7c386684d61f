"""Words that look like part of a workload and are none: trains, laptops, salaries.

"My train leaves at 5" trains nothing, "gunicorn with 4 workers" has no users, and a
flight to Tokyo is no place to run in. What stands beside a word tells; it then means
nothing, and no rule needs to know.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from msgspec import Struct

from bot.language.items import Item
from core.patterns import regex

_NEAR = 60
"""Letters before a word in which it is told what it is."""


class Decoy(Struct, frozen=True):
    """When a word of a concept means nothing: all that is given must hold."""

    said: re.Pattern[str] | None = None
    before: re.Pattern[str] | None = None
    behind: re.Pattern[str] | None = None
    beside: str = ""
    """What must come by the time: requests that are "asked", pictures "drawn"."""
    becomes: str = "W"

    def holds(self, item: Item, plain: str) -> bool:
        """Whether the words around an item say that it is one."""
        start, end = item.start, item.end
        return (
            (self.said is None or self.said.fullmatch(plain, start, end) is not None)
            and (self.behind is None or self.behind.match(plain, end) is not None)
            and (
                self.before is None
                or self.before.search(plain, max(0, start - _NEAR), start) is not None
            )
        )


_TRAIN = regex("train")
_RIDE = regex(
    r"\s+(?:(?:is|was|'s)\s+(?:late|delayed|cancelled|full|here|coming)|ride|rides|"
    r"station|journey|home|arrives?|leaves|departs|goes\s+at|ticket)\b"
)
_MINE = regex(
    r"\b(?:my|our|next|night|morning|evening|first|last|missed\s+(?:the|a)|on\s+the|a)\s$"
)
_NO_RUN = regex(
    r"(?!\s*-|\s+(?:set|split|runs?|jobs?|loss|data|costs?|budget|script|loop|phase|time|"
    r"cluster|config|pipeline|batch|size|on\s+\d|an?|the|our|my|\d)\b)"
)
_OF_THINGS = regex(
    r"\s+of\s+(?:about\s+)?\d{1,3}\s+(?!(?:requests?|prompts?|samples?|examples?|"
    r"sequences?|seqs?|tokens?|docs?|documents?|images?|pictures?|per|and|with|on|for|at|"
    r"in|or|to|tickets?|emails?|pages?|files?|calls?|queries|videos?|clips?|rows?|"
    r"records?)\b)[a-z]\w+"
)
_TESTED = regex(
    r"\b(?:evals?|evaluation|benchmark\w*|bench|golden\s+set|test\s+set|tested\s+on|"
    r"a/b\s+test|spot[- ]checked|validation|testfall\w*)\b[^.;!?\n]*$"
)
_STORED = regex(
    r"\b(?:stores?|storing|stored|holds?|index|archive|archiv|wiki|knowledge\s+base|"
    r"database|catalogue|catalog|corpus|library|wissensdatenbank|bibliothek|datenbank|"
    r"base\s+de\s+(?:datos|donnees|connaissances)|archivo|archivio)\b"
    r"[^.;!?\n]{0,25}?\d[\d.,]*\s?\w*\s(?:\w+\s)?$"
)
_SOFTWARE = regex(
    r"\b(?:g?unicorn|uvicorn|hypercorn|celery|puma|nginx|sidekiq|data ?loader|ray|cpu|"
    r"rq|airflow|spark|dask|web|api|background|async|http)\b[^.;!?]{0,20}$"
)
_BUILDERS = regex(
    r"\s+(?:\w+ly\s+)?(?:built|maintain\w*|wrote|developed|designed|owns?|look(?:s|ing)?\s+"
    r"after|babysit|operate|costs?\s+(?:about\s+)?[$€£]?\d+k|work(?:s|ing)?\s+on\s+(?:the|our|this)\s+"
    r"(?:platform|bot|service|product|project|app|backend|cluster))\b"
)
_IN_A_TEAM = regex(
    r"(?:\b(?:team|squad|crew|project|rota|meeting|channel|call)\s+of\s+\d+\s+|"
    r"团队(?:有|共)?\s?\d+\s?(?:个|名|位)?\s?|参加者は\s?\d*\s?|팀은\s?\d*\s?)$"
)
_OF_A_TEAM = regex(
    r"\s+(?:im|in (?:the|our|my)|on (?:the|our|my)|no|na|en el|nel|w|в|dans l'?|in het|"
    r"in de)"
    r"\s*(?:team|squad|project|projekt|projeto|proyecto|progetto|equipo|equipe|zespole|"
    r"команде|meeting|call)\b(?!\s+(?:use|chat|talk|work|ask))"
)
_OTHER_STEPS = regex(
    r"\b(?:save|eval|warm-?up|logging|log|accumulation|checkpoint)[_ -]$"
)
_ON_THE_WAY = regex(
    r"\b(?:rtt|pings?|fly(?:ing)?|flights?|travel\w*|trip|conference|summit|meetup|"
    r"off-?site|vacation|holidays?|greetings|hello|hi|grusse|gruss|saludos|salutations|"
    r"bonjour|saluti|landed|back)\s+(?:to|from|in|aus|nach|de|da|desde|depuis)\s+$"
)
_APPOINTED = regex(
    r"\b(?:meeting|(?:a|the|my)\s+call|call\s+with\s+[\w ]{1,20}|stand-?up|flight|"
    r"train|demo|termin|vacation|holiday|lunch|boards?|boarding|reunion|vuelo|interview)\s+"
    r"(?:is\s+|starts?\s+)?in\s+\d+\s*$"
)
_DECOYS: Mapping[str, tuple[Decoy, ...]] = {
    "TRAIN": (
        Decoy(said=_TRAIN, behind=_RIDE),
        Decoy(said=_TRAIN, before=_MINE, behind=_NO_RUN),
    ),
    "BATCH": (Decoy(said=regex("batch"), behind=_OF_THINGS, beside="asked"),),
    "DOC": (
        Decoy(before=_TESTED, beside="asked"),
        Decoy(before=_STORED, beside="asked"),
    ),
    "SAMPLE": (
        Decoy(before=_TESTED, beside="asked"),
        Decoy(before=_STORED, beside="asked"),
    ),
    "USER": (
        Decoy(said=regex("workers?"), before=_SOFTWARE),
        Decoy(behind=_BUILDERS),
        Decoy(before=_IN_A_TEAM, beside="asked"),
        Decoy(behind=_OF_A_TEAM, beside="asked"),
    ),
    "STEP": (Decoy(before=_OTHER_STEPS),),
    "METHOD": (Decoy(said=regex("loras?"), beside="drawn", becomes="ADAPTER"),),
    "REGION": (Decoy(before=_ON_THE_WAY),),
    "TIME": (Decoy(before=_APPOINTED),),
}
_COMES = {
    "asked": (frozenset(("REQ", "DOC")), frozenset(("second", "minute"))),
    "drawn": (frozenset(("IMAGE",)), frozenset(("second", "minute", "hour", "day"))),
}
_LEARNS = frozenset("TRAIN FINETUNE SFT EPOCH SAMPLE".split())


def set_aside(items: list[Item], plain: str) -> None:
    """Take their meaning from words that only look like part of a workload."""
    for item in items:
        for decoy in _DECOYS.get(item.concept, ()):
            if decoy.holds(item, plain) and _comes(items, decoy.beside):
                item.concept, item.value = decoy.becomes, None
                break


def _comes(items: list[Item], what: str) -> bool:
    """Whether something comes by the time, and nothing is trained on pictures."""
    if not what:
        return True
    things, times = _COMES[what]
    if what == "drawn" and any(item.concept in _LEARNS for item in items):
        return False
    return any(
        per.concept == "PER" and time.concept == "TIME" and time.value in times
        and any(one.concept in things for one in items[max(0, at - 1) : at + 4])
        for at, (per, time) in enumerate(pairwise(items))
    )  # fmt: skip
