"""Who says it, and how it is meant: measured, quoted, past, owned, taken back, negated.

A cue reaches over its clause: to the next strong boundary, or to a word that turns the
sentence back to what is wanted. The cues are words of the language files.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from bot.language.vocabulary import Said, phrases
from core.patterns import regex

PERFORMANCE = frozenset(
    "rps peak_rps tokens_per_second tok_s_per_user ttft_ms tpot_ms e2e_ms "
    "total_tokens_per_request input_tokens".split()
)
_WORDED = frozenset(
    "system batch_size zones regions_count spare_replicas least_replicas rollouts "
    "images_per_request production".split()
)
"""Fields of phrases, of which only a sentence of today speaks."""
_MUTED = {
    "measured": PERFORMANCE | {"batch_size", "count", "gpu"},
    "quoted": (PERFORMANCE - {"rps", "peak_rps", "input_tokens"})
    | _WORDED | {"budget_amount", "count", "gpu"},
    "past": (_WORDED | PERFORMANCE | {"percentile"}
             | {"budget_amount", "count", "gpu", "params_b"})
    - {"input_tokens", "total_tokens_per_request"},
    "today": frozenset(
        "rps peak_rps users concurrency requests_per_day tokens_per_second".split()
    ),
    "claimed": PERFORMANCE - {"rps", "peak_rps", "input_tokens"},
    "example": PERFORMANCE | _WORDED,
    "unwanted": frozenset(("count", "gpu")),
    "gone": frozenset(("budget_amount",)),
    "billed": frozenset(("budget_amount",)),
}  # fmt: skip
"""The fields that a number in such a clause does not fill; None: any field."""
WHY = {
    "measured": "measured, not required",
    "quoted": "said by somebody else",
    "past": "in the past",
    "claimed": "said by somebody else",
    "today": "the load of today, not the planned one",
    "example": "an example",
    "unwanted": "not wanted",
    "gone": "in the past",
    "billed": "what is paid, not a limit",
    "elsewhere": "of something else",
    "outlived": "in the past",
    "retracted": "taken back",
    "struck": "crossed out",
}
STOP = (
    r"\.(?=\s|$)(?<!\bno\.)(?<!\bnr\.)(?<!\bca\.)(?<!\bvs\.)(?<!\bapprox\.)(?<!\bincl\.)"
    r"(?<!\bok\.)(?<!\bmax\.)(?<!\bmin\.)(?<!\bavg\.)(?<!\be\.g\.)(?<!\bi\.e\.)"
    r"(?<!\bz\.b\.)(?<!\btys\.)(?<!\bтыс\.)"
)
"""A full stop that ends a sentence, and no abbreviation."""
_BREAK = regex(rf"[;|\n?!]|{STOP}|\s-\s|—")
_SENTENCE = regex(rf"[;|\n?!]|{STOP}")


_NEW_FIGURE = regex(
    r"\W{0,2}(?:(?:about|around|for|of|to|at)\s)?~?\d[\d.,]*\d?k?\s?"
    r"(?:[,.;!?)]|$|rps\b|qps\b|req|by\b|next\b|from\b|soon\b|then\b|after\b|in\b|"
    r"when\b|once\b)"
)
"""A load, behind a word that wants it, in place of that of today."""


_OBJECT = regex(
    r"vetoed\s+(?!(?:by|and|because|so|last|yesterday|today|in|on|at|it|that)\b)[a-z]|"
    r"(?:put|set|setting)\s+aside\s+(?:(?:about|around|some|roughly|a|another)\s+)?[$€£]?\d"
)
"""Who vetoes something named takes back nothing that was said before; nor who puts
money aside."""


_OURS = regex(
    r"[.;,!?\n:]\s(?:but\s)?(?:ours?\s(?:is|are|has|case)|our own|mine is|for us\b|"
    r"in our case|we:|us:|ours?:|unser\w* |bei uns|le notre|chez nous|el "
    r"nuestro|nuestro caso|"
    r"il nostro|"
    r"da noi|o nosso|bij ons|u nas|у нас|bizim|"
    r"we (?:just |only )?(?:have|run|need|want|serve)\b|our \d|"
    r"i (?:just |only )?(?:have|need|want)\b|wir (?:haben|wollen|brauchen)\b|"
    r"here it's|here we)"
)
"""Where the asker's own case is told, behind an example or what others have."""


