"""Read amounts: digits, scales, number words, ranges."""

from functools import cache

from msgspec import Struct

from bot.language.items import Item
from bot.language.lexer import Token, value_of
from bot.language.vocabulary import Vocabulary, read_toml, vocabulary

SCALES = {
    "k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12, "bn": 1e9, "mm": 1e6, "kk": 1e6,
    "mio": 1e6, "mrd": 1e9, "cr": 1e7, "tn": 1e12, "mn": 1e6, "tr": 1e12,
}  # fmt: skip
_HOURLY = frozenset("h hr hour hours std stunde heure hora ora kwh".split())
_COUNTED = frozenset("REQ TOK USER SAMPLE DOC CONC DATA".split())
_TO = frozenset(("-", "to", "bis", "~", "a"))
_BETWEEN = frozenset(("between", "zwischen", "entre", "tra", "tussen"))
_AND = frozenset(("and", "und", "et", "y", "e", "en"))
_MYRIAD = 1e4
_LIMIT = 1e30
_MOST_SCALES = 4
WRITTEN = {**{sign: float(i) for i, sign in enumerate("〇一二三四五六七八九")},
           "两": 2.0, "兩": 2.0, "十": 10.0, "百": 100.0, "千": 1000.0,
           **{sign: float(i) for i, sign in enumerate("일이삼사오육칠팔구", 1)},
           "십": 10.0, "백": 100.0, "천": 1000.0}  # fmt: skip
"""Digits of Chinese, Japanese and Korean, and what stands for their places."""
_SHORTEST_COMPOUND = 6
_LINK = -1.0
"""The "und" of "fünfunddreißig"."""
_MOST_WORDS = 12
"""Words of one number: beyond them nobody means a number."""


@cache
def _words_of(section: str, name: str) -> frozenset[str]:
    return frozenset(read_toml("numbers")[section][name].split())


