"""What an answer came down to, and why the next one to the same question differs."""

from collections.abc import Iterator, Mapping
from decimal import Decimal

from msgspec import field

from core.frozen import Frozen
from core.wording import dollars, say

KEPT = 40
"""Prices that are kept beside the winner's: who may overtake it is among them."""
REASONS = 2
"""Reasons that one line holds."""


class AnswerSummary(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """One answer's winner, bill and prices, small enough to be kept with it."""

    winner: str = ""
    """Provider, GPU and pricing as the reader sees them; empty: nothing is named."""
    gpus: int = 0
    usd: Decimal | None = None
    per: str = ""
    """What the dollars are for: "/month"; empty: the whole job."""
    prices: dict[str, Decimal] = field(default_factory=dict)
    """Dollars per GPU-hour of every offer that was ranked, by the same names."""
    assumed: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    formula: str
    catalog: str = ""
    """The version of the prices that it was made from."""
    verdict: str

    def kept(self) -> "AnswerSummary":
        """The same with only as many prices as are worth keeping."""
        first = dict(list(self.prices.items())[:KEPT])
        return self.model_copy(update={"prices": first})

    @property
    def words(self) -> str:
        """The answer in half a line."""
        if not self.winner:
            return f"“{self.verdict}”"
        bill = "" if self.usd is None else f" · {dollars(self.usd)}{self.per}"
        rented = f"{self.gpus} × " if self.gpus else ""
        return f"{rented}{self.winner}{bill}"

    def same(self, other: "AnswerSummary") -> bool:
        """Whether winner, count and bill are those of the other answer."""
        if not self.winner or not other.winner:
            return self.verdict == other.verdict
        mine, its = ((s.winner, s.gpus, s.usd, s.per) for s in (self, other))
        return mine == its


def why_changed(before: AnswerSummary, now: AnswerSummary) -> str:
    """The reasons for which an answer is another one than before, in half a line."""
    found = [*_ours(before, now), *_prices(before, now)]
    return say("changes.joined_by_and").join(found[:REASONS]) or _otherwise(before, now)


def _otherwise(before: AnswerSummary, now: AnswerSummary) -> str:
    """What is left where neither this side nor the ranked prices explain it."""
    if before.catalog and before.catalog == now.catalog:
        return say("changes.the_program_changed")
    if now.winner:
        return say("changes.allowed_offers_changed")
    return say("changes.the_prices_behind")


def _ours(before: AnswerSummary, now: AnswerSummary) -> Iterator[str]:
    """What changed on this side: settings, assumptions, formulas."""
    for name, then, is_now in _changes(before.settings, now.settings):
        yield say(
            "changes.setting_changed",
            name=name,
            is_now=is_now or "none",
            then=then or "none",
        )
    for name, then, is_now in _changes(before.assumed, now.assumed):
        if then and is_now:
            yield say("changes.assumption_changed", name=name, is_now=is_now, then=then)
    if before.formula != now.formula:
        yield say(
            "changes.the_formulas_changed",
            formula=before.formula,
            now_formula=now.formula,
        )


def _changes(
    before: Mapping[str, str], now: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    for name in {**before, **now}:
        then, is_now = before.get(name, ""), now.get(name, "")
        if then != is_now:
            yield name, then, is_now


def _prices(before: AnswerSummary, now: AnswerSummary) -> Iterator[str]:
    """What changed on the market: of the former winner, then of the new one."""
    if before.catalog and before.catalog == now.catalog:
        return
    if before.winner and now.prices:
        former = before.prices.get(before.winner), now.prices.get(before.winner)
        yield from _moved(before.winner, *former)
    if now.winner and now.winner != before.winner:
        later = before.prices.get(now.winner), now.prices.get(now.winner)
        yield from _moved(now.winner, *later)


def _moved(name: str, then: Decimal | None, now: Decimal | None) -> Iterator[str]:
    if now is None:
        yield say("changes.has_no_current", name=name)
    elif then is None:
        yield say("changes.is_new_among", name=name, now=now)
    elif then != now:
        yield say("changes.price_changed", name=name, then=then, now=now)