class Stance(Struct, frozen=True):
    """A stretch of the plain text that states nothing that is wanted now."""

    start: int
    end: int
    kind: str

    def mutes(self, field: str) -> bool:
        """Whether a number in it does not fill a field."""
        fields = _MUTED.get(self.kind)
        return fields is None or field.partition(":")[0] in fields


class Heard(Struct, frozen=True):
    """What a text says of its own clauses."""

    stances: tuple[Stance, ...] = ()
    wanted: tuple[tuple[int, int, int], ...] = ()
    """The clauses that say what is needed or planned, and behind which word."""
    today: tuple[tuple[int, int], ...] = ()
    """The words for today."""
    past: tuple[tuple[int, int], ...] = ()
    """The parts of sentences that tell of something that was."""
    settled: tuple[int, ...] = ()
    """Behind which words stands what was decided in the end."""


_BY_A_MODEL = regex(r"\b(?:it|model|llm|bot)\s$")
""" "It thinks a lot", "the model claims": nobody says a figure there."""


_ORDERED = regex(
    r"\s(?:us |me )?(?:not )?to (?:stay|keep|spend|remain|come in|exceed|limit|cap)\b"
)
"""Who was told to stay below a sum has it as a limit."""
_HEARSAY = ("quoted", "claimed")


def _cues(plain: str) -> list[Said]:
    """Every word that tells how its clause is meant, in order."""
    cues = [
        cue
        for cue in phrases("stance").find(plain)
        if cue.key not in _HEARSAY or not _ORDERED.match(plain, cue.end)
        if cue.key != "quoted" or not _BY_A_MODEL.search(plain, 0, cue.start)
        if cue.key != "dropped" or not _OBJECT.match(plain, cue.start)
        if cue.key != "retracted" or not _AFTERWARDS.match(plain, cue.start)
        if cue.key != "elsewhere"
        or not (
            _SELLS.match(plain, cue.start) is not None
            and _JUDGED.search(plain) is not None
        )
    ]
    performed = [
        Said("measured", *found.span())
        for found in _DOES.finditer(plain)
        if (end := _SENTENCE.search(plain, found.end())) is None or end[0] != "?"
    ]
    performed += (Said("past", *found.span()) for found in _SPENT.finditer(plain))
    performed += _of_another(plain)
    performed += (
        Said("quoted", *found.span("said")) for found in _SELLS.finditer(plain)
    )
    return sorted([*cues, *performed], key=lambda cue: cue.start) if performed else cues


