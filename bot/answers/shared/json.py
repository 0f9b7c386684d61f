"""Every figure of an answer as JSON, for programs; money as numbers in dollars.

One serialiser draws what `core.answers.answer` promises of every kind. `SHAPES` says
which figures of a record are shown and what they are called; "*" merges a record into
the one that holds it.
"""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from bot.question.question import Answered
from bot.render.views import Table
from core.answers.answer import Answer, Lever, Money, Rejection, Way
from core.answers.api_bill import Asked
from core.answers.batch_or_api import ApiJob
from core.answers.breakeven import Crossing
from core.answers.capacity import Carried
from core.answers.compare import AtSize, UnderLoad
from core.answers.datasheet import Form
from core.answers.fit import Fit
from core.answers.idle import AtUse
from core.answers.media import MediaOption
from core.answers.memory_need import Need
from core.answers.mig import Slicing
from core.answers.ownership import Energy
from core.answers.quickest import Quick
from core.answers.several_loads import OneFleet
from core.answers.smallest import Smallest
from core.answers.specs import SpecEntry
from core.answers.tco import AllIn
from core.answers.terms import Term
from core.answers.unit_price import UnitPrice
from core.answers.upgrade import Replacement
from core.estimate.capacity import ReplicaCapacity
from core.estimate.results import MemoryEstimate, Range
from core.frozen import Frozen
from core.hardware import GpuSpec
from core.jobs.options import JobOption, JobPlan, NearestYes
from core.market.board import Bill
from core.market.contenders import Contender
from core.market.recommendation import FleetPlan, Flip, KeptBy, Option
from core.money.api import ApiPrice
from core.money.owned import BuyOrRent, Purchase
from core.money.ratio import Worth
from core.money.tco import CostLine
from core.offers import Offer
from core.sizing.pay_by_use import ApiOption, ServerlessOption

