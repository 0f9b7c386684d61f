"""Read amounts: digits, scales, number words, ranges."""

from dataclasses import dataclass
from functools import cache

from bot.language.items import Item
from bot.language.lexer import Token, value_of
from bot.language.vocabulary import Vocabulary, read_toml

SCALES = {
    "k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "bn": 1e9, "mm": 1e6, "kk": 1e6,
    "mio": 1e6, "mrd": 1e9, "cr": 1e7, "tn": 1e12, "mn": 1e6, "tr": 1e12,
}  # fmt: skip
_COUNTED = frozenset("REQ TOK USER SAMPLE DOC CONC DATA".split())
_TO = frozenset(("-", "to", "bis", "~", "a"))
_MYRIAD = 1e4
_LIMIT = 1e30
_MOST_SCALES = 4
_WRITTEN = {**{sign: float(i) for i, sign in enumerate("〇一二三四五六七八九")},
            "两": 2.0, "兩": 2.0, "十": 10.0, "百": 100.0, "千": 1000.0}  # fmt: skip
"""Digits of Chinese and Japanese, and what stands for their places."""
_MOST_WORDS = 12
"""Words of one number: beyond them nobody means a number."""


@cache
def _spanish_words() -> frozenset[str]:
    return frozenset(read_toml("numbers")["thousand"]["hint"].split())


@dataclass(slots=True)
class Amount:
    """A number under way: its value, its scale, where it ends."""

    value: float
    end: int
    suffix: str = ""
    base: float = 0.0
    other: float | None = None


