"""What is refused: "leave Lambda out of it", "spot need not apply", "no longer use T4".

Whichever way and in whichever language it is said, a "not" stands before the names in
the row afterwards, so that no rule needs to know how it was said.
"""

from bisect import bisect_left

from bot.language.items import Item
from bot.language.vocabulary import Said, phrases
from core.patterns import regex

_NAMED = frozenset(
    "PROVIDER GPU PRICING RESERVED REGION PREC MODELNAME APINAME".split()
)
_JOINTS = frozenset("AND OR SLASH A".split())
_LINK = regex(
    r"[\s\"'(]*(?:(?:the|any|our|all|an?|of|on|with|from|at|die|den|der|das|bei|auf|von|"
    r"les?|la|des|chez|sur|los?|las|en|gli|il|su|de|het|na|w|anything|everything|"
    r"that|which|both|either|sowohl|beide|"
    r"all\s+(?:two|three|four|of\s+them)\s*[,:]?|(?:(?:hosted|run|made|sold|built)\s+by))\s+)*"
)
_GOODS = regex(
    r"[\s\"')]*(?:(?:gpus?|cards?|instances?|instanzen|karten|machines?|offers?|prices|"
    r"pricing|capacity|hosts?)\s+)?(?:,\s*)?"
)
_STOPS = regex(r"\s*(?:[,.;:!)]|$|(?:and|but|so|for|because|since|as|due)\b)")
"""Behind "azure is out", which is no "out of stock" and no release."""
_REASON = regex(
    r"\s*,?\s*(?:(?:because|due to|on account of)\b|"
    r"(?:since|as)\s+(?:we|they|it|i|you|our|their|the|that|there)\b|"
    r"(?:for|on)\s+(?:\w+\s+){0,2}(?:reasons?|grounds)\b)"
)
"""Behind "5090s are out", which without one may tell that they are sold now."""
_BILL = regex(r"(?:'s)?\s+(?:bills?|invoices?|costs?|spend|prices?|pricing|limits?)\b")
"""Behind a name of which only the bill is disliked: "hates our openai bill"."""
_ASKS = regex(r"\b(?:when|once|if|until|why|warum|pourquoi|por que|perche)\b[^.;!]*$")
"""Before what is only thought of, or asked about."""


_STRESSED = regex(
    r"\b(?:is|are|was|would be|will be|'s|'re) (?:\w+ly|just|of course|quite|never)"
    r"(?: (?:not|no|never|out of)(?: an?| the)?| off| out of)? "
    r"(?:options?|possible|acceptable|allowed|permitted|question|limits|no-?go|taboo|"
    r"banned|forbidden|excluded|ruled out|prohibited|choice|go)\b"
)
""" "Spot is obviously not an option": as without the word that stresses it."""


_NO = regex(r"\b(?:not?|never|out|off|taboo|banned|forbidden|excluded|prohibited)\b")


def _said_no(plain: str) -> list[Said]:
    """Everything that refuses, in the order of the text."""
    stressed = [
        Said("behind", *found.span())
        for found in _STRESSED.finditer(plain)
        if _NO.search(found[0])
    ]
    cues = phrases("refusal").find(plain)
    return sorted([*cues, *stressed], key=lambda cue: cue.start) if stressed else cues


def refused(items: list[Item], plain: str) -> list[Item]:
    """Put a "not" before the names that are refused in words of another kind."""
    if not any(item.concept in _NAMED for item in items):
        return items
    cues, turned = _said_no(plain), _sellers_refused(items, plain)
    if not (cues or turned):
        return items
    row: list[Item] = []
    at = 0
    while at < len(items):
        end = _list_end(items, at, plain)
        cut = _refusing(plain, cues, items[at:end]) if end > at else ()
        cut = turned.get(end - 1, ()) if end > at and not cut else cut
        cut = () if cut and _is_weighed(items, at, end, plain, cut[0]) else cut
        if cut:
            while row and any(c.start <= row[-1].start < c.end for c in cut):
                row.pop()
            if not row or row[-1].concept != "NOT":
                start = items[at].start
                row.append(Item("NOT", None, start, start))
            row += _listed(items[at:end])
            while end < len(items) and any(
                c.start <= items[end].start < c.end for c in cut
            ):
                end += 1
            if cut[-1].start >= items[at].end:  # the list of what is refused ends
                row.append(Item("W", None, cut[-1].start, cut[-1].end))
            at = end
        elif end > at:
            row += items[at:end]
            at = end
        else:
            row.append(items[at])
            at += 1
    return row


_THEM = (
    r"(?:them|those|these|both|either|him|all of (?:them|those)|both of (?:them|those)|"
    r"(?:those|these|the|all) (?:two|three|four|[2-4]))"
    r"(?: (?:two|three|four|[2-4]|providers|clouds|sellers|vendors|hosts|guys))?"
)
_TURNED = regex(
    r"\b(?:(?:leav|keep|count|rul|tak|cross|strik)(?:e|ing)?"
    rf" {_THEM} (?:out|off|aside|away)(?: of (?:it|this))?\b|"
    r"(?:skip|ignor|avoid|exclud|forget|drop|omit|bar|scratch|not|never|other than|"
    r"apart from|except(?: for)?|besides|anyone but|anybody but|anything but)"
    rf"(?:e|ing|ping)? {_THEM}\b(?! (?:have|has|had|do|does|can|could|is|are|were)\b))"
)
""" "Leave those two out", "someone other than them": sellers named before."""
_FAILED = regex(
    r"\b(?:sold out(?! of)|out of stock|booked out|fully booked|(?:no|"
    r"without|(?:neither|none) "
    r"(?:of them )?(?:has|had|have))(?: any| more| free| spare)? "
    r"(?:capacity|quota|stock|availability|gpus|cards)|(?:has|had|have) "
    r"(?:nothing|none)"
    r"(?: left| free| available)?|turn(?:ed|s)? (?:us|me) down|ghost(?:ed|s|"
    r"ing)? (?:us|me)|"
    r"sa(?:id|ys?) no|never again|burn(?:ed|t) (?:us|me)|refused (?:us|me)|"
    r"let (?:us|me) down|kicked (?:us|me) out|won't (?:sell|rent) to (?:us|me))\b"
    r"(?!(?:[^.;!?\n]|\.\d)*\?)"
)
"""What sellers named before could not or would not sell: nobody asks them again."""
_IN_ONE_BREATH = regex(
    r"(?:[^.;?!\n]|\.(?=[a-z\d])|[.;] (?:both|neither|all|none|they)\b){0,60}"
)
_FAR = 160