_A_SUM = (
    r"(?:[$€£]\s?\d[\d.,]*\s?(?:k|m|mn|mio|grand|thousand|million)?\b|\d[\d.,]*\s?"
    r"(?:k|m|mn|mio|grand|thousand|million|tausend|mille|mila|mil)?\s?"
    r"(?:eur|euros?|usd|dollars?|bucks|gbp|pounds|quid|chf|francs|grand|€|[$]|£))"
)
_GONE = regex(
    r"\b(?:(?:swallowed|devoured|gobbled|guzzled|squandered|frittered|sunk|sank|blew|"
    r"blown|churned|went|ate(?= up)|eaten|chewed|lost|poured|threw|burn(?:ed|t))"
    r"(?:\s(?:up|away|through))?|set (?:us|me|them|him|her) back|"
    r"(?:poc|concept|pilots?|prototypes?|mvp|trials?|experiments?|attempts?|try|demo|"
    r"spike|rfp|study|project) (?:has |had |already |has already )?"
    r"(?:ate|came (?:in )?(?:to|at)|ran to)|englouti\w*|devore|divorato|inghiottito|"
    r"se comio|se trago|devorado|engoliu|opgeslokt|verschlang\w*|pochlon\w+)"
    r"(?:\s(?:up|about|around|roughly|some|nearly|almost|over|another|rund|etwa|"
    rf"environ|unos|circa|ca|us|a|un|uns|nous))*\s{_A_SUM}|"
    rf"(?<![\d.,]){_A_SUM}\s(?:verschlungen|verbraten|verbrannt|versenkt|verpulvert|"
    r"verblasen|(?:has |have |had )?(?:already |just )?"
    r"(?:went|gone|disappeared|vanished) (?:into|on|down))\b"
)
"""A sum that something has swallowed, and that nobody may spend again."""
_BILLED = regex(
    r"\b(?:overages?|(?:lease|leasing) (?:offer|rate|price)|(?:the|our) subscription|"
    r"statement|invoice[sd]?|pitched|charges us|costs? us|costing us|"
    r"(?:vendor|agency|supplier|reseller|contractor|provider) (?:charges|asks|wants)|"
    r"rechnung|abo kostet|facture|factura|fattura|fatura|factuur|faktura)\b"
    r"(?:(?!\b(?:budget|max\w*|under|below|limit|at most|up to|cap|within)\b)"
    rf"[^.;?!\n]){{0,80}}?(?<![\d.,])(?:{_A_SUM}|\d[\d.,]*k\b(?=\s(?:a|per) month))"
)
"""What somebody else asks for, or is paid today: no limit to what may be spent."""
_ANOTHER = regex(
    r"\b(?:team [a-z]+|(?:the|another|a different|some other|(?:my|our|a) "
    r"(?:sister|other|"
    r"neighbou?ring)) (?:[\w-]+ ){0,2}?(?:team|squad|guild|department|dept|"
    r"crew|division|"
    r"branch|subsidiary|tribe|bu))(?:'s \w+)?(?: (?:over there|next door|in [a-z]+))?\s"
    r"(?:has|have|runs?|uses?|trains?|owns?|rents?|pays?|gets?|does|serves?|fine-?tunes?|"
    r"sees|handles?|sits? on)\b|"
    r"\b(?:sales\w*|account managers?|vendors?|sellers?|resellers?|"
    r"reps?)(?: \w+){0,2}? "
    r"(?:says?|said|promis\w+|wants?|insists?|demands?|requires?|offer(?:s|ed)?)\b"
    r"(?=[^.;?!\n]*\b(?:minimum|at least|discount|off|commitment|commit|years?)\b)"
)
"""What another team has, and the terms that sellers make."""
_LENT = regex(r"\b(?:them|those|theirs|borrow\w*|shar(?:e|ing)|take over)\b")


def _of_another(plain: str) -> Iterator[Said]:
    """Such words, where it is told behind them what the asker needs instead."""
    for found in _ANOTHER.finditer(plain):
        told = _OURS.search(plain, found.end())
        counts = told and any(map(str.isdigit, plain[told.end() - 1 :]))
        if counts and not _LENT.search(plain, found.end()):
            yield Said("others", *found.span())


_SPENT = regex(
    r"(?<!be )(?<!get )(?<!money )(?<!well )\bspent\s"
    r"(?=(?:(?:about|around|roughly|nearly|almost|some|over|another|only|just)\s)?"
    r"[$€£]?\s?\d)|"
    r"\b(?:fy ?'?(?:20)?(?:1\d|2[0-5])|(?:in )?20(?:1\d|2[0-5])|last (?:year|quarter|"
    r"month)'?s?)(?: (?:gpu|cloud|ml|ai|compute|infra|total|actual))? "
    r"(?:spend|spending|bill|costs?|invoices?|outlay|actuals)\b"
)
"""Money that is gone: "our squad spent 130k", "FY25 spend: $1.2M"."""
_SELLS = regex(
    r"\b(?:vendors?|competitors?|competition|rivals?|sales|resellers?|marketing|decks?|slides?|brochures?|flyers?|keynotes?|"
    r"datasheets?|data sheets?|spec sheets?|webinars?|landing page|nvidia|amd|intel)\b"
    r"(?:'s)?[^.,;:?!\n]{0,24}?\s(?P<said>promis(?:es?|ed)|claim(?:s|ed)|boasts?|touts?|"
    r"advertis(?:es?|ed)|brags?)\b"
)
"""What sellers say of their wares: "vendor deck slide 17 promises 9,400 tok/s"."""


