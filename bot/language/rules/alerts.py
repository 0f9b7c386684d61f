"""Alerts: what to watch, when to speak, where, and how to stop."""

from typing import Any

from bot.language.alerts.schedules import zone_named, zone_within
from bot.language.reading import Match, Reading, needs
from core.patterns import regex

_ZONE = regex(r"\b[a-z]+/[a-z]+(?:_[a-z]+)*(?:/[a-z_]+)?\b")
_POSTS = regex(
    r"\b(?:send|write|post|dm|message|mail|report|digest|summary|schick\w*|poste\w*|"
    r"schreib\w*|ecri\w*|escrib\w*|escrev\w*|scriv\w*|schrijf|napisz|yaz|"
    r"melde\w*|sende\w*|envoie\w*|envoy\w*|manda\w*|envia\w*|invia\w*|stuur|"
    r"wyslij|wysylaj|gonder|발송|보내|发|送って|bhej\w*)\b"
)
_AGAIN = regex(
    r"\b(?:daily|weekly|monthly|every|each|taglich|wochentlich|jeden|chaque|cada|"
    r"tous les|diari\w*|todos los|todas as|ogni|elke|dagelijks|wekelijks|codziennie|"
    r"co|her)\b|매일|매주|每"
)
_TO_ME = regex(r"\b(?:me|us|mir|uns|moi|nous|nos|ci|mij|ons|mi|nam|bana)\b")
_PERIODS = {"day": "daily", "week": "weekly", "month": "monthly", "hour": "hourly"}
_MOVES = (
    ("DROPV", "drop"),
    ("CHEAP", "drop"),
    ("RISEV", "rise"),
    ("PEAK", "rise"),
    ("MOVEV", "change_pct"),
)


def wants_alert(reading: Reading) -> bool:
    """Whether the question is about alerts rather than an answer now."""
    if reading.has("ALERT"):
        return not (
            _sizes(reading) or _is_said_beside(reading) or _asks_at_once(reading)
        )
    if reading.has("CHANNEL") and reading.has("WHEN", "MUTE"):
        return True
    if reading.has("MUTE") and reading.seen <= _QUIET:
        return True
    named = [i for i in reading.all("CHANNEL") if not reading.is_past(i.start)]
    told = _POSTS.search(reading.plain) or named
    if told and _recurs(reading):
        return True
    if reading.has("NUMB", "MODELNAME") or not reading.has("GPU", "PRICE"):
        return False
    if reading.has("HOWMUCH", "IDLE") or _ASKS_NOW.search(reading.plain):
        return False
    crossed = reading.first(
        "WHEN [^ALERT]{0,10}? [UNDER OVER DROPV RISEV MOVEV] [W CUR THAN]{0,2} NUM",
        "[UNDER OVER DROPV RISEV] [W CUR THAN]{0,2} NUM CUR? W{0,3} WHEN",
    )
    stops = reading.has("STOPV", "MUTE") and not reading.has("UTIL", "IDLE")
    return stops or crossed is not None


_ASKS_NOW = regex(
    r"\bwhat (?:do|does|would|will|if)\b|\b(?:do|should|would|will) (?:we|i)\b"
)
""" "If prices fall 30%, do we regret it": nobody waits for that."""
_QUIET = frozenset(
    "MUTE ALL DUR A NUM TIME DAYNAME CLOCK TOMORROW WEEKDAYS HERE CHANNEL DEADLINE PER "
    "IN ON W WHEN OFTHEM".split()
)
"""Of nothing else speaks who wants to hear nothing for a while."""
_SENTENCE = regex(r"[;!?\n]|\.(?=\s|$)")
WATCHED = (
    "GPU", "INSTANCE", "PRICE", "COST", "CHEAP", "DROPV", "RISEV", "UNDER", "OVER",
    "CUR", "BUDGET", "BILL", "PCT", "CHANNEL", "CLOCK", "DAYNAME", "WEEKDAYS", "STOPV",
    "MODELNAME", "NUMB", "MUTE", "LISTV", "AVAIL", "PROVIDER",
)  # fmt: skip


def _is_said_beside(reading: Reading) -> bool:
    """Whether a load is told, and another sentence says "ping me if that's unclear"."""
    told = reading.first("AMT W? [REQ DOC USER]+ PER TIME") or reading.has("HOWMUCH")
    if not told:
        return False
    ends = [found.end() for found in _SENTENCE.finditer(reading.plain)]
    for item in reading.all("ALERT"):
        first = max((end for end in ends if end <= item.start), default=0)
        last = min(
            (end for end in ends if end > item.start), default=len(reading.plain)
        )
        inside = [one for one in reading.items if first <= one.start < last]
        if len(inside) == len(reading.items):
            return False
        if any(one.concept in WATCHED for one in inside):
            return False
    return True


