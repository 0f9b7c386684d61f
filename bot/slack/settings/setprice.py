"""`setprice`: a team's negotiated prices, set, listed and taken back."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from bot.answers.shared.figures import gpu_name
from bot.question.asking import AskContext
from bot.question.role import Role
from bot.render.rendering import ASK
from bot.render.views import Action, AnswerView, Cell, Credit, Table
from bot.slack.authority import lacking
from bot.slack.settings.settings import overheard_view
from core.money.pricebook import NegotiatedPrice, is_far, middle
from core.money.setprice import EXAMPLE, PriceRefused, PriceSet, parse_setprice
from core.offers import Catalog
from core.reference.catalogue import Reference
from core.wording import dollars
from prices.records.pricebook import PriceBook

CONFIRMED = "confirm"
"""The word behind a price that is far from the market, and meant."""
FAR_NOTE = "It is far from the market price, and answers say so."
UNDO_NOTE = "/gpucost setprice undo removes it."


@dataclass(frozen=True)
class PriceCommands:
    """Takes what a team negotiated into its price book."""

    book: PriceBook
    known: Callable[[], Reference]
    market: Callable[[], Catalog]
    """The list prices of now."""
    clock: Callable[[], datetime]

    def answer(self, words: str, context: AskContext) -> AnswerView:
        """Answer what stands behind `setprice`."""
        if not context.own_prices:
            return overheard_view(f"setprice {words}".strip())
        verb, _, rest = words.strip().partition(" ")
        if verb.lower() in ("", "list"):
            return self.listed(context)
        if refused := lacking(context.role, Role.DELEGATE):
            return _hint(words, refused)
        if verb.lower() in ("remove", "delete", "unset"):
            return self._removed(rest.strip(), context)
        if verb.lower() == "undo":
            return self._undone(context)
        return self._set(words, context)

    def _set(self, words: str, context: AskContext) -> AnswerView:
        """Keep a price; one far from the market once its asker has confirmed it."""
        stated, confirmed = _without_confirmation(words)
        read = parse_setprice(
            stated, self.known(), set_by=context.user_id, now=self.clock()
        )
        if isinstance(read, PriceRefused):
            return _refused(stated, read)
        market = middle(self.market().offers, read.price)
        far = market is not None and is_far(read.price.usd_per_gpu_hour, market)
        if far and market is not None and not confirmed:
            return self._doubted(read.price, market)
        price = read.price.model_copy(update={"far": far})
        self.book.set(context.team_id, price, context.place)
        return self._noted(PriceSet(price, read.note))

    def _doubted(self, price: NegotiatedPrice, market: Decimal) -> AnswerView:
        """Ask whether a price is meant that is far from every other."""
        asked, usual = dollars(price.usd_per_gpu_hour), dollars(market)
        side = "below half" if price.usd_per_gpu_hour < market else "above twice"
        return AnswerView(
            kind="clarify",
            id="",
            question=price.command,
            verdict=f"Is {asked} per GPU-hour right? The market's middle for "
            f"{self._offer(price)} is {usual}.",
            why=f"A price {side} the middle is saved only once you confirm it, and is "
            "then marked as far from the market.",
            actions=(
                Action(
                    id=f"{ASK}:confirm",
                    label="Save it",
                    value=f"{price.command} {CONFIRMED}",
                ),
            ),
        )

    def _undone(self, context: AskContext) -> AnswerView:
        """Put back the price that stood before the last change of the book."""
        now, before = self.book.last_change(context.team_id)
        by, at = context.user_id, self.clock()
        if before is not None:
            again = before.model_copy(update={"set_by": by, "set_at": at})
            self.book.set(context.team_id, again, context.place)
            return _hint("setprice undo", f"Holds again: {before.command}")
        if now is not None:
            self.book.remove(context.team_id, now, by, at, context.place)
            return _hint("setprice undo", f"Taken back: {now.command}")
        return _hint("setprice undo", "The price book was never changed.")

    def listed(self, context: AskContext) -> AnswerView:
        """Every price that holds, with the number that removes it."""
        valid = self.book.valid_on(context.team_id, self.clock())
        if not valid:
            return _hint("setprice list", "The price book of this workspace is empty.")
        rows = tuple(self._row(number, price) for number, price in valid.items())
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
            notes=(
                "/gpucost setprice remove NUMBER takes a price back; setprice undo "
                "takes back the last change.",
            ),
            credits=tuple(
                Credit(
                    text=f"{price.command}, {price.set_at:%Y-%m-%d}, by",
                    user_id=price.set_by,
                )
                for price in valid.values()
            ),
        )

    def _removed(self, number: str, context: AskContext) -> AnswerView:
        valid = self.book.valid_on(context.team_id, self.clock())
        price = valid.get(int(number)) if number.isdigit() else None
        if price is None:
            return _hint(
                f"setprice remove {number}",
                "No price has that number: /gpucost setprice list shows them.",
            )
        self.book.remove(
            context.team_id, price, context.user_id, self.clock(), context.place
        )
        return _hint(f"setprice remove {number}", f"Taken back: {price.command}")

    def _noted(self, read: PriceSet) -> AnswerView:
        return AnswerView(
            kind="help",
            id="",
            question=read.price.command,
            verdict=f"Saved: {self._offer(read.price)} at "
            f"{dollars(read.price.usd_per_gpu_hour)} per GPU-hour, "
            f"{_terms(read.price)}",
            why="Your price now competes with list prices in this workspace.",
            notes=tuple(
                filter(None, (read.note, FAR_NOTE if read.price.far else "", UNDO_NOTE))
            ),
        )

    def _row(self, number: int, price: NegotiatedPrice) -> tuple[Cell, ...]:
        amount = price.usd_per_gpu_hour
        return (
            Cell(text=self._offer(price)),
            Cell(text=dollars(amount), value=float(amount)),
            Cell(text=_pricing(price) + (" (far from market)" if price.far else "")),
            Cell(text=price.until.isoformat() if price.until else "open"),
            Cell(text=str(number), value=number),
        )

    def _offer(self, price: NegotiatedPrice) -> str:
        known = self.known()
        provider, gpu = known.provider(price.provider), known.gpu(price.gpu)
        named = gpu_name(gpu) if gpu else price.gpu
        return f"{provider.name} {named}" if provider else named


def _without_confirmation(words: str) -> tuple[str, bool]:
    stated, _, last = words.strip().rpartition(" ")
    confirmed = last.lower() == CONFIRMED
    return (stated if confirmed else words.strip()), confirmed


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
