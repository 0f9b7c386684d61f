"""Days of the week as they are written in any language, from one to another."""

import re
from functools import cache, lru_cache

from bot.language.items import Item
from core.needed import Text
from core.patterns import compiled, regex

NAMES = (
    r"mon(?:day|tag)?s?|mo|lun(?:di|es|edi)?|lu|seg(?:unda)?(?:-feira)?|maandag|"
    r"ma(?=-| t/m| tot)|poniedzial\w+|pon|pn|пн|понедельник\w*|pzt|pazartesi\w*|"
    r"周一|星期一|月曜?日?|월요일|월|somvar",
    r"tue(?:sday)?s?|di(?:enstags?)?|mar(?:di|tes|tedi)?|ter(?:ca)?(?:-feira)?|dinsdag|"
    r"wtor\w+|wt|вт|вторник\w*|sali|周二|星期二|火曜?日?|화요일|화|mangalvar",
    r"wed(?:nesday)?s?|mittwochs?|mi|mer(?:credi|coledi)?|mie(?:rcoles)?|qua(?:rta)?(?:-feira)?|"
    r"wo(?:ensdag)?|srod[aeyę]|sr|ср|сред[аеуы]|carsamba|周三|星期三|水曜?日?|수요일|수|budhvar",
    r"thu(?:rs?(?:day)?)?s?|donnerstags?|do(?:nderdag)?|jeu(?:di)?|jue(?:ves)?|gio(?:vedi)?|"
    r"qui(?:nta)?(?:-feira)?|czwart\w+|czw|чт|четверг\w*|persembe|周四|星期四|木曜?日?|목요일|목|guruvar",
    r"fri(?:day)?s?|fr(?:eitags?)?|ven(?:dredi|erdi)?|vie(?:rnes)?|sex(?:ta)?(?:-feira)?|vr(?:ijdag)?|"
    r"piat\w+|pt|пт|пятниц[аеуы]|cuma?|周五|星期五|金曜?日?|금요일|금|shukravar",
    r"sat(?:urday)?s?|samstags?|sonnabends?|sa|sam(?:edi)?|sab(?:ado|ato)?|za(?:terdag)?|sobot\w+|sob|"
    r"сб|суббот[аеуы]|cumartesi|cmt|周六|星期六|土曜?日?|토요일|토|shanivar",
    r"sun(?:day)?s?|sonntags?|so|dim(?:anche)?|dom(?:ingo|enica)?|zo(?:ndag)?|niedziel\w+|nd|вс|"
    r"воскресень\w+|pazar|周日|周天|星期日|星期天|日曜?日?|일요일|일|ravivar",
)  # fmt: skip
JOINT = (
    r"\s?(?:-|–|—|~|〜|through|thru|to|till?|until|bis|au|al|a(?:lle|s)?(?: las?)?|"
    r"e|y|et|und|and|do|tot(?: en met)?|t/m|ile|se|до|по|到|至|から|부터)\s?"
)
"""Between two days, or two times of day."""


def day(group: str) -> str:
    """The pattern of any day's name; its place in the week follows the group's name."""
    named = "|".join(rf"(?P<{group}{at}>{name})" for at, name in enumerate(NAMES))
    return rf"(?<![a-zа-я])(?:{named})(?![a-zа-я])"


WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|"
    r"mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|"
    r"samedi|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo|lunedi|"
    r"martedi|mercoledi|giovedi|venerdi|maandag|dinsdag|woensdag|donderdag|vrijdag|"
    r"zaterdag|zondag)"
)
"""The days' whole names in languages that write words apart."""
_LETTERS = "".join(sorted({name[0] for name in "|".join(NAMES).split("|")}))
"""With which a day's name may begin: most words begin with another."""
_DAY = regex(
    rf"(?=[{re.escape(_LETTERS)}])(?<![a-zа-я])(?:{'|'.join(NAMES)})(?![a-zа-я])"
)


MONTH = regex(
    r"\b(?:jan(?:uary|uar|vier|eiro)?|enero|gennaio|stycz\w+|ocak|feb(?:ruary|ruar|brero|braio)?|"
    r"fevrier|fevereiro|lut\w+|subat|mar(?:ch|z|zo|s|co)|maerz|marz\w+|mart|apr(?:il|ile)?|avril|"
    r"abril|kwie\w+|nisan|mai|mayo|maio|maggio|mei|maj\w*|mayis|june?|juni|juin|junio|junho|giugno|"
    r"czerw\w+|haziran|july?|juli|juillet|julio|julho|luglio|lip(?:iec|ca)|temmuz|aug(?:ust)?|aout|"
    r"agosto|augustus|sierp\w+|agustos|sep(?:t|tember|tembre|tiembre)?|setembro|settembre|wrze\w+|"
    r"eylul|oct(?:ober|obre)?|oktober|octubre|outubro|ottobre|paz\w+|ekim|nov(?:ember|embre|iembre|"
    r"embro)?|listopad\w*|kasim|dec(?:ember|embre)?|dez(?:ember|embro)?|diciembre|dicembre|"
    r"grud\w+|aralik)\b|\d{1,2}月|\d{1,2}월|"
    r"\b(?:январ|феврал|март|апрел|ма[йея]|июн|июл|август|сентябр|октябр|ноябр|декабр)\w*"
)
"""The name of a month."""