def heard(plain: str) -> Heard:
    """Return where a text speaks of what is wanted, and of what is not any more."""
    cues = _cues(plain)
    unwanted = tuple(Stance(*m.span(), "unwanted") for m in _UNWANTED.finditer(plain))
    unwanted += tuple(Stance(*m.span(), "gone") for m in _GONE.finditer(plain))
    unwanted += tuple(Stance(*m.span(), "billed") for m in _BILLED.finditer(plain))
    unwanted += tuple(Stance(*m.span(), "claimed") for m in _NORMAL.finditer(plain))
    if not cues:
        return Heard(unwanted, past=_pasts(plain))
    if any(cue.key in ("today", "wanted") for cue in cues):
        cues += (Said("past", *found.span()) for found in _WAS.finditer(plain))
        cues.sort(key=lambda cue: cue.start)
    breaks = [found.span() for found in _BREAK.finditer(plain)]
    ends = [end for _, end in breaks]

    def clause(cue: Said) -> tuple[int, int]:
        if cue.key == "measured" and (row := _piped(plain, cue.start)):
            return row
        at = bisect_right(ends, cue.start)
        after = next(
            (start for start, _ in breaks[at:] if start >= cue.end), len(plain)
        )
        return ends[at - 1] if at else 0, after

    stances: list[Stance] = [*unwanted]
    for place, cue in enumerate(cues):
        if cue.key == "retracted":
            stances.append(_taken_back(plain, cue))
        elif cue.key == "others" or (
            cue.key == "example" and _OURS.search(plain, cue.end)
        ):
            told = _OURS.search(plain, cue.end)
            first, last = clause(cue)
            last = min(last, told.start()) if told else last
            stances.append(Stance(first, last, "elsewhere" if told else "quoted"))
        elif cue.key in ("elsewhere", "dropped"):
            stances.append(_of_others(plain, cue, *clause(cue)))
        elif cue.key not in ("wanted", "settled"):
            stances += _of_clause(plain, cues, place, clause(cue))
    stances += (Stance(0, clause(cue)[0], "today") for cue in _to_come(plain, cues))
    wanted = [(*clause(cue), cue.end) for cue in cues if cue.key == "wanted"]
    wanted += (
        (cue.start, clause(cue)[1], cue.end) for cue in cues if cue.key == "settled"
    )
    today = ((cue.start, cue.end) for cue in cues if cue.key == "today")
    settled = tuple(cue.end for cue in cues if cue.key == "settled")
    return Heard(tuple(stances), tuple(wanted), tuple(today), _pasts(plain), settled)


_AFTERWARDS = regex(r"i mean(?: it)?\s{0,2}(?:[,.;!?)\n]|$)")
""" "In awq i mean": it confirms what stands before it."""
_UNWANTED = regex(
    r"\b(?:(?:nobody|no\s{1,4}one|none\s{1,4}of\s{1,4}us|niemand|keiner|personne|nadie|ninguem|nessuno)"
    r"|(?:rather\s{1,4}not|(?:do\s{1,4}not|don't|dont|won't|will\s{1,4}not|can't|cant|cannot|wouldn't)\s{1,4}"
    r"(?:want|like|wish|have|get|buy|afford|approve|need|own|pay\s{1,4}for)))\b"
    r"(?:\s{1,4}(?!(?:more|over|less|fewer|than|at|only|just|but|beyond|above)\b)[a-z]+){0,5}?"
    r"\s{1,4}\d{1,5}\s{0,4}x?\s{0,4}"
    r"(?:[abhlv]\d{1,3}s?|[gm][bi]\d+\w?|gpus?|cards?|nodes?|boxes|servers?)\b"
)
"""Hardware that nobody wants, or that is not there: "don't want to run 64 gpus"."""


def _to_come(plain: str, cues: list[Said]) -> Iterator[Said]:
    """Where a new figure is told of times to come, and no word says which is today's.

    "They manage 5 requests a second. From March it will be 13."
    """
    if any(cue.key == "today" for cue in cues):
        return
    for cue in cues:
        said = _WILL_BE.search(plain, max(0, cue.start - 6), cue.end)
        if cue.key == "wanted" and said and _NEW_FIGURE.match(plain, cue.end):
            yield cue


_WILL_BE = regex(
    r"\b(?:it|that|this|they|there)(?:'ll| will) be$|\b(?:werden es|sind es dann|"
    r"ce sera|ce seront|seran|saranno|bedzie ich|olacak)$|будет$|станет$"
)


def _piped(plain: str, at: int) -> tuple[int, int] | None:
    """The whole line of "benchmark 300 s | 871 requests | median ttft 1890 ms"."""
    end = _ROW_ENDS.search(plain, at)
    row = plain.rfind("\n", 0, at) + 1, end.start() if end else 0
    return row if end and plain.count("|", *row) >= _LEAST_PIPES else None


_ROW_ENDS = regex(r"\n|—|\s-\s|\.\s")

_LEAST_PIPES = 2