Json = dict[str, Any]
BILLED = "* = offer, count = gpus, usd_per_hour, usd_per_month"
SHAPES: dict[type, str] = {
    Offer: "provider, gpu, instance, region, pricing, term_months, tier, "
    "usd_per_gpu_hour, price_observed_at = observed_at, source, source_url, "
    "seller_kind, evidence, stock, url = source_url, source_read_at = read_at",
    ApiPrice: "provider, model",
    Range: "low, likely, high",
    Rejection: "subject, rule, reason = why",
    Lever: "rule, text, usd_per_month_difference = usd_difference, note",
    Bill: f"{BILLED}, sla_percent",
    OneFleet: f"{BILLED.replace('usd_per_hour, ', '')}, busy, memory_gb = gb, fits",
    Option: f"{BILLED}, usd_per_million_output_tokens, idle_usd_per_month, "
    "sla_percent, seller_kind, machine_gpus, replicas = plan.replicas, "
    "usd_per_month_range, fleet = plan",
    KeptBy: "* = lever, usd_per_month",
    FleetPlan: "gpu, weights, kv, gpus, replicas, gpus_per_replica = replica_gpus, "
    "gpus_range, busy_at_peak = busy, * = capacity",
    ReplicaCapacity: "binding, tokens_per_second_per_replica = tokens_per_second, "
    "batch, ttft_p95_ms, tpot_p95_ms, memory_gb_per_gpu = memory",
    Flip: "field, value, direction, rival = rival.offer",
    JobOption: "* = offer, count = gpus, hours, usd_per_run = usd, "
    "usd_per_run_range = usd_range, usd_per_hour, "
    "time_factor_of_interruptions = spot.time_factor, "
    "interruptions_expected = spot.expected_stops, sla_percent, plan",
    JobPlan: "gpu, gpus, hours, gpu_hours, tokens_per_second, weights, "
    "memory_gb_per_gpu = memory_gb, memory_parts_gb = run.estimate.memory_parts_gb, "
    "mfu_pct = run.estimate.mfu_pct, why",
    NearestYes: "change, plan, option",
    MediaOption: "* = offer, count = gpus, unit = plan.capacity.unit, "
    "sla_percent, seller_kind, machine_gpus = offer.gpu_count, "
    "units_per_gpu_hour = plan.capacity.per_hour, published = measured, "
    "throughput_source = plan.capacity.source, usd_per_unit, usd_per_hour, "
    "usd_per_run = usd, usd_per_month, hours",
    Carried: "gpu, count = gpus, weights, replicas, binding = capacity.binding, "
    "requests_per_second, output_tokens_per_second, "
    "tokens_per_second_each = each, in_flight, memory_holds = room, "
    "ttft_p95_ms = capacity.ttft_p95_ms, tpot_p95_ms = capacity.tpot_p95_ms, "
    "usd_per_million_output_tokens_full = usd_per_million_full, bill",
    Fit: "gpu, count = gpus, weights, kv, fits, context_tokens = context, "
    "requests_at_once = sequences, longest_context_tokens = longest, "
    "memory_gb_per_gpu = memory, bill",
    MemoryEstimate: "available = available_gb, weights = weights_gb, "
    "activations = activations_gb, runtime = runtime_gb, "
    "free_for_kv = free_for_kv_gb, kv_per_sequence = kv_per_sequence_gb",
    Slicing: "* = fit, gpu, slice, slices_per_gpu = slices, count = gpus",
    Need: "weights, weights_gb, kv_cache_gb_per_request = kv_per_request_gb, "
    "requests, engine_gb = overhead_gb, total_gb, held_by = holder",
    Smallest: "gpu, weights, memory_gb = gpu.memory_gb, requests_at_once = requests, "
    "bill",
    Quick: "gpu, count = alone.gpus, weights = alone.weights, "
    "ttft_ms = alone.ttft_ms, tpot_ms = alone.tpot_ms, answer_ms, bill",
    UnitPrice: "gpu, count = capacity.gpus, weights = capacity.weights, "
    "output_tokens_per_second = tokens_per_second, offer",
    UnderLoad: "alternative = contender, option, unpriced, rejection",
    AtSize: "alternative = contender, bill, nearest_there = nearby",
    Contender: "gpu, precision, provider, pricing, instance",
    Worth: "price_ratio, break_even_price_ratio = speed_ratio, "
    "break_even_usd_first = break_even_usd_x, "
    "break_even_usd_second = break_even_usd_y",
    SpecEntry: "gpu, count = gpus, usd_per_hour, memory_gb = gpu.memory_gb, "
    "bandwidth_gb_s = gpu.bandwidth_gb_s, dense_tflops_16_bit = sixteen_bit, "
    "dense_tflops_8_bit = tflops, kv_tokens_beside_yardstick = kv_tokens, "
    "usd_per_gb_hour = per_gb, usd_per_tb_s_hour = per_tb_s, offer",
    Form: "gpu, memory_gb = gpu.memory_gb, bandwidth_gb_s = gpu.bandwidth_gb_s, "
    "dense_tflops = gpu.tflops, link_gb_s = gpu.link_gb_s, tdp_w = gpu.tdp_w, "
    "mig_instances = gpu.mig_instances, offer",
    AtUse: "used, idle_usd_per_month, * = bill",
    Replacement: "gpu, count = gpus, used, work_ratio = speed, flip = worth, bill",
    ApiOption: "provider = api.provider, model = api.model, "
    "usd_per_million_input = api.live.input_usd_per_million, "
    "usd_per_million_output = api.live.output_usd_per_million, "
    "usd_per_million_of_this_mix = usd_per_million, usd_per_month, "
    "source = api.source, source_url = api.source_url, as_of = api.as_of",
    Asked: "model, provider = api.provider, sold_as = api.model, "
    "usd_per_million_input = api.live.input_usd_per_million, "
    "usd_per_million_output = api.live.output_usd_per_million, "
    "usd_per_million_cached_input = api.live.cached_input_usd_per_million, "
    "usd_per_million_of_this_mix = usd_per_million, context_tokens = api.context, "
    "unusually_cheap = odd, source = api.source, source_url = api.source_url, "
    "as_of = api.as_of",
    ApiJob: "provider = api.provider, model = api.model, named, same_weights, "
    "usd_per_run = usd, usd_per_run_live = usd_live, batch_discount = discount, "
    "source = api.source, source_url = api.source_url, as_of = api.as_of",
    ServerlessOption: "* = offer, count = gpus, billed_share = billed, cold_start_s, "
    "usd_per_month",
    Crossing: "api, gpu = unit.gpu, count = unit.gpus, never = point.never, "
    "requests_per_second = point.requests_per_second, "
    "tokens_per_day = point.tokens_per_day, utilisation = full_utilisation, "
    "fleet_usd_per_million_full = point.fleet_usd_per_million, "
    "api_usd_per_million = point.api_usd_per_million",
    Energy: "gpu, count = gpus, kilowatts, pue, usd_per_kwh, hours, "
    "kwh_per_month = kwh, usd_per_month, usd_per_gpu_hour",
    Purchase: "usd, amortise_months, usd_per_month",
    BuyOrRent: "owned_usd_per_gpu_hour, rent_usd_per_gpu_hour, months_to_pay_back, "
    "used_hours_per_month",
    Term: "offer, saving = compared.saving, "
    "commitment_usd_per_gpu = compared.commitment_usd, "
    "hours_per_month = compared.hours_per_month, "
    "months_of_full_use = compared.months_of_full_use",
    AllIn: "usd_per_month = total.usd, idle_usd_per_month = total.idle, "
    "lines = total.lines, assumptions",
    CostLine: "name, usd, formula",
}


