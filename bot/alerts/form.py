"""The form of an alert: what a channel watches, as fields that can be changed."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, Literal, get_args

from pydantic import ValidationError

from bot.render.fields import REGION_LABELS
from bot.render.form_views import FormField, FormView, Option
from bot.render.words import say
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
from core.checked import Checked
from core.offers import MICRO, Tier
from core.reference.catalogue import Reference
from core.wording import significant

CALLBACK: Final = "alert_form"
Kind = Literal["price", "workload", "digest", "stale"]
Values = Mapping[str, tuple[str, ...]]
"""What stands in each field."""

TITLES: Mapping[Kind, str] = {
    "price": say("alerts.watch_a_price"),
    "workload": say("alerts.watch_a_workload"),
    "digest": say("alerts.send_a_digest"),
    "stale": say("alerts.watch_the_sources"),
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
    "reserved": say("alerts.reserved_any_term"),
    "12 months": say("alerts.reserved_for_a_year"),
    "36 months": say("alerts.reserved_for_three_years"),
}
WINNER = say("alerts.another_best_offer")
"""What is watched of a workload where no move is."""
CONDITIONS = {
    "below": say("alerts.the_price_falls_below"),
    "above": say("alerts.the_price_rises_above"),
    "moves": say("alerts.it_moves_either_way"),
    "drops": say("alerts.it_falls_by"),
    "rises": say("alerts.it_rises_by"),
    "low": say("alerts.it_is_the_lowest"),
    "gap above": say("alerts.choice_spot_gap_above"),
    "gap below": say("alerts.choice_spot_gap_below"),
    "listed": say("alerts.choice_listed"),
    "vanishes": say("alerts.a_provider_stops_selling"),
}
DIRECTIONS = {
    "any": say("alerts.cheaper_or_more_expensive"),
    "down": "Cheaper",
    "up": "More expensive",
}
EVERY = {
    "daily": say("alerts.every_day"),
    "weekdays": say("alerts.monday_to_friday"),
    **{f"weekly {day}": say("alerts.every", day=day.capitalize()) for day in DAYS},
}
_MOVES = {"any": "moves", "down": "drops", "up": "rises"}


class AlertPlace(Checked):
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
                label=say("alerts.tell_which_channel"),
                kind="conversation",
                hint=say("alerts.must_be_a_member"),
                required=True,
            )
        )
    return FormView(
        callback=CALLBACK,
        title=say("alerts.adjust_alert", number=place.number)
        if place.number
        else TITLES[place.kind],
        submit=say("alerts.replace_it") if place.number else "Watch",
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
            hours = say("alerts.at_most_hours", max=max(1, round(watch.hours)))
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
            return "low", say("alerts.condition_values", days=condition.days)
        case Presence():
            return ("listed" if condition.event == "listed" else "vanishes"), ""


def _size(condition: Move) -> str:
    if condition.micro_usd is not None:
        return _dollars(condition.micro_usd)
    hours = condition.window_hours or 0
    span = f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"
    return f"{condition.percent:f}%" + (say("alerts.size", span=span) if hours else "")


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
                _text(
                    "question",
                    "Question",
                    "70b 50rps",
                    say("alerts.we_answer_it_again"),
                ),
                _text(
                    "percent",
                    say("alerts.tell_when_its_cost"),
                    "10%",
                    say("alerts.hint_cost"),
                ),
                _list(
                    "direction",
                    say("alerts.which_way"),
                    DIRECTIONS,
                    say("alerts.both_ways"),
                ),
            )
        case "digest":
            return (
                _text(
                    "gpu", "GPUs", "l40s, h200", say("alerts.empty_what_this_channel")
                ),
                _list("every", say("alerts.how_often"), EVERY, "Choose"),
                _text("time", "At", "9:00"),
                _text(
                    "zone",
                    say("alerts.label_time_zone"),
                    "berlin",
                    say("alerts.hint_time_zone"),
                ),
            )
        case "stale":
            return (_text("hours", say("alerts.tell_when_a_source"), "24 hours"),)


def _price_fields(reference: Reference) -> tuple[FormField, ...]:
    sellers = {p.id: p.name for p in reference.providers.values()}
    tiers = {tier: tier.capitalize() for tier in get_args(Tier)}
    return (
        _text("gpu", "GPUs", "h100, a100-80gb", say("alerts.hint_gpu_names")),
        _list("when", say("alerts.tell_when"), CONDITIONS, "Choose"),
        _text("amount", say("alerts.how_much"), say("alerts.in_d_days")),
        _list("pricing", "Pricing", PRICINGS, "On-demand", "many"),
        _list("provider", "Providers", sellers, say("alerts.any_provider"), "many"),
        _list("region", "Region", REGION_LABELS, "Anywhere"),
        _list(
            "tier", say("alerts.kind_of_host"), tiers, say("alerts.any_but_serverless")
        ),
    )


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