def _sellers_refused(items: list[Item], plain: str) -> dict[int, tuple[Said, ...]]:
    """The sellers to which words behind them point back, by the last of each list."""
    found: dict[int, tuple[Said, ...]] = {}
    sellers = [at for at, item in enumerate(items) if item.concept == "PROVIDER"]
    if not sellers:
        return found
    for said in (*_TURNED.finditer(plain), *_FAILED.finditer(plain)):
        last = max(
            (at for at in sellers if items[at].end <= said.start()), default=None
        )
        if last is None:
            continue
        reach = _FAR if _TURNED.match(plain, said.start()) else 0
        near = said.start() - items[last].end <= reach or _IN_ONE_BREATH.fullmatch(
            plain, items[last].end, said.start()
        )
        if near:
            found[last] = (Said("behind", *said.span()),)
            for item in items:
                if said.start() <= item.start < said.end():
                    item.concept, item.value = "W", None
    return found


def _list_end(items: list[Item], at: int, plain: str) -> int:
    """Where a list of names of one kind ends: "lambda, vast or runpod"."""
    concept = items[at].concept
    if concept not in _NAMED:
        return at
    end = at + 1
    while end < len(items):
        ahead = end
        while ahead < len(items) and (
            items[ahead].concept in _JOINTS
            or plain[items[ahead].start : items[ahead].end] == "y"
        ):
            ahead += 1
        if ahead >= len(items) or items[ahead].concept != concept:
            break
        if _SENTENCE.search(plain, items[end - 1].end, items[ahead].start):
            break
        end = ahead + 1
    return end


def _listed(names: list[Item]) -> list[Item]:
    """The names with every joint read as one."""
    for one in names:
        if one.concept == "W":
            one.concept = "AND"
    return names


_LEAVES = regex(r"\b(?:mov\w+|leav\w+|get\w*|switch\w*|migrat\w+|ditch\w*|quit\w*)\b")


def _is_weighed(items: list[Item], at: int, end: int, plain: str, cue: Said) -> bool:
    """Whether what seems refused is what something else is held against."""
    if cue.key == "replaced" and _is_pair(items, at, end, plain):
        return True
    return items[at].concept == "APINAME" and _is_paid(items, plain, cue)


def _is_paid(items: list[Item], plain: str, cue: Said) -> bool:
    """ "Moving off Mistral's API. We spend 9,300 euros there": that is weighed."""
    told = {item.concept for item in items}
    left = _LEAVES.search(plain, cue.start, cue.end) is not None
    return left and "CUR" in told and not told & {"BUDGET", "UNDER"}


_RUNS_ON = regex(r"\s*(?:on|at|with|auf|mit|sur|avec|en|con|su|op|met|na)\s")


def _is_pair(items: list[Item], at: int, end: int, plain: str) -> bool:
    """ "Int4 on an L40S instead of fp8 on an H100": another way, that is compared."""
    if items[at].concept not in ("PREC", "MODELNAME"):
        return False
    behind = next((one for one in items[end:] if one.concept not in _JOINTS), None)
    paired = behind is not None and behind.concept == "GPU"
    told = any(one.concept == "GPU" for one in items[:at])
    return paired and told and _RUNS_ON.match(plain, items[end - 1].end) is not None


_SENTENCE = regex(r"[;:!?\n]|\.\s")
""" "No Qwen. Gemma 27B": the next sentence names what is wanted."""


def _refusing(plain: str, cues: list[Said], names: list[Item]) -> tuple[Said, ...]:
    """The words that refuse names: before, behind, or on both sides of them."""
    start, end = names[0].start, names[-1].end
    if _ASKS.search(plain, max(0, start - _NEAR), start):
        return ()
    starts = [cue.start for cue in cues]
    here = bisect_left(starts, start)
    before = next(
        (
            cue
            for cue in reversed(cues[max(0, here - _NEXT) : here])
            if _LINK.fullmatch(plain, cue.end, start)
        ),
        None,
    )
    if before and names[0].concept == "APINAME" and _BILL.match(plain, end):
        return ()
    there = bisect_left(starts, end)
    behind = next(
        (
            cue
            for cue in cues[there : there + _NEXT]
            if _GOODS.fullmatch(plain, end, cue.start)
        ),
        None,
    )
    if before and (
        before.key in ("before", "ended")
        or (before.key == "replaced" and names[0].concept != "GPU")
    ):
        return (before,)
    if before and behind and (before.key, behind.key) == ("open", "close"):
        return before, behind
    gone = _REASON if names[0].concept == "GPU" else _STOPS
    if behind and (
        behind.key == "behind"
        or (behind.key == "gone" and gone.match(plain, behind.end))
    ):
        return (behind,)
    return ()


_NEAR = 60
_NEXT = 2
"""The words of refusal next to a name, on either side, that may reach it."""
