"""Who says it, and how it is meant: measured, quoted, past, owned, taken back, negated.

A cue reaches over its clause: to the next strong boundary, or to a word that turns the
sentence back to what is wanted. The cues are words of the language files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.language.vocabulary import phrases

PERFORMANCE = frozenset(
    "rps peak_rps tokens_per_second tok_s_per_user ttft_ms tpot_ms e2e_ms "
    "total_tokens_per_request input_tokens".split()
)
_WORDED = frozenset(
    "system batch_size zones regions_count spare_replicas rollouts images_per_request "
    "production".split()
)
"""Fields of phrases, of which only a sentence of today speaks."""
_MUTED = {
    "measured": PERFORMANCE | {"batch_size", "count"},
    "quoted": (PERFORMANCE - {"rps", "peak_rps", "input_tokens"})
    | _WORDED | {"budget_amount", "count"},
    "past": _WORDED | {"budget_amount", "rps", "peak_rps", "count"},
    "example": PERFORMANCE | _WORDED,
}  # fmt: skip
"""The fields that a number in such a clause does not fill; None: any field."""
WHY = {
    "measured": "measured, not required",
    "quoted": "said by somebody else",
    "past": "in the past",
    "example": "an example",
    "elsewhere": "of something else",
    "retracted": "taken back",
    "struck": "crossed out",
}
_BREAK = re.compile(r"[;|\n?!]|\.(?=\s|$)|\s-\s|—")
_SENTENCE = re.compile(r"[;|\n?!]|\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Stance:
    """A stretch of the plain text that states nothing that is wanted now."""

    start: int
    end: int
    kind: str

    def mutes(self, field: str) -> bool:
        """Whether a number in it does not fill a field."""
        fields = _MUTED.get(self.kind)
        return fields is None or field.partition(":")[0] in fields


def _cues() -> re.Pattern[str]:
    return phrases("stance")


def stances(plain: str) -> list[Stance]:
    """Return where a text speaks of what is not wanted, or not any more."""
    return list(_found(plain))


def wanted(plain: str) -> list[tuple[int, int, int]]:
    """The clauses that say what is needed, planned or aimed at, and where they do."""
    return [
        (*_clause(plain, cue), cue.end())
        for cue in _cues().finditer(plain)
        if cue.lastgroup == "wanted"
    ]


def _found(plain: str) -> Iterator[Stance]:
    for cue in _cues().finditer(plain):
        kind = cue.lastgroup or ""
        if kind == "wanted":
            continue
        if kind == "retracted":
            yield _taken_back(plain, cue)
            continue
        start, end = _clause(plain, cue)
        back = next(
            (c for c in _cues().finditer(plain, cue.end(), end)
             if c.lastgroup == "wanted"), None,
        )  # fmt: skip
        yield Stance(start, back.start() if back else end, kind)


def _clause(plain: str, cue: re.Match[str]) -> tuple[int, int]:
    before = [found.end() for found in _BREAK.finditer(plain, 0, cue.start())]
    after = _BREAK.search(plain, cue.end())
    return before[-1] if before else 0, after.start() if after else len(plain)


def _taken_back(plain: str, cue: re.Match[str]) -> Stance:
    """ "4x l40s, scrap that": what stands before it, in this or the last sentence."""
    ends = [found.end() for found in _SENTENCE.finditer(plain, 0, cue.start())]
    while ends and not any(map(str.isalnum, plain[ends[-1] : cue.start()])):
        ends.pop()
    return Stance(ends[-1] if ends else 0, cue.end(), "retracted")
