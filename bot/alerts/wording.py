"""Watches, prices and times in words."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from bot.answers.shared.figures import PRICING_WORDS, gpu_name, provider_name
from bot.render.words import say
from core.alerts.cadence import Cadence
from core.alerts.conditions import Condition, Move, NewLow, Presence, Threshold
from core.alerts.selection import Measure, Selection
from core.alerts.subscription import (
    DigestWatch,
    PriceWatch,
    StaleWatch,
    Subscription,
    Watch,
    WorkloadWatch,
)
from core.alerts.workloads import CostLine, Outcome
from core.offers import MICRO, PricePoint
from core.reference.catalogue import Reference
from core.wording import dollars, significant

DAY_NAMES = (
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
)  # fmt: skip
_DIRECTIONS = {"any": "moves", "down": "falls", "up": "rises"}
_PRESENCE = {"listed": "begins", "delisted": "ceases"}


def describe(watch: Watch, reference: Reference) -> str:
    """Say what a watch looks at and when it speaks."""
    match watch:
        case PriceWatch():
            what = either(selection_words(s, reference) for s in watch.selections)
            return f"{what} {condition_words(watch.condition, watch.selections[0])}"
        case WorkloadWatch():
            return f"{watch.question}: {_cost_words(watch)}"
        case StaleWatch():
            which = " or ".join(watch.sources) or "price sources"
            return say("alerts.sources_silent_for", which=which, hours=watch.hours)
        case DigestWatch():
            what = ", ".join(map(label_name, watch.labels)) or say(
                "alerts.help_what_is_watched"
            )
            cadence = cadence_words(watch.cadence)
            return say("alerts.digest_of", what=what, cadence=cadence)


def selection_words(selection: Selection, reference: Reference) -> str:
    """Say which offers are looked at."""
    parts = [label_words(selection, reference)]
    if selection.pricing is not None:
        parts.append(_pricing(selection))
    if selection.tier is not None:
        parts.append(selection.tier)
    if selection.providers:
        parts.append(
            "at " + either(provider_name(p, reference) for p in selection.providers)
        )
    if selection.region is not None:
        short = len(selection.region) == 2
        parts.append(f"in {selection.region.upper() if short else selection.region}")
    return " ".join(parts)


def label_words(selection: Selection, reference: Reference) -> str:
    """Name the GPU: exactly where one is meant, else the family."""
    if len(selection.gpus) == 1 and selection.gpus[0] in reference.gpus:
        return gpu_name(reference.gpus[selection.gpus[0]])
    return label_name(selection.label)


def condition_words(condition: Condition, selection: Selection) -> str:
    """Say when a price watch speaks."""
    match condition:
        case Threshold():
            amount = measured(condition.amount, selection.measure)
            if selection.measure == "spot_discount":
                return (
                    say("alerts.spot_or_more_under", amount=amount)
                    if (condition.op == "above")
                    else say("alerts.spot_less_than_under", amount=amount)
                )
            return say("alerts.condition_price", op=condition.op, amount=amount)
        case Move():
            verb, size = _DIRECTIONS[condition.direction], move_words(condition)
            within = condition.window_hours
            return say("alerts.condition_moves_by", verb=verb, size=size) + (
                say("alerts.within", within=within) if within else ""
            )
        case NewLow():
            return say("alerts.lowest_in_days", days=condition.days)
        case Presence():
            return say(
                "alerts.when_a_provider_sells", presence=_PRESENCE[condition.event]
            )


def move_words(condition: Move) -> str:
    """Say how large a move has to be."""
    if condition.micro_usd is not None:
        return dollars(Decimal(condition.micro_usd) / MICRO)
    return f"{significant(float(condition.percent or 0))} %"


def measured(amount: int, measure: Measure) -> str:
    """Write a level in its unit."""
    if measure == "spot_discount":
        return f"{significant(amount / 10_000)} %"
    return dollars(Decimal(amount) / MICRO)


def cadence_words(cadence: Cadence) -> str:
    """Say when a digest comes."""
    when = {
        "day": "daily",
        "weekday": say("alerts.monday_to_friday"),
        "week": say("alerts.every_named_day", day_names=DAY_NAMES[cadence.weekday]),
    }[cadence.every]
    place = cadence.zone.rsplit("/", 1)[-1].replace("_", " ")
    return say(
        "alerts.schedule_time",
        when=when,
        hour=cadence.hour,
        minute=cadence.minute,
        place=place,
    )


def instant_words(at: datetime, zone: str = "UTC") -> str:
    """Write an instant as people read it."""
    local = at.astimezone(ZoneInfo(zone))
    place = "UTC" if zone == "UTC" else zone.rsplit("/", 1)[-1].replace("_", " ")
    return f"{local:%a} {local.day} {local:%b %Y %H:%M} {place}"


def state_words(subscription: Subscription, now: datetime) -> str:
    """Say whether a subscription speaks."""
    if subscription.paused:
        return say("alerts.paused", paused=subscription.paused.replace("_", " "))
    if subscription.muted_until is not None and subscription.muted_until > now:
        return say(
            "alerts.list_quiet_until",
            instant_words=instant_words(subscription.muted_until),
        )
    return "on"


def offer_words(point: PricePoint, reference: Reference) -> str:
    """Name an offer: provider, GPU, pricing."""
    gpu = reference.gpus.get(point.gpu)
    name = gpu_name(gpu) if gpu else point.gpu
    words = PRICING_WORDS[point.pricing]
    if point.pricing == "reserved" and point.term_months:
        words = say("alerts.offer_words", term_months=point.term_months)
    if point.tier in ("community", "serverless"):
        words += f", {point.tier}"
    return f"{provider_name(point.provider, reference)} {name} {words}"


def amount_words(outcome: Outcome) -> str:
    """Write what a workload costs."""
    if outcome.amount is None:
        return say("alerts.no_price")
    if outcome.unit == "requests/s":
        return say("alerts.requests_s", amount=float(outcome.amount))
    return f"{dollars(outcome.amount)}{outcome.unit.removeprefix('$')}"


def either(names: Iterable[str]) -> str:
    """Join names with commas and "or"."""
    found = list(dict.fromkeys(names))
    if len(found) < 2:
        return "".join(found)
    return ", ".join(found[:-1]) + " or " + found[-1]


def percent_words(before: int, after: int) -> str:
    """Write a change in per cent, signed."""
    if before == after:
        return "unchanged"
    return signed_percent((after - before) * 100 / before)


def signed_percent(moved: float) -> str:
    """Write per cent with their sign."""
    return f"{'+' if moved > 0 else '−'}{significant(abs(moved))} %"


def _pricing(selection: Selection) -> str:
    words = PRICING_WORDS[selection.pricing or "on_demand"]
    if selection.term_months:
        return say("alerts.pricing", term_months=selection.term_months, words=words)
    return words


def line_words(line: CostLine) -> str:
    """Write a cost to wait for: below $5,000/month."""
    return f"{line.side} {dollars(line.usd)}{line.unit.removeprefix('$')}"


def _cost_words(watch: WorkloadWatch) -> str:
    if watch.line is not None:
        verb = "falls" if watch.line.side == "below" else "rises"
        return say("alerts.its_cost", verb=verb, line_words=line_words(watch.line))
    if watch.percent is None:
        return say("alerts.another_best_offer")
    verb, size = _DIRECTIONS[watch.direction], f"{significant(watch.percent)} %"
    if watch.query.intent == "breakeven":
        return say("alerts.its_break_even_by", verb=verb, size=size)
    return say("alerts.best_offer_or_cost", verb=verb, size=size)


def label_name(label: str) -> str:
    """Write a GPU, or a generation of them, as people write it: H100, Hopper."""
    named = any(character.isdigit() for character in label)
    return label.upper() if named else label.capitalize()