_TELL = regex(
    r"tell\s+(?:me|us)\s+if|let\s+(?:me|us)\s+know\s+if|알려|告诉我|fammi sapere|"
    r"laat (?:me|het) weten|"
    r"дайте знать|дай знать|сообщи|daj znac|sag (?:mir )?bescheid|bata"
)
"""What asks to be told: at once, where nothing has to happen before."""
_ONCE = regex(r"면\s*(?:바로\s*|즉시\s*)?알려|了(?:就)?告诉我|的时候告诉我")


def _asks_at_once(reading: Reading) -> bool:
    """Whether an answer is wanted now: "tell me if that's nonsense", "알려줘"."""
    if not all(_TELL.match(reading.word(i)) for i in reading.places("ALERT")):
        return False
    waits = reading.has(
        "WHEN", "DROPV", "RISEV", "MOVEV", "CHANNEL", "CLOCK", "DAYNAME", "WEEKDAYS",
        "AVAIL", "MUTE", "STOPV", "PCT",
    )  # fmt: skip
    if waits or _AGAIN.search(reading.plain) or _ONCE.search(reading.plain):
        return False
    if reading.has("NUMB", "MODELNAME") and reading.has("GPU", "INSTANCE", "GPUWORD"):
        return not reading.has("CUR", "CHEAP")
    last = reading.word(reading.places("ALERT")[-1])
    asked = reading.has("HOWMUCH", "PRICE", "CHEAP")
    return asked and not last.endswith("if") and not reading.has("UNDER", "OVER", "NUM")


def _sizes(reading: Reading) -> bool:
    """Whether a load is told, and nobody asks to be told: "fraud alerts, 40 rps"."""
    if any(" " in reading.plain[i.start : i.end] for i in reading.all("ALERT")):
        return False
    first = reading.items[0].concept == "ALERT" and len(reading.items) > 1
    if first and "," not in reading.between(1):
        return False
    waits = reading.has(
        "WHEN", "CHANNEL", "HERE", "DAYNAME", "CLOCK", "STOPV", "MUTE", "CHEAP",
        "DROPV", "RISEV",
    )  # fmt: skip
    return not waits and reading.first("AMT [REQ DOC USER]+ PER TIME") is not None


def _recurs(reading: Reading) -> bool:
    """Whether prices are to be told again and again, at a time."""
    if not reading.has("GPU", "PRICE", "COST") or reading.has("NUMB", "MODELNAME"):
        return False
    return reading.has("DAYNAME", "WEEKDAYS") or bool(
        _AGAIN.search(reading.plain)
        and (reading.has("CLOCK") or _TO_ME.search(reading.plain))
    )


def alert(reading: Reading) -> None:
    """Read an alert request as a whole; its numbers belong to no other field."""
    if not wants_alert(reading):
        return
    action = _action(reading)
    spec: dict[str, Any] = {"action": action}
    if action == "create":
        spec |= _condition(reading)
    for match in reading.find("CHANNEL", "HERE"):
        item = reading.items[match.start()]
        spec["channel"] = item.value or "here"
        reading.use(*match.span())
        break
    timed = action == "mute" or (action == "create" and not spec.get("op"))
    if timed and (schedule := _schedule(reading, action)):
        spec["schedule"] = schedule
    reading.put("alert", spec, 0, len(reading.items))


def _action(reading: Reading) -> str:
    if reading.has("MUTE"):
        return "mute"
    dropped = reading.first("DROPV [W GPU PRICE PRICING ALL PER EACHTOK]{0,4} ALERT")
    if reading.has("STOPV") or (dropped and not reading.has("NUM")):
        every = reading.has("ALL") or reading.first(
            "[STOPV DROPV] [PER EACHTOK]{1,2} "
            "[W GPUWORD GPU PRICE PRICING DUPLEX]{0,3} ALERT"
        )
        return "remove_all" if every else "remove"
    lists = reading.first(
        "LISTV [W ALL ACTIVE RUN GPU PRICE PROVIDER]{0,4} ALERT", "ALERT LISTV",
        "PRICE? ALERT W{0,3} HAVE",
    )  # fmt: skip
    if _ASKS_WHICH.search(reading.plain) and not reading.has("GPU", "NUM", "WHEN"):
        return "list"
    alone = all(item.concept == "ALERT" for item in reading.items)
    if alone and reading.word(0).endswith("alerts"):
        return "list"
    watched = reading.has("GPU") and not reading.has("LISTV")
    if lists and not (watched or reading.has("WHEN", "UNDER", "OVER", "NUM")):
        return "list"
    return "create"