class Amount(Struct):
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
        spanish = _words_of("thousand", "hint")
        said = [token.text for token in tokens]
        loose = [token for token in tokens if not token.glued] if "-" in said else []
        self.dashes = [token.text for token in loose].count("-")
        self.spanish = not spanish.isdisjoint(said)

    def read(self, at: int) -> tuple[Item, int] | None:
        """Read a number, or the upper end of a range of numbers."""
        amount = self._amount(at)
        if amount is None:
            return None
        upper = self._upper(amount) or self._between(at, amount)
        low = amount.value if upper else None
        amount = upper or amount
        if not abs(amount.value) < _LIMIT:
            return None
        start = self.tokens[at].start
        if self._negative(at):
            amount.value = -amount.value
        item = Item(
            {"b": "NUMB", "t": "NUMT"}.get(amount.suffix, "NUM"),
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

    def _between(self, at: int, low: Amount) -> Amount | None:
        """Read "between 200k and 400k tokens": the upper end, as of any range."""
        joined = low.end + 1 < len(self.tokens) and self.tokens[low.end].text in _AND
        if not joined or at == 0 or self.tokens[at - 1].text not in _BETWEEN:
            return None
        high = self._amount(low.end + 1)
        if high is None or high.value <= low.value:
            return None
        counted = high.suffix or self._counts(high.end)
        return high if counted else None

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
        """Whether what follows is counted in whole things, as are euros of no hour."""
        near = [token.text for token in self.tokens[max(0, at - 2) : at + 4]]
        if "€" in near[:3]:
            return _HOURLY.isdisjoint(near)
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
        if pair and pair[0].glued and (found := self.written(at)) is not None:
            return found if found[0] < factor else None
        if len(pair) < 2 or not all(token.glued for token in pair):
            return None
        place = WRITTEN.get(pair[1].text, 0.0)
        if pair[0].kind != "number" or not 10 <= place < factor:
            return None
        return value_of(pair[0].text) * place, at + 2

    def _scale(self, token: Token, at: int) -> tuple[int, float, str]:
        text = token.text
        if text == "mil":
            end, senses = self.words.longest(self.tokens, at)
            if senses is None or end == at + 1:
                return (at + 1, 1e3, "k") if self.spanish else (at + 1, 1e6, "m")
        after = self.tokens[at + 1].text if at + 1 < len(self.tokens) else ""
        keyed = after in (":", "=") and not token.glued  # "peak:140 m:gemma"
        loose = text in ("k", "b", "bn", "m", "cr") and not keyed
        if text in SCALES and (token.glued or loose):
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
        """Read number words: "twelve thousand", "mille e duecento", "三万"."""
        if (found := self.written(at)) is not None:
            return self._scaled(Amount(found[0], found[1], "", found[0]))
        total = current = most = 0.0
        end, least = at, _LIMIT
        while end < min(at + _MOST_WORDS, len(self.tokens)):
            said = self.said(end)
            if said is None and end > at:
                said = self._joined(end, current, least) or self._multiplier(end)
                most = max(most, said[0]) if said and said[0] >= 1000 else most
            if said is None:
                break
            value, after = said
            if value >= 1000 and value % 1000 == 0:
                higher = value > least  # "mil millones"
                total, current = (
                    ((total + current) * value, 0.0)
                    if higher
                    else (total + max(current, 1) * value, 0.0)
                )
                least = value
            elif value == 100 and 1 <= current < 10:
                current *= value
            elif value >= least or (current and not _fits_after(current, value)):
                break
            else:
                current += value
            end = after
        if end == at:
            return None
        return self._ended(total + current, end, at, most, current, least)

    def _ended(
        self, total: float, end: int, at: int, most: float, tail: float, least: float
    ) -> Amount:
        """What may follow number words: decimals, a half, tens, a scale."""
        if least == _LIMIT and (said := self._decimals(end)) is not None:
            return self._scaled(Amount(total + said[0], said[1], base=total + said[0]))
        end, part = self._halves(end, 1.0 if tail or least == _LIMIT else least)
        total += part
        if end == at + 1 and (tens := self._tens(end, total)) is not None:
            return Amount(total * 100 + tens[0], tens[1], other=total + tens[0] / 100)
        return self._scaled(Amount(total, end, _letter(most), total / (most or 1)))

    def said(self, at: int) -> tuple[float, int] | None:
        """The value of a number word, or of a phrase such as "quatre-vingts"."""
        text = self.tokens[at].text
        for words, value in self.words.number_phrases.get(text, ()):
            if tuple(t.text for t in self.tokens[at : at + len(words)]) == words:
                return value, at + len(words)
        if (known := self.words.numbers.get(text)) is not None:
            return known, at + 1
        built = compound(text) if len(text) >= _SHORTEST_COMPOUND else None
        return None if built is None else (built, at + 1)

    def _joined(
        self, at: int, current: float, least: float
    ) -> tuple[float, int] | None:
        """The number word behind "-" or "and" that goes on: "mille e duecento"."""
        sign = self.tokens[at].text
        if sign not in _words_of("joined", "by") or at + 1 >= len(self.tokens):
            return None
        if (
            current >= 20
            and sign != "-"
            and self.tokens[at + 1].text in _words_of("joined", "one")
        ):
            return 1.0, at + 2  # "vingt et un"
        said = self.said(at + 1)
        if said is None:
            return None
        below = current == 0 and sign != "-" and said[0] < min(least, 1000)
        return (
            said if below or (current >= 20 and _fits_after(current, said[0])) else None
        )

    def _multiplier(self, at: int) -> tuple[float, int] | None:
        """A word of scale behind a number word: "five hundred thousand"."""
        end, senses = self.words.longest(self.tokens, at)
        return (float(senses[0][1]), end) if senses and senses[0][0] == "MUL" else None

    def _tens(self, at: int, hundreds: float) -> tuple[float, int] | None:
        """The rest of "two fifty", which is 250, or 2.50 of money."""
        said = self.said(at) if at < len(self.tokens) and 1 <= hundreds < 10 else None
        return said if said and 20 <= said[0] < 100 and said[0] % 10 == 0 else None

    def written(self, at: int) -> tuple[float, int] | None:
        """Read 一百二十, 三千: digits, each with its place behind it."""
        total = digit = 0.0
        end = at
        while end < len(self.tokens) and self.tokens[end].text in WRITTEN:
            if end > at and not self.tokens[end].glued:
                break
            value = WRITTEN[self.tokens[end].text]
            if value < 10:
                digit = value
            else:
                total, digit = total + (digit or 1.0) * value, 0.0
            end += 1
        if end == at + 1 and total and end < len(self.tokens):
            return (total, end) if self._multiplier(end) else None  # 百万
        return (total + digit, end) if end > at + 1 else None

    def _decimals(self, at: int) -> tuple[float, int] | None:
        """The rest of "two point five", "zwei komma zwei fünf"."""
        if at >= len(self.tokens) or self.tokens[at].text not in _words_of(
            "joined", "point"
        ):
            return None
        digits, end = "", at + 1
        while end < len(self.tokens) and (said := self.said(end)) is not None:
            if said[0] >= 10:
                break
            digits, end = f"{digits}{said[0]:.0f}", said[1]
        return (float(f"0.{digits}"), end) if digits else None

    def _halves(self, end: int, unit: float) -> tuple[int, float]:
        """Read "two and a half thousand", "un millón y medio"."""
        words = [token.text for token in self.tokens[end : end + 3]]
        if words[:1] and words[0] in _words_of("joined", "by"):
            if words[1:] == ["a", "half"]:
                return end + 3, unit / 2
            if words[1:2] and words[1] in _words_of("joined", "half"):
                return end + 2, unit / 2
        return end, 0.0


@cache
def compound(text: str) -> float | None:
    """Read a number written as one word: "zweihundertfünfzig", "duemila"."""
    parts = _split(text) if text[:3] in _compounds() and text.isalpha() else None
    if parts is None or len(parts) < 2:
        return None
    total = current = 0.0
    for place, value in enumerate(parts):
        if value == _LINK and parts[place - 1] < 10 and parts[place + 1] % 10 == 0:
            continue  # "fünfunddreißig"
        if value == 1000:
            total, current = total + max(current, 1) * value, 0.0
        elif value == 100 and current < 10:
            current = max(current, 1) * value
        elif parts[place - 1] == _LINK and 0 < current % 100 < 10 and 20 <= value < 100:
            current += value
        elif value != _LINK and current and not _fits_after(current, value):
            return None
        elif value != _LINK:
            current += value
    return total + current


@cache
def _compounds() -> dict[str, dict[str, float]]:
    """The parts of such words, by their first three letters."""
    listed = read_toml("numbers")["compound"]
    known = dict(vocabulary().numbers)
    known |= dict.fromkeys(listed["link"].split(), _LINK)
    known |= dict.fromkeys(listed["one"].split(), 1.0)
    heads: dict[str, dict[str, float]] = {}
    for word, value in sorted(known.items(), key=lambda pair: -len(pair[0])):
        if len(word) > 1 and word.isascii() and value < 10_000:
            heads.setdefault(word[:3], {})[word] = value
    return heads


def _split(text: str) -> list[float] | None:
    """The parts of a number written as one word, and the links between them."""
    heads = _compounds()
    for word, value in (heads.get(text[:3], {}) | heads.get(text[:2], {})).items():
        rest = text[len(word) :]
        if not text.startswith(word) or (len(word) < 3 and value != _LINK):
            continue
        if not rest:
            return None if value == _LINK else [value]
        if (behind := _split(rest)) is not None:
            return [value, *behind]
    return None


def _fits_after(current: float, value: float) -> bool:
    """Whether a number word may follow: "seventy five", "hundred and twenty"."""
    if current % 100 == 0:
        return value < 100
    if current % 10 == 0 and value < 10:
        return True
    return current % 100 in (60, 80) and 10 <= value < 20  # "soixante-quinze"


def _letter(factor: float) -> str:
    return {1e3: "k", 1e6: "m", 1e9: "b", 1e12: "t"}.get(factor, "")
