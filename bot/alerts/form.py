"""The form of an alert: what a channel watches, as fields that can be changed."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, Literal, get_args

from pydantic import ValidationError

from bot.render.fields import REGION_LABELS
from bot.render.form_views import FormField, FormView, Option
from bot.slack.modals.form import PLACE
from core.alerts.cadence import DAYS, Cadence
from core.alerts.conditions import Condition, Move, NewLow, Presence, Threshold
from core.alerts.subscription import (
    DigestWatch,
    PriceWatch,
    StaleWatch,
    Watch,
    WorkloadWatch,
)
from core.frozen import Frozen
from core.offers import MICRO, Tier
from core.reference.catalogue import Reference
from core.wording import significant

CALLBACK: Final = "alert_form"
Kind = Literal["price", "workload", "digest", "stale"]
Values = Mapping[str, tuple[str, ...]]
"""What stands in each field."""

TITLES: Mapping[Kind, str] = {
    "price": "Watch a price",
    "workload": "Watch a workload",
    "digest": "Send a digest",
    "stale": "Watch the sources",
}
REQUIRED: Mapping[Kind, tuple[str, ...]] = {
    "price": ("gpu", "when"),
    "workload": ("question",),
    "digest": ("every",),
    "stale": (),
}
PRICINGS = {
    "on-demand": "On-demand",
    "spot": "Spot",
    "reserved": "Reserved, any term",
    "12 months": "Reserved for a year",
    "36 months": "Reserved for three years",
}
WINNER = "another best offer"
"""What is watched of a workload where no move is."""
CONDITIONS = {
    "below": "The price falls below …",
    "above": "The price rises above …",
    "moves": "It moves either way by …",
    "drops": "It falls by …",
    "rises": "It rises by …",
    "low": "It is the lowest in so many days …",
    "gap above": "Spot is more than … % under on-demand",
    "gap below": "Spot is less than … % under on-demand",
    "listed": "A provider begins to sell it",
    "vanishes": "A provider stops selling it",
}
DIRECTIONS = {"any": "Cheaper or more expensive", "down": "Cheaper", "up": "Dearer"}
EVERY = {
    "daily": "Every day",
    "weekdays": "Monday to Friday",
    **{f"weekly {day}": f"Every {day.capitalize()}" for day in DAYS},
}
_MOVES = {"any": "moves", "down": "drops", "up": "rises"}


class AlertPlace(Frozen):
    """What the form is of, where it was opened, and which alert it would replace."""

    kind: Kind = "price"
    channel_id: str = ""
    number: int = 0
    """0: none yet."""
    at_home: bool = False
    """Whether it was opened from somebody's page, which then shows what changed."""

    @classmethod
    def read(cls, metadata: str) -> "AlertPlace":
        """Read a form's metadata; what is none of ours is nowhere."""
        try:
            return cls.model_validate_json(metadata)
        except ValidationError:
            return cls()


def alert_form(
    place: AlertPlace, watch: Watch | None, reference: Reference
) -> FormView:
    """Show a watch in the form; without one, an empty form of the wanted kind."""
    values = shown(watch) if watch else {}
    needed = REQUIRED[place.kind]
    fields = [
        _holding(field, values.get(field.name, ()), field.name in needed)
        for field in _fields(place.kind, reference)
    ]
    if not place.channel_id:
        fields.append(
            FormField(
                name=PLACE,
                label="Tell which channel",
                kind="conversation",
                hint="I must be a member. Use /invite to add me.",
                required=True,
            )
        )
    return FormView(
        callback=CALLBACK,
        title=f"Adjust alert {place.number}" if place.number else TITLES[place.kind],
        submit="Replace it" if place.number else "Watch",
        fields=tuple(fields),
        metadata=place.model_dump_json(),
    )


def shown(watch: Watch) -> Values:
    """Return what each field holds for a watch."""
    match watch:
        case PriceWatch():
            return _price_values(watch)
        case WorkloadWatch():
            return {
                "question": (watch.question,),
                "percent": (_moved(watch),),
                "direction": (watch.direction,),
            }
        case DigestWatch():
            return {"gpu": _joined(watch.labels), **_cadence_values(watch.cadence)}
        case StaleWatch():
            names = ", ".join(watch.sources)
            hours = f"{max(1, round(watch.hours))} hours"
            return {"hours": (f"{names} {hours}".strip(),)}


def _moved(watch: WorkloadWatch) -> str:
    if watch.line is None and watch.percent is None:
        return WINNER
    if watch.line is None:
        return f"{significant(watch.percent or 0)}%"
    sign = "<" if watch.line.side == "below" else ">"
    return f"{sign} ${watch.line.usd.normalize():f}{watch.line.unit.removeprefix('$')}"