_ASKS_WHICH = regex(
    r"^\W*(?:which|what|are|do)\b[^.;!?]{0,30}\b(?:alerts?|watches)\b[^.;!?]{0,30}(?:\?|$)"
)
""" "Which of our alerts are muted?"."""


def _condition(reading: Reading) -> dict[str, Any]:
    """Read the threshold: a price per GPU-hour, or a percentage."""
    for match in reading.find("<n>NUM PCT"):
        value = reading.value(match)
        reading.use(*match.span())
        end = reading.items[match.end() - 1].end
        behind = next(
            (op for op, told in _THAN.items() if told.match(reading.plain, end)), ""
        )
        return {"op": behind or _moves(reading), "value": value, "unit": "percent"}
    for match in reading.find(
        "<o>[UNDER OVER] W? CUR? <n>NUM CUR? (?:PER TIME)?",
        "<o>[DROPV RISEV CHEAP PEAK COMPARE] [UNDER OVER W THAN]? CUR? <n>NUM CUR?",
        "CUR? <n>NUM CUR? (?:PER TIME)? <o>[UNDER OVER]",
        "<o>[UNDER OVER] PER TIME <n>NUM CUR?",
        "<o>CUR <n>NUM",
        "<n>NUM <o>CUR",
    ):
        concept = reading.item(match, "o").concept
        below = concept not in ("OVER", "RISEV", "PEAK")
        value = _sum(reading, match)
        reading.use(*match.span())
        return {
            "op": "below" if below else "above",
            "value": value,
            "unit": "usd_per_gpu_hour",
        }
    timed = reading.has("DAYNAME", "CLOCK", "WEEKDAYS")
    moves = reading.has("DROPV", "RISEV", "MOVEV", *(() if timed else ("CHEAP",)))
    return {"op": _moves(reading)} if moves else {}


_THAN = {
    "rise": regex(
        r"\s?(?:more|higher|mas (?:caro|alto)|plus cher|mehr|hoher)\b(?! than)"
    ),
    "drop": regex(
        r"\s?(?:less|lower|off|menos|moins cher|weniger|niedriger)\b(?! than)"
    ),
}
"""Behind a percentage: which way a price goes."""


def _sum(reading: Reading, match: Match) -> float:
    """Dollars: "80 cents", "40c", "a buck ten", "two fifty"."""
    value, item = float(reading.value(match)), reading.item(match, "n")
    written = reading.plain[item.start : item.end]
    signs = {reading.items[i].value for i in range(*match.span())}
    if "USc" in signs or _CENTS.match(reading.plain, item.end):
        return round(value * 0.01, 4)
    if "USD" not in signs and value in _SAID_AS_PAIR and written.count(" ") == 1:
        return value * 0.01
    after = reading.items[match.end() : match.end() + 1]
    beside = (
        after
        and not reading.plain[
            reading.items[match.end() - 1].end : after[0].start
        ].strip()
    )
    if (
        "USD" in signs
        and beside
        and after[0].concept == "NUM"
        and after[0].value in _CENTS_BEHIND
    ):
        reading.use(match.end(), match.end() + 1)
        return value + float(after[0].value) * 0.01
    return value


_CENTS = regex(r"\s?(?:c|ct|cts)\b")
_SAID_AS_PAIR = range(101, 1000)
""""Two fifty" an hour is no $250."""
_CENTS_BEHIND = range(5, 100)


def _moves(reading: Reading) -> str:
    if reading.has("DROPV") and reading.has("RISEV"):
        return "change_pct"  # "7% up or down"
    for concept, op in _MOVES:
        if reading.has(concept):
            return op
    return "change_pct"


def zone(reading: Reading) -> None:
    """A time zone is no place to rent in: "8:30 Europe/Berlin"."""
    for found in _ZONE.finditer(reading.plain) if "/" in reading.plain else ():
        if zone_named(found[0]) is not None:
            for index in reading.inside(*found.span()):
                reading.become(index, "W", "")