def figures(answered: Answered) -> Json:
    """The whole answer: what was read, assumed, recommended and left out."""
    view, query, found = answered.view, answered.query, answered.figures
    shape: Json = {
        "id": view.id,
        "kind": view.kind,
        "verdict": view.verdict,
        "query": query.model_dump(exclude_none=True) if query else None,
        "spec": None,
        "assumptions": [],
        "recommendation": None,
        "alternatives": [],
        "rejections": [],
        "levers": [],
        "prices": [],
        "table": _table(view.table),
        "notes": list(view.notes),
        "not_taken_into_account": list(view.not_used),
    }
    if answered.beside is not None:
        shape["all_in"] = drawn(answered.beside)
    return shape | (_answer(found) if found is not None else {})


def _answer(found: Answer) -> Json:
    """What every kind has, then what only this one has, which may replace it."""
    ways, workload, own = found.ways, found.workload, dict(found.details())
    derived: dict[str, object] = {
        "status": found.status,
        "spec": workload.spec if workload else None,
        "assumptions": found.assumed,
        "alternatives": [way.of for way in ways[1:]],
        "picks": [
            {"role": one.role, "why": one.why, "*": one.way and one.way.of}
            for one in found.picks
        ],
        "rejections": found.left_out,
        "levers": found.levers,
    }
    prices: Any = own.pop("prices", [way.offer for way in ways])
    if ways:
        derived["recommendation"] = ways[0]
    shown: Json = drawn(derived | own)
    return shown | {"prices": _sources(prices)}


def _units(money: Money) -> Json:
    """A way's money in the units that its own record leaves out."""
    other = {
        "usd_per_million_tokens_blended": money.million,
        "usd_per_thousand_requests": money.thousand_requests,
        "usd_per_month": money.month,
        "usd_per_year": money.year,
    }
    return {name: drawn(usd) for name, usd in other.items() if usd is not None}


def drawn(value: Any) -> Any:
    """A value as JSON: a record by its shape, money to a millionth of a dollar."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Decimal():
            return float(round(value, 6))
        case datetime() | date():
            return value.isoformat()
        case GpuSpec():
            return value.id
        case Way():
            return _units(value.money) | drawn(value.of)
        case Mapping():
            return _merged((str(key), one) for key, one in value.items())
    shape = SHAPES.get(type(value))
    if shape is not None:
        named = (each.partition(" = ") for each in shape.split(", "))
        return _merged((name, _at(value, path or name)) for name, _, path in named)
    if isinstance(value, Frozen):
        return value.model_dump(exclude_none=True)
    return [drawn(one) for one in value]


def _merged(pairs: Iterable[tuple[str, Any]]) -> Json:
    shown: Json = {}
    for name, value in pairs:
        shown |= (drawn(value) or {}) if name == "*" else {name: drawn(value)}
    return shown


def _at(value: Any, path: str) -> Any:
    """What lies at a path of names; None where one of them is None."""
    for name in path.split("."):
        value = None if value is None else getattr(value, name)
    return value() if callable(value) else value


def _sources(prices: Iterable[Any]) -> list[Json]:
    """The sources of prices, once each; where a kind shows offers, those in full."""
    offers = [one for one in prices if isinstance(one, Offer)]
    seen = {(o.source, o.observed_at.isoformat(), o.source_url) for o in offers}
    return [
        {"source": source, "observed_at": at, "url": url}
        for source, at, url in sorted(seen)
    ] or [drawn(one) for one in prices if one is not None]


def _table(shown: Table | None) -> Json | None:
    """What the blocks show, with every figure in full; no row is held back."""
    if shown is None:
        return None
    return {
        "caption": shown.caption,
        "columns": list(shown.columns),
        "rows": [
            [cell.text if cell.value is None else cell.value for cell in row]
            for row in shown.rows
        ],
        "winner": shown.winner,
    }
