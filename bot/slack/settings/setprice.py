"""`setprice`: a team's negotiated prices, set, listed and taken back."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.answers.shared.figures import gpu_name
from bot.preferences.setting_values import SettingError
from bot.question.asking import AskContext
from bot.render.views import AnswerView, Cell, Credit, Table
from bot.slack.settings.settings import SettingsDesk
from core.money.pricebook import NegotiatedPrice
from core.money.setprice import EXAMPLE, PriceRefused, PriceSet, parse_setprice
from core.reference.catalogue import Reference
from core.wording import dollars
from prices.records.pricebook import PriceBook


@dataclass(frozen=True)
class PriceDesk:
    """Takes what a team negotiated into its price book."""

    book: PriceBook
    settings: SettingsDesk
    known: Callable[[], Reference]
    clock: Callable[[], datetime]

    def answer(self, words: str, context: AskContext) -> AnswerView:
        """Answer what stands behind `setprice`."""
        verb, _, rest = words.strip().partition(" ")
        if verb.lower() in ("", "list"):
            return self.listed(context)
        try:
            self.settings.check_allowed(context)
        except SettingError as error:
            return _hint(words, str(error))
        if verb.lower() in ("remove", "delete", "unset"):
            return self._removed(rest.strip(), context)
        read = parse_setprice(
            words, self.known(), set_by=context.user_id, now=self.clock()
        )
        if isinstance(read, PriceRefused):
            return _refused(words, read)
        self.book.set(context.team_id, read.price)
        return self._noted(read)

    def listed(self, context: AskContext) -> AnswerView:
        """Every price that holds, with the number that removes it."""
        standing = self.book.standing(context.team_id, self.clock())
        if not standing:
            return _hint("setprice list", "The price book of this workspace is empty.")
        rows = tuple(self._row(number, price) for number, price in standing.items())
        return AnswerView(
            kind="help",
            id="",
            question="setprice list",
            verdict=f"{len(rows)} negotiated price{'s' if len(rows) > 1 else ''}",
            table=Table(
                caption="The price book of this workspace, per GPU-hour",
                columns=("Offer", "$/GPU-h", "Pricing", "Until", "Number"),
                rows=rows,
            ),
            notes=("/gpucost setprice remove NUMBER takes a price back.",),
            credits=tuple(
                Credit(
                    text=f"{price.command}, {price.set_at:%Y-%m-%d}, by",
                    user_id=price.set_by,
                )
                for price in standing.values()
            ),
        )

    def _removed(self, number: str, context: AskContext) -> AnswerView:
        standing = self.book.standing(context.team_id, self.clock())
        price = standing.get(int(number)) if number.isdigit() else None
        if price is None:
            return _hint(
                f"setprice remove {number}",
                "No price has that number: /gpucost setprice list shows them.",
            )
        self.book.remove(context.team_id, price, context.user_id, self.clock())
        return _hint(f"setprice remove {number}", f"Taken back: {price.command}")

    def _noted(self, read: PriceSet) -> AnswerView:
        return AnswerView(
            kind="help",
            id="",
            question=read.price.command,
            verdict=f"Noted: {self._offer(read.price)} at "
            f"{dollars(read.price.usd_per_gpu_hour)} per GPU-hour, "
            f"{_terms(read.price)}",
            why="Answers in this workspace rank it beside list prices, as yours.",
            notes=(read.note,) if read.note else (),
        )

    def _row(self, number: int, price: NegotiatedPrice) -> tuple[Cell, ...]:
        amount = price.usd_per_gpu_hour
        return (
            Cell(text=self._offer(price)),
            Cell(text=dollars(amount), value=float(amount)),
            Cell(text=_pricing(price)),
            Cell(text=price.until.isoformat() if price.until else "open"),
            Cell(text=str(number), value=number),
        )

    def _offer(self, price: NegotiatedPrice) -> str:
        known = self.known()
        provider, gpu = known.provider(price.provider), known.gpu(price.gpu)
        named = gpu_name(gpu) if gpu else price.gpu
        return f"{provider.name} {named}" if provider else named


def _terms(price: NegotiatedPrice) -> str:
    until = f", until {price.until.isoformat()}" if price.until else ""
    return _pricing(price) + until


def _pricing(price: NegotiatedPrice) -> str:
    term = f"{price.term_months}-month " if price.term_months else ""
    return term + price.pricing.replace("_", "-")


def _refused(words: str, refused: PriceRefused) -> AnswerView:
    near = f" Did you mean {' or '.join(refused.nearest)}?" if refused.nearest else ""
    said = refused.reason[:1].upper() + refused.reason[1:]
    return AnswerView(
        kind="hint",
        id="",
        question=f"setprice {words}",
        verdict=f"{said}.{near}",
        why=f"For example: /gpucost {refused.example or EXAMPLE}",
    )


def _hint(words: str, verdict: str) -> AnswerView:
    return AnswerView(kind="hint", id="", question=words, verdict=verdict)