def _of_clause(
    plain: str, cues: list[Said], place: int, clause: tuple[int, int]
) -> Iterator[Stance]:
    """How far a cue reaches in its clause; that of today only where a plan follows."""
    start, end = clause
    cue, later = cues[place], cues[place + 1 :]
    plans = [other for other in later if other.key in ("wanted", "settled")]
    if cue.key == "past" and (ask := _ASKS.search(plain, cue.end, end)):
        end = ask.start()
    if cue.key == "quoted":
        plans = [p for p in plans if not _SAID.fullmatch(plain, cue.end, p.start)]
    if cue.key == "today":
        if any(_NEW_FIGURE.match(plain, plan.end) for plan in plans):
            yield Stance(start, min(end, *(c.start for c in later)), "today")
        return
    if plans and plans[0].end <= end:
        end = plans[0].start
    if cue.key == "quoted":
        for_what = _QUOTED_FOR.search(plain, cue.end, end)
        end = for_what.start("behind") if for_what else end
    today = [c for c in cues if c.key == "today" and start <= c.start < end]
    if cue.key == "past" and today:
        yield from _of_its_time(plain, cue, (start, end), today)
    elif cue.key == "quoted" and _is_claim(plain, start, end):
        yield Stance(start, end, "claimed")
    else:
        yield Stance(start, end, cue.key)


_A_SPEED = (
    r"\d[\d.,]{0,9}k?\s{0,4}(?:(?:tok\w{0,4}|t)\s{0,4}(?:/|per)\s{0,4}s|tps|"
    r"ms\s{0,4}(?:/|per)\s{0,4}tok)"
)
_SPEED = regex(_A_SPEED)
_AS_USUAL = (
    r"\b(?:normale?|usual|typical|decent|expected|(?:sounds? |about )right|slow|"
    r"fast|low|"
    r"on par|par for the course|reasonable|poor|any good|respectable|standard|ublich|"
    r"habituel|habitual|good(?! for (?:\d+ |our |my |the |users|people|"
    r"chat)))\b(?! enough)"
)
_NEAR_IT = r"(?:[^.;?!]|\.(?=\d)){0,90}?"
_IS = r"\b(?:is|are|does|do|isn't|aren't|ist|sind|est|sont|es|son|e|sono)\s"
_NORMAL = regex(
    rf"{_IS}(?:only |just |about |"
    rf"around )?~?{_A_SPEED}{_NEAR_IT}(?<!too ){_AS_USUAL}{_NEAR_IT}\?|"
    rf"(?<!need )(?<!needs )(?<!want )~?{_A_SPEED}{_NEAR_IT}[.,;:]\s(?:so |and )?"
    rf"(?:{_IS}(?:that|this|it|das|es|ca|esto|questo)\s(?:\w+ )?{_AS_USUAL}{_NEAR_IT}|"
    r"(?:is (?:that|this|it) )?(?:normale?|usual|typical|expected|decent|good)\s*)\?"
)
""" "Is 62 tok/s normal for a 24b on a 4090?": a figure to be judged, and no demand."""
_JUDGED = regex(
    r"\b(?:normal|usual|typical|realistic|plausible|believable|credible|legit|achievable|"
    r"attainable|true|possible|feasible|realistisch|glaubhaft|realiste|realista|creible)\b"
    r"[^.;?!]{0,40}(?:\?|$)"
)


_DOUBTED = regex(
    r"\b(?:nonsense|rubbish|bullshit|baloney|hogwash|bogus|made up|wishful thinking|"
    r"(?:he|she|they)(?:'s|'re| is| are) (?:wrong|mistaken|lying)|"
    r"are (?:they|you) sure|"
    r"(?:is|are) (?:he|she|they) (?:right|wrong|lying|serious)|did (?:he|she|they) lie|"
    r"(?:is|can|could) (?:that|this|it) (?:be )?(?:true|right|correct)|true or|unsinn|"
    r"blodsinn|kann das stimmen|stimmt das)\b"
)
_WE_NEED = regex(r"\b(?:need|needs|buy|rent|get|take|order|brauch\w*)\b")


def _is_claim(plain: str, start: int, end: int) -> bool:
    """Whether it is asked if a claim is true: its hardware is what it is asked of."""
    if _SPEED.search(plain, start, end):
        return _JUDGED.search(plain) is not None
    told = _DOUBTED.search(plain) and not _WE_NEED.search(plain, start, end)
    return bool(told and _FOR_PEOPLE.search(plain, start, end))


