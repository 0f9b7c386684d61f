"""A name that another of its kind takes the place of, in one breath.

"4 h100, no wait, h200" are four H200; of "nvm the l4. l40s" only the second is meant.
What else stands before the words that take a name back still holds.
"""

from itertools import pairwise

from bot.language.items import Item
from core.patterns import regex

_NAMES = frozenset("GPU INSTANCE MODELNAME PROVIDER REGION PREC".split())
_CUE = (
    r"(?:(?:no|nope|nah|nein|non|nee)(?=\s?[,.;:!—–-])|(?:oh )?(?:no )?wait(?: no)?|"
    r"no no|(?:no )?sorry(?: no)?|i mean|i meant|actually(?: no)?|or rather|correction|"
    r"(?:scratch|scrap|strike|forget|drop) that|nvm|never ?mind|make (?:that|it)|"
    r"ich meine|quatsch|sorry nein|je veux dire|pardon|quiero decir|perdon|digo|cioe|"
    r"anzi|scusa|scusate|ik bedoel|quero dizer)"
)
_INSTEAD_OF = regex(
    rf"[\s,.;:!()—–-]*(?:{_CUE}[\s,.;:!—–-]*)+(?:(?:the|an?|with|on|use|take)\s)*"
)
"""Between two names of which the second takes the place of the first."""
_AWAY = regex(
    r"\b(?:nvm|never ?mind|scrap|scratch|forget|ditch|drop|skip|ignore|lose|vergiss|"
    r"oublie[zr]?|olvida|dimentica|vergeet)\s"
    r"(?:about )?(?:(?:the|that|an?|our|den|die|das|le|la|el|il|de|het) )?$"
)
_THEN = regex(
    r"\s?[,.;:!—–-]+\s?(?:(?:and|let's|i'll|we'll|just|go|going|with|for|use|take|try|do|"
    r"make|it|the|an?|on|rather)\s)*"
)
"""Behind a name that is sent away, before the one that stays."""
_WEIGHED = regex(
    r"\b(?:thought|think\w*|look\w* at|consider\w*|compar\w+|tried|tested|evaluat\w+|"
    r"between|first|wanted|shortlist\w*|debated|torn|toyed|candidates?|initially|"
    r"options?|after|geschwankt|uberlegt|verglichen|hesite|compare\w*|dudamos)\b"
)
_SETTLED = regex(
    r"\b(?:settled on|settling on|decided (?:on|for|to use)|went with|going with|"
    r"landed on|ended up (?:with|on|at)|chose|chosen|picked|opted for|choice fell on|"
    r"nehmen jetzt|entschieden (?:uns )?fur|avons choisi|on a choisi|elegimos|"
    r"abbiamo scelto|escolhemos)\s(?:(?:the|an?|using|den|die|das|le|la|el|il|o)\s)?$"
)
"""Before the one that was decided on, of several that were weighed."""
_LONGEST_CUE = 60
REPLACES = "replaces"
"""The mark of a name that stands in the place of another."""
FORGOTTEN = "forgotten"
"""The value of a word that was a name and was taken back later."""


def replaced(items: list[Item], plain: str) -> list[Item]:
    """Put each name in the place of the one that it replaces; say what is left."""
    names = [item for item in items if item.concept in _NAMES]
    _decided(names, plain)
    names = [item for item in names if item.concept in _NAMES]
    gone: list[Item] = []
    for old, new in pairwise(names):
        if old.concept != new.concept or new.start - old.end > _LONGEST_CUE:
            continue
        between = plain[old.end : new.start]
        if old.value != new.value and _INSTEAD_OF.fullmatch(between):
            old.value, old.end, kept = new.value, new.end, old
        elif (away := _AWAY.search(plain, 0, old.start)) and _THEN.fullmatch(between):
            _forget(names, old)
            new.start, kept = away.start(), new
        else:
            continue
        kept.suffix = REPLACES
        gone += [
            item
            for item in items
            if item is not kept and kept.start <= item.start < kept.end
        ]
    return [item for item in items if item not in gone] if gone else items


def _forget(names: list[Item], old: Item) -> None:
    """Take a name back wherever it stood before it was sent away."""
    told = old.concept, old.value
    for one in names:
        if one.start < old.start and (one.concept, one.value) == told:
            one.concept, one.value = "W", FORGOTTEN


def _decided(names: list[Item], plain: str) -> None:
    """Of "thought about Kimi K2, then GLM, and settled on MiniMax M2" keep the last."""
    for at, one in enumerate(names[1:], 1):
        if one.concept != "MODELNAME" or not _SETTLED.search(plain, 0, one.start):
            continue
        others = [
            other
            for other in names[:at]
            if other.concept == one.concept and other.value != one.value
        ]
        if others and _WEIGHED.search(plain, 0, one.start):
            for other in others:
                other.concept, other.value = "W", FORGOTTEN
