"""`setprice`: a team's negotiated prices, set, listed and taken back."""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal

from msgspec import Struct

from bot.answers.shared.figures import gpu_name
from bot.question.asking import AskContext
from bot.question.role import Role
from bot.render.rendering import ASK
from bot.render.views import Action, AnswerView, Cell, Credit, Table
from bot.render.words import say
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
FAR_NOTE = say("slack.price_far_from_market")
UNDO_NOTE = say("slack.gpucost_setprice_undo_removes")


class PriceCommands(Struct, frozen=True):
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
            question=price.command,
            verdict=say(
                "slack.is_per_gpu_hour",
                asked=asked,
                offer=self._offer(price),
                usual=usual,
            ),
            why=say("slack.a_price_the_middle", side=side),
            actions=(
                Action(
                    id=f"{ASK}:confirm",
                    label=say("slack.save_it"),
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
            return _hint(
                "setprice undo", say("slack.holds_again", command=before.command)
            )
        if now is not None:
            self.book.remove(context.team_id, now, by, at, context.place)
            return _hint("setprice undo", say("slack.taken_back", command=now.command))
        return _hint("setprice undo", say("slack.price_book_unchanged"))

    def listed(self, context: AskContext) -> AnswerView:
        """Every price that holds, with the number that removes it."""
        valid = self.book.valid_on(context.team_id, self.clock())
        if not valid:
            return _hint("setprice list", say("slack.price_book_is_empty"))
        rows = tuple(self._row(number, price) for number, price in valid.items())
        return AnswerView(
            kind="help",
            question="setprice list",
            verdict=say(
                "slack.negotiated_price",
                number_of_rows=len(rows),
                ending="s" if len(rows) > 1 else "",
            ),
            table=Table(
                caption=say("slack.price_book_title"),
                columns=("Offer", "$/GPU-h", "Pricing", "Until", "Number"),
                rows=rows,
            ),
            notes=(say("slack.gpucost_setprice_remove_number"),),
            credits=tuple(
                Credit(
                    text=say(
                        "slack.changed_on_by",
                        command=price.command,
                        set_at=price.set_at,
                    ),
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
                say("slack.no_such_price"),
            )
        self.book.remove(
            context.team_id, price, context.user_id, self.clock(), context.place
        )
        return _hint(
            f"setprice remove {number}", say("slack.taken_back", command=price.command)
        )

    def _noted(self, read: PriceSet) -> AnswerView:
        return AnswerView(
            kind="help",
            question=read.price.command,
            verdict=say(
                "slack.saved_at_per_gpu",
                offer=self._offer(read.price),
                usd_per_gpu_hour=read.price.usd_per_gpu_hour,
                terms=_terms(read.price),
            ),
            why=say("slack.your_price_now_competes"),
            notes=tuple(
                filter(None, (read.note, FAR_NOTE if read.price.far else "", UNDO_NOTE))
            ),
        )

    def _row(self, number: int, price: NegotiatedPrice) -> tuple[Cell, ...]:
        amount = price.usd_per_gpu_hour
        return (
            Cell(text=self._offer(price)),
            Cell(text=dollars(amount), value=float(amount)),
            Cell(
                text=_pricing(price)
                + (say("slack.far_from_market") if price.far else "")
            ),
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
    until = say("slack.terms", until=price.until.isoformat()) if price.until else ""
    return _pricing(price) + until


def _pricing(price: NegotiatedPrice) -> str:
    term = f"{price.term_months}-month " if price.term_months else ""
    return term + price.pricing.replace("_", "-")


def _refused(words: str, refused: PriceRefused) -> AnswerView:
    near = (
        say("slack.did_you_mean", nearest=" or ".join(refused.nearest))
        if refused.nearest
        else ""
    )
    said = refused.reason[:1].upper() + refused.reason[1:]
    return AnswerView(
        kind="hint",
        question=f"setprice {words}",
        verdict=f"{said}.{near}",
        why=say("slack.for_example_gpucost", example=refused.example or EXAMPLE),
    )


def _hint(words: str, verdict: str) -> AnswerView:
    return AnswerView(kind="hint", question=words, verdict=verdict)