_FOR_PEOPLE = regex(
    r"\d[\d.,]*k?\s(?:\w+\s){0,2}?(?:users?|people|seats?|sessions?|chats?|requests?|rps|"
    r"qps|employees|agents|developers|customers|nutzer\w*|anfragen)\b"
)
"""What a claim says that hardware carries."""


_SAID = regex(
    r"\s(?:that )?(?:(?:we|you|i|it|this|they|one)(?:'d)?\s)?(?:all |really )?"
)
""" "They keep saying we need h100s": what is needed is said by them."""
_QUOTED_FOR = regex(
    r"\b\d+\s?x?\s?(?:[abhlv]\d{1,3}s?|[gm][bi]\d+\w?|gpus?|cards?|nodes?)\b[^,;.?!]{0,25}?"
    r"\s(?P<behind>for|fur|pour|para|per|voor|dla)\s(?!free\b|\$?\d[\d.,]*k?\b)"
)
"""Machines quoted for some work: the figures of that work are the asker's own."""
_PAST = regex(
    r"(?:\b(?=[a-zа-я])|(?=[原当で이했]))(?:"
    r"(?<!\bif )(?<!\bif i )(?<!\bif we )(?<!\bif it )(?<!\bif they )(?<!should have )"
    r"\b(?:ran|took|had|used to be|was(?! (?:kost|ist|sind|war|brauch|kann|konn|pass|"
    r"lauf|muss|soll|wird|wurd|mach|bring|sprich|heiss|bedeut|nehm|empfehl|das|die|der|wir|ich|"
    r"fur|geht|gabe|gibt|hiess|andert|spart))|were|went|saw|said|thought|"
    r"cost (?:us|them|me|him|her|about)|"
    r"(?:i|we|he|she|they|who|you) (?:\w+ly |once )?(?:rented|leased|hosted|trained|"
    r"served|paid|tried|guessed|assumed|estimated|used|tested|fine-?tuned))\b"
    r"(?! (?:wondering|thinking|hoping|asked|told|curious|looking|to\b|better|going))"
    r"|\b(?:hatten?|waren|liefe?n?|kostete|coutai(?:t|ent)|costaban?|costavan?o?|"
    r"custavam?|kostten?|kosztowal\w*|(?:et|av)ai(?:t|ent)|visait|tournait|"
    r"habia|tenian?|teniamos|usabamos|tinham?|tinhamos|aveva(?:no|mo)?|hadden|"
    r"mielismy|byl[oay]?|mial[aoy]?|vardi|были|было|был|bola tha|tha|thi)\b"
    r"|原来|当初|当時|でした|이었|했었)"
)
"""What tells of something that was; the bot is asked about what is and will be."""
_HOLDS = regex(
    r"[,;:]?\s(?:but|yet|now|still|so(?! to)|however|though|finally|eventually|"
    r"in the end|aber|jetzt|letztlich|am ende|mais|finalement|pero|ahora|finalmente|"
    r"al final|ma|adesso|alla fine|ale|teraz|ostatecznie|ama|но|сейчас|в итоге)\s"
    r"|,(?=[^,]{1,30} (?:forced|cut|brought|moved|raised|lowered|changed|reduced|"
    r"increased|trimmed) (?:it|that|them|this)\b)"
)
"""From where a sentence that told of the past may tell of today."""


_ASKS = regex(
    r",\s(?:(?:and|but|so)\s)?[¿¡]?(?=(?:what|what's|whats|how much|how many|which|"
    r"was kost\w+|wie viel\w*|combien|cuant[oa]s?|quant[oaie]|wat kost\w*|hoeveel|ile|"
    r"сколько|ne kadar|kac)\b)"
)
""" "The v100 was $1.10, what's an h100?": only its second part asks."""
_WHY = regex(r"\b(?:why|warum|pourquoi|por que|perche|waarom|dlaczego)\b")


def _pasts(plain: str) -> tuple[tuple[int, int], ...]:
    return tuple(_told(plain)) if _PAST.search(plain) else ()