def _schedule(reading: Reading, action: str) -> str | None:
    """Read when a digest is wanted, "weekdays 08:30 Europe/Berlin", or quiet ends."""
    if action == "mute":
        return _quiet(reading)
    parts: list[str] = []
    for match in reading.find("WEEKDAYS", "PER <t>TIME"):
        time = match.groupdict().get("t") and reading.value(match, "t")
        parts = [_PERIODS[time]] if time in _PERIODS else [] if time else ["weekdays"]
        if parts:
            reading.use(*match.span())
            break
    for match in reading.find("DAYNAME"):
        parts = ["weekly", reading.items[match.start()].value]
        reading.use(*match.span())
        break
    if clock := _clock(reading):
        parts = [*(parts or ["daily"]), clock]
    zone = zone_within(reading.plain) if parts else None
    return " ".join([*parts, *([zone] if zone else [])]) or None


def _quiet(reading: Reading) -> str | None:
    """Read until when to be quiet: "until mon 09:00", "2 weeks"."""
    for match in reading.find("<n>NUM <t>TIME"):
        value, unit = reading.value(match), reading.value(match, "t")
        reading.use(*match.span())
        return f"{value:g} {unit}{'s' if value != 1 else ''}"
    for match in reading.find("DUR PER <t>TIME"):
        reading.use(*match.span())
        return f"1 {reading.value(match, 't')}"
    for match in reading.find("DAYNAME"):
        day = reading.items[match.start()].value
        reading.use(*match.span())
        return " ".join(["until", day, *filter(None, [_clock(reading)])])
    clock = _clock(reading)
    return f"until {clock}" if clock else None


def _clock(reading: Reading) -> str | None:
    for match in reading.find("CLOCK"):
        reading.use(*match.span())
        return str(reading.items[match.start()].value)
    return None


_OBJECTS = frozenset("W DOC DATA REQ IN OUT SAMPLE USER IMAGE VIDEO AUDIO".split())
_STOPS = regex(r"(?:stop|no more)\b")


@needs("ALERT", "HOWMUCH COST SELFHOST MODELNAME NUMB")
def other_work(reading: Reading) -> None:
    """ "Stop sending code to third parties": work that ends, where work is asked of."""
    told = reading.has("HOWMUCH", "COST", "SELFHOST", "MODELNAME", "NUMB")
    if not told or not reading.has("ALERT"):
        return
    ended = [
        index for index in reading.places("ALERT", "STOPV")
        if _STOPS.match(reading.word(index)) and " " in reading.word(index)
    ]  # fmt: skip
    if not all(_is_of_work(reading, index) for index in ended):
        return
    for index in ended:
        reading.become(index, "W", "")


@needs("MOVEV", "PRICING RESERVED PROVIDER GPU")
def moved(reading: Reading) -> None:
    """ "If we move our 4 A100s to a term": what we move is no price that moves."""
    if reading.has("ALERT", "CHANNEL", "PCT"):
        return
    for index in reading.places("MOVEV"):
        start = reading.items[index].start
        ours = _OURS.search(reading.plain[max(0, start - _BEFORE) : start])
        if ours or _THINGS.match(reading.plain, start):
            reading.become(index, "W", "")


_BEFORE = 30
_OURS = regex(
    r"\b(?:we|i|us)(?:'d| would| could| should| will| were to)?(?: \w+)? $|"
    r"\b(?:by|from|of|for|worth) $"
)
_THINGS = regex(
    r"(?:mov|chang|shift)\w* (?:our|my|these|those|all|both|everything|them|it)\b"
)


_THEY = regex(
    r"\b(?:users?|people|they|customers|clients|callers|devices|agents|staff|sensors|"
    r"everybody|everyone|nobody|who|that)(?: (?:can|will|must|should|may|often|all|"
    r"just))* $"
)
"""Who stops sending, and asks for no end of what we send."""


def _is_of_work(reading: Reading, index: int) -> bool:
    """Whether what is stopped is none of what an alert tells of."""
    start = reading.items[index].start
    if _THEY.search(reading.plain, max(0, start - _BEFORE), start):
        return True
    after = next((i for i in reading.starts if i > start), None)
    if after is None:
        return False
    behind = reading.starts.index(after)
    while reading.concept_at(behind) in ("NUM", "A", "CTX"):
        behind += 1
    return reading.concept_at(behind) in _OBJECTS and not reading.crossed_at(behind)


RULES = (zone, other_work, moved, alert)