class NumberReader:
    """Reads the amount that starts at a token."""

    def __init__(self, tokens: list[Token], words: Vocabulary) -> None:
        self.tokens = tokens
        self.words = words
        spanish = _spanish_words()
        self.dashes = sum(token.text == "-" and not token.glued for token in tokens)
        self.spanish = any(token.text in spanish for token in tokens)

    def read(self, at: int) -> tuple[Item, int] | None:
        """Read a number, or the upper end of a range of numbers."""
        amount = self._amount(at)
        if amount is None:
            return None
        upper = self._upper(amount)
        low = amount.value if upper else None
        amount = upper or amount
        if not abs(amount.value) < _LIMIT:
            return None
        start = self.tokens[at].start
        if self._negative(at):
            amount.value = -amount.value
        item = Item(
            _concept(amount.suffix),
            amount.value,
            start,
            self.tokens[amount.end - 1].end,
            suffix=amount.suffix,
            base=amount.base,
            low=low,
            other=amount.other,
        )
        return item, amount.end

    def _negative(self, at: int) -> bool:
        """Whether a minus sign stands at the number and not between two words."""
        if at == 0 or self.tokens[at - 1].text != "-" or not self.tokens[at].glued:
            return False
        return at == 1 or (
            not self.tokens[at - 1].glued or self.tokens[at - 2].text in ("=", ":")
        )

    def _upper(self, low: Amount) -> Amount | None:
        """Read "10-20", "10 to 20": the upper end is what must be served."""
        at = low.end
        if at + 1 >= len(self.tokens) or self.tokens[at].text not in _TO:
            return None
        if self.tokens[at + 1].kind != "number":
            return None
        if self.tokens[at].text == "a" and not self.spanish:
            return None
        if (
            self.tokens[at].text == "-"
            and not self.tokens[at].glued
            and self.dashes > 1
        ):
            return None  # " - " parts clauses here
        high = self._amount(at + 1)
        if high is None:
            return None
        if high.suffix and not low.suffix and low.base < high.base:
            low.value = low.base * high.value / high.base  # "2-3k"
        return high if high.value > low.value else None

    def _amount(self, at: int) -> Amount | None:
        token = self.tokens[at]
        if token.kind == "number":
            thousands = "." in token.text and self._counts(at + 1)
            value = value_of(token.text, thousands)
            if "e" in token.text and value >= 1e9:
                return Amount(value, at + 1, "b", value / 1e9)
            other = value_of(token.text, not thousands)
            return self._scaled(
                Amount(value, at + 1, base=value, other=other)
                if other != value
                else Amount(value, at + 1, base=value)
            )
        return self._spelled(at)

    def _counts(self, at: int) -> bool:
        """Whether what follows is counted in whole things."""
        if at >= len(self.tokens):
            return False
        _, senses = self.words.longest(self.tokens, at)
        return senses is not None and senses[0][0] in _COUNTED

    def _scaled(self, amount: Amount) -> Amount:
        """Apply what scales the number: 3k · 1.5 million · 5 lakh · 3 万."""
        most = amount.end + _MOST_SCALES
        while amount.end < min(most, len(self.tokens)):
            token = self.tokens[amount.end]
            end, factor, suffix = self._scale(token, amount.end)
            if factor == 0:
                break
            amount.value *= factor
            if factor >= _MYRIAD and (rest := self._below(end, factor)) is not None:
                amount.value, end = amount.value + rest[0], rest[1]
            amount.other = None
            amount.suffix = suffix
            amount.end = end
        return amount

    def _below(self, at: int, factor: float) -> tuple[float, int] | None:
        """What goes on behind 万 or 亿: "3万2千" is 32,000."""
        pair = self.tokens[at : at + 2]
        if len(pair) < 2 or not all(token.glued for token in pair):
            return None
        place = _WRITTEN.get(pair[1].text, 0.0)
        if pair[0].kind != "number" or not 10 <= place < factor:
            return None
        return value_of(pair[0].text) * place, at + 2

    def _scale(self, token: Token, at: int) -> tuple[int, float, str]:
        text = token.text
        if text == "mil":
            end, senses = self.words.longest(self.tokens, at)
            if senses is None or end == at + 1:
                return (at + 1, 1e3, "k") if self.spanish else (at + 1, 1e6, "m")
        if text in SCALES and (token.glued or text in ("k", "b", "bn", "m", "cr")):
            return at + 1, SCALES[text], _letter(SCALES[text])
        end, senses = self.words.longest(self.tokens, at)
        if senses is not None and senses[0][0] == "MUL":
            factor = float(senses[0][1])
            return end, factor, _letter(factor)
        factor = self.words.numbers.get(text, 0)
        if factor in (100, 1000) and (senses is None or senses[0][0] == "FILL"):
            return at + 1, factor, _letter(factor)
        return at, 0, ""

    def _spelled(self, at: int) -> Amount | None:
        """Read number words: "twelve thousand", "half a million", "三万"."""
        total = current = 0.0
        end, scale = at, ""
        if (found := self._written(at)) is not None:
            total, end = found
            return self._scaled(Amount(total, end, scale, total))
        while end < min(at + _MOST_WORDS, len(self.tokens)):
            text = self.tokens[end].text
            value = self.words.numbers.get(text)
            if value is None:
                if text in ("-", "and") and self._goes_on(end, current):
                    end += 1
                    continue
                break
            if value >= 1000 and value % 1000 == 0:
                total, current = total + max(current, 1) * value, 0.0
            elif value >= 100 and value % 100 == 0:
                current = max(current, 1) * value
            elif current == 0 or _fits_after(current, value):
                current += value
            else:
                break
            end += 1
        if end == at:
            return None
        total += current
        end, part = self._halves(end, total)
        return self._scaled(Amount(total + part, end, scale, total + part))

    def _written(self, at: int) -> tuple[float, int] | None:
        """Read 一百二十, 三千: digits, each with its place behind it."""
        total = digit = 0.0
        end = at
        while end < len(self.tokens) and self.tokens[end].text in _WRITTEN:
            value = _WRITTEN[self.tokens[end].text]
            if value < 10:
                digit = value
            else:
                total, digit = total + (digit or 1.0) * value, 0.0
            end += 1
        return (total + digit, end) if end > at + 1 else None

    def _halves(self, end: int, total: float) -> tuple[int, float]:
        """Read "two and a half thousand"."""
        words = [token.text for token in self.tokens[end : end + 3]]
        if words == ["and", "a", "half"] and total < 1000:
            return end + 3, 0.5
        return end, 0.0

    def _goes_on(self, at: int, current: float) -> bool:
        """Whether "-" or "and" joins two number words."""
        if current < 20 or at + 1 >= len(self.tokens):
            return False
        value = self.words.numbers.get(self.tokens[at + 1].text)
        return value is not None and _fits_after(current, value)


def _fits_after(current: float, value: float) -> bool:
    """Whether a number word may follow: "seventy five", "hundred and twenty"."""
    return (current >= 100 and value < 100) or (current % 10 == 0 and value < 10)


def _letter(factor: float) -> str:
    return {1e3: "k", 1e6: "m", 1e9: "b", 1e12: "t"}.get(factor, "")


def _concept(suffix: str) -> str:
    return {"b": "NUMB", "t": "NUMT"}.get(suffix, "NUM")