def _told(plain: str) -> Iterator[tuple[int, int]]:
    """The parts of sentences that only tell of something that was, and ask nothing."""
    start = 0
    ends = [found.span() for found in _SENTENCE.finditer(plain)]
    for first, last in [*ends, (len(plain), len(plain))]:
        turn = _ASKS.search(plain, start, first)
        asked = "?" in plain[first:last] or _WHY.search(plain, start, first)
        asks = turn is None and asked
        turn = turn or (None if asks else _HOLDS.search(plain, start, first))
        found = _PAST.search(plain, start, turn.start() if turn else first)
        if found and not asks:
            yield start, turn.start() if turn else first
        start = last


_DOES = regex(
    r"\b(?=[a-z])(?:\b(?:got|hit|reached|managed|saw|clocked)(?<!we got)(?<!i got)"
    r"(?<!'ve got)(?<!have got)\s"
    r"(?=(?:about |around |only |just |like |maybe )?~?\d[\d.,]*k?\s?"
    r"(?:t/s|tok\S*|tps|tokens?)\b)|"
    r"(?<!that )(?<!which )(?<!it )(?<!to )\b(?:does|do|gets|hits|manages|pushes|makes|"
    r"reaches|delivers|gives me|gives us|schafft|macht|fait|hace|fa|haalt)\s"
    r"(?=(?:about |around |only |just |like |maybe )?~?\d[\d.,]*k?\s?"
    r"(?:t/s|tok\S*|tps|tokens?)\b)|"
    r"\b(?:takes|needs|answers in|responds in)\s(?=\d[\d.,]*\s?(?:ms|s|sec\w*)\s"
    r"(?:today|now|currently|at the moment|right now)\b))"
)
"""A machine's own speed, told of: what it writes is no load."""
_WAS = regex(
    r"\b(?:was|were|war|waren|etait|etaient|era|eran|eram|was er)"
    r"\s(?=(?:at |about |around |bei |a |de |di )?~?\d)"
)
"""What held before, where the same text says what holds today."""
_PART = regex(
    r",(?!\d)|:(?!\d)|->|&gt;|[→⇒]|\b(?:and|but|then|und|aber|et|mais|y|pero|e|ma|en|maar)\b"
)


def _of_its_time(
    plain: str, cue: Said, clause: tuple[int, int], today: list[Said]
) -> Iterator[Stance]:
    """Part by part: "was 14 rps, 28 now", "last year's 12: we're at 31 today".

    A part is of the time that is said in it, else of that of the part before.
    """
    first, last = clause
    cuts = [m.end() for m in _PART.finditer(plain, first, last)]
    past: bool | None = None
    for start, end in pairwise([first, *cuts, last]):
        if start <= cue.start < end:
            past = True
        elif any(start <= c.start < end for c in today):
            past = False
        if past is not False:
            yield Stance(start, end, cue.key)


_POINTS_BACK = regex(
    r"\b(?:that|this|those|these|it|das|dies|ca|cela|eso|isso|questo|quello|dat|to|bu|"
    r"это|эти)\b|那|这|それ|これ|그건|이건"
)


_KEPT_ON = regex(r",|:\s|\s(?:and|but)\s(?:keep|leave|only|just|we\b)")
"""Where what is dropped ends, and what stays is told."""


def _of_others(plain: str, cue: Said, first: int, last: int) -> Stance:
    """Between two commas; "that is another team's" speaks of what stands before."""
    start = plain.rfind(",", first, cue.start) + 1 or first
    gone = _KEPT_ON.search(plain, cue.end, last) if cue.key == "dropped" else None
    end = gone.start() if gone else plain.find(",", cue.end, last)
    if start > first and _POINTS_BACK.search(plain, start, cue.start):
        start = plain.rfind(",", first, start - 1) + 1 or first
    kind = "retracted" if cue.key == "dropped" else cue.key
    return Stance(start, last if end < 0 else end, kind)


def _taken_back(plain: str, cue: Said) -> Stance:
    """ "4x l40s, scrap that": what stands before it, in this or the last sentence."""
    ends = [found.end() for found in _SENTENCE.finditer(plain, 0, cue.start)]
    while ends and not any(map(str.isalnum, plain[ends[-1] : cue.start])):
        ends.pop()
    start = ends[-1] if ends else 0
    comma = plain.rfind(",", start, cue.start) + 1
    if any(map(str.isalnum, plain[comma : cue.start])):
        start = max(start, comma)  # "the learner is elsewhere so ignore it"
    return Stance(start, cue.end, "retracted")