def _price_values(watch: PriceWatch) -> Values:
    first = watch.selections[0]
    kinds = ((s.pricing, s.term_months) for s in watch.selections)
    pricings = [
        f"{term} months" if term else (pricing or "").replace("_", "-")
        for pricing, term in kinds
    ]
    when, amount = _condition_values(watch.condition, first.measure != "price")
    return {
        "gpu": _joined(s.label for s in watch.selections),
        "when": (when,),
        "amount": (amount,) if amount else (),
        "pricing": tuple(dict.fromkeys(p for p in pricings if p)),
        "provider": first.providers,
        "region": (first.region,) if first.region else (),
        "tier": (first.tier,) if first.tier else (),
    }


def _condition_values(condition: Condition, discount: bool) -> tuple[str, str]:
    match condition:
        case Threshold() if discount:
            return f"gap {condition.op}", f"{significant(condition.amount / 10_000)}%"
        case Threshold():
            return condition.op, _dollars(condition.amount)
        case Move():
            return _MOVES[condition.direction], _size(condition)
        case NewLow():
            return "low", f"{condition.days} days"
        case Presence():
            return ("listed" if condition.event == "listed" else "vanishes"), ""


def _size(condition: Move) -> str:
    if condition.micro_usd is not None:
        return _dollars(condition.micro_usd)
    hours = condition.window_hours or 0
    span = f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"
    return f"{condition.percent:f}%" + (f" in {span}" if hours else "")


def _dollars(micro: int) -> str:
    whole, _, cents = f"{Decimal(micro) / MICRO:.6f}".partition(".")
    return f"${whole}.{cents.rstrip('0'):0<2}"


def _cadence_values(cadence: Cadence) -> Values:
    day = f"weekly {DAYS[cadence.weekday]}"
    every = {"day": "daily", "weekday": "weekdays", "week": day}[cadence.every]
    return {
        "every": (every,),
        "time": (f"{cadence.hour}:{cadence.minute:02}",),
        "zone": (cadence.zone,),
    }


def _joined(labels: Iterable[str]) -> tuple[str, ...]:
    text = ", ".join(dict.fromkeys(labels))
    return (text,) if text else ()


def _holding(field: FormField, held: tuple[str, ...], required: bool) -> FormField:
    """Fill a field; what holds is among its choices, though it were none of them."""
    known = {option.value for option in field.options}
    more = [Option(value=v, label=v) for v in held if field.options and v not in known]
    return field.model_copy(
        update={
            "initial": held,
            "options": (*more, *field.options),
            "required": required,
        }
    )


def _fields(kind: Kind, reference: Reference) -> tuple[FormField, ...]:
    match kind:
        case "price":
            return _price_fields(reference)
        case "workload":
            return (
                _text("question", "Question", "70b 50rps",
                      "We answer it again when prices change."),
                _text("percent", "Tell when its cost moves by, or is", "10%",
                      "< $5000/month waits for a cost. Empty: 10%."),
                _list("direction", "Which way", DIRECTIONS, "Both ways"),
            )  # fmt: skip
        case "digest":
            return (
                _text("gpu", "GPUs", "l40s, h200", "Empty: what this channel watches."),
                _list("every", "How often", EVERY, "Choose"),
                _text("time", "At", "9:00"),
                _text("zone", "Where that is the time", "berlin",
                      "A city or a zone. Empty: UTC."),
            )  # fmt: skip
        case "stale":
            return (_text("hours", "Tell when a source is silent for", "24 hours"),)


def _price_fields(reference: Reference) -> tuple[FormField, ...]:
    sellers = {p.id: p.name for p in reference.providers.values()}
    tiers = {tier: tier.capitalize() for tier in get_args(Tier)}
    return (
        _text("gpu", "GPUs", "h100, a100-80gb",
              "A name, several, or a generation: hopper."),
        _list("when", "Tell when", CONDITIONS, "Choose"),
        _text("amount", "How much", "0.90, 8%, 8% in 7d, 30 days"),
        _list("pricing", "Pricing", PRICINGS, "On-demand", "many"),
        _list("provider", "Providers", sellers, "Any provider", "many"),
        _list("region", "Region", REGION_LABELS, "Anywhere"),
        _list("tier", "Kind of host", tiers, "Any but serverless"),
    )  # fmt: skip


def _text(name: str, label: str, example: str, hint: str = "") -> FormField:
    return FormField(name=name, label=label, placeholder=example, hint=hint)


def _list(
    name: str,
    label: str,
    choices: Mapping[str, str],
    empty: str,
    kind: Literal["one", "many"] = "one",
) -> FormField:
    return FormField(
        name=name,
        label=label,
        kind=kind,
        options=tuple(Option(value=v, label=text) for v, text in choices.items()),
        placeholder=empty,
    )