@cache
def _range() -> re.Pattern[str]:
    """Two days and what joins them: large, and made when days are first named."""
    return compiled(day("a") + JOINT + day("b"))


@lru_cache(maxsize=8)
def named(plain: str) -> bool:
    """Whether a text names two days."""
    words = plain.words if isinstance(plain, Text) else Text(plain).words
    if sum([_named_in(word) for word, _ in words]) < 2:
        return False
    first = _DAY.search(plain)
    return first is not None and _DAY.search(plain, first.end()) is not None


@lru_cache(maxsize=4096)
def _named_in(word: str) -> int:
    """How many days a word names, as far as it tells without its neighbours."""
    return len(_DAY.findall(word)) + (word == "ma")


def place(found: re.Match[str], which: str) -> int:
    """Which day of the week a group of a match names: 0 is Monday."""
    return next(at for at in range(7) if found[f"{which}{at}"])


_NAMED = rf"(?:{'|'.join(NAMES)})(?![a-zа-я])"
_SHORT = r"[a-z]{2}(?![a-z])"
_LISTED = (
    rf"(?P<days>{_NAMED}(?:\s?[+&/]\s?{_NAMED}|"
    r"(?:,\s?(?:and\s)?|\s(?:and|und|et|y|e|en|i|и)\s(?:(?:le|les|los|el|il|on|am|op)\s)?)"
    rf"(?!{_SHORT}){_NAMED}){{0,6}})"
)
_ALONE = r"(?P<only>\s(?:only|alone|nur|seulement|solo|soltanto|alleen)\b)?"
_LED = (
    r"(?P<from>(?:between|zwischen|entre|tra)\s)?"
    r"(?P<just>\b(?:only|just|nur|seulement|solo|alleen)\s(?:on\s|am\s|le\s)?)?"
)


@cache
def _list() -> re.Pattern[str]:
    """Days that are listed one by one: large as well."""
    return compiled(rf"{_LED}(?<![a-zа-я]){_LISTED}{_ALONE}")


_NEAR = 4
"""Words between a list of days and the hours of each."""


def lists(items: list[Item], plain: str) -> list[Item]:
    """Read "sat+sun only, 14 h each", "tue and thu" as the days in which it runs."""
    hours = [i for i in items if i.concept == "TIME" and i.value == "hour"]
    if not hours or _DAY.search(plain) is None or any(
        i.concept == "ALERT" for i in items
    ):  # fmt: skip
        return items
    for found in _list().finditer(plain):
        count = sum(one.search(found["days"]) is not None for one in _ONE)
        first = sum(i.end <= found.start() for i in items)
        last = sum(i.start < found.end() for i in items)
        known = any(i.concept in ("WEEKDAYS", "NUM") for i in items[first:last])
        told = count > 1 or found["only"] or found["just"]
        near = items[max(0, first - _NEAR) : last + _NEAR]
        if told and not known and not found["from"] and any(i in near for i in hours):
            days = Item("WEEKDAYS", float(count), *found.span())
            items = [*items[:first], days, *items[last:]]
    return items


_ONE = [regex(rf"(?<![a-zа-я])(?:{name})(?![a-zа-я])") for name in NAMES]


WEEK = "monday tuesday wednesday thursday friday saturday sunday".split()


def weekday(name: str) -> int | None:
    """Which day of the week a word names: 0 is Monday; None: none."""
    return next((at for at, one in enumerate(_ONE) if one.search(name)), None)


_AND = regex(r"\s(?:and|und|et|y|e)\s")
_BETWEEN = regex(r"\b(?:between|zwischen|entre|tra|fra)\s+$")


def ranges(items: list[Item], plain: str) -> list[Item]:
    """Read "mon-sat", "de segunda a sabado" as the days of a week in which it runs."""
    for found in _range().finditer(plain) if named(plain) else ():
        if _AND.search(found[0]) and not _BETWEEN.search(plain, 0, found.start()):
            continue  # "tue and thu" are two days
        first, last = place(found, "a"), place(found, "b")
        inside = [i for i in items if i.start < found.end() and i.end > found.start()]
        known = not inside or inside[0].concept == "WEEKDAYS"
        if first == last or known or any(i.concept == "NUM" for i in inside):
            continue
        at = items.index(inside[0])
        days = Item("WEEKDAYS", float((last - first) % 7 + 1), *found.span())
        items = [*items[:at], days, *items[at + len(inside) :]]
    return items
