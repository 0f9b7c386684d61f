"""The figures of capacity, fit, comparison, break-even and idle answers, as JSON."""

from bot.answers.shared.json_money import idle_figures, money_figures
from bot.answers.shared.json_parts import (
    Json,
    bill_or_none,
    bill_prices,
    carried_figures,
    number,
    offer_figures,
    option_figures,
    plan_figures,
    price_figures,
    rejection_figures,
    resolved_figures,
)
from bot.answers.shared.json_wanted import wanted_figures
from core.answers.capacity import CapacityAnswer
from core.answers.compare import AtSize, LoadComparison, OfferComparison, UnderLoad
from core.answers.fit import Fit, FitAnswer
from core.answers.memory_need import MemoryAnswer
from core.answers.mig import MigAnswer, Slicing
from core.answers.quickest import QuickAnswer
from core.answers.specs import SpecComparison, SpecEntry
from core.answers.unit_price import UnitPriceAnswer
from core.answers.upgrade import Replacement, Upgrade
from core.estimate.results import MemoryEstimate
from core.market.contenders import Contender
from core.money.ratio import Worth


def decide_figures(found: object) -> Json | None:
    """Figures of one of these answers; None: it is another's."""
    match found:
        case CapacityAnswer():
            return _capacity(found)
        case FitAnswer():
            return _fit(found)
        case MemoryAnswer() | UnitPriceAnswer() | QuickAnswer():
            return wanted_figures(found)
        case MigAnswer():
            return _mig(found)
        case LoadComparison():
            return _under_load(found)
        case OfferComparison():
            return _at_size(found)
        case SpecComparison():
            return _specs(found)
        case Upgrade():
            return _upgrade(found)
    return money_figures(found)


def _memory(one: MemoryEstimate) -> Json:
    return {
        "available": one.available_gb,
        "weights": one.weights_gb,
        "activations": one.activations_gb,
        "runtime": one.runtime_gb,
        "free_for_kv": one.free_for_kv_gb,
        "kv_per_sequence": one.kv_per_sequence_gb,
    }


def _capacity(found: CapacityAnswer) -> Json:
    rows = [carried_figures(one, found.spec.output_tokens) for one in found.carried]
    return {
        **resolved_figures(found.resolved),
        "status": "ok" if rows and not found.patient else "not_within_limits",
        "recommendation": rows[0] if rows else None,
        "alternatives": rows[1:],
        "load_over_capacity": found.share if rows and found.load_stated else None,
        "needed": plan_figures(found.needed) if found.needed else None,
        "rejections": rejection_figures(found.rejections),
        "prices": bill_prices(one.bill for one in found.carried),
    }


def _fit(found: FitAnswer) -> Json:
    rows = [_fit_row(fit) for fit in found.fits]
    return {
        **resolved_figures(found.resolved),
        "status": "ok" if found.asked and found.asked.fits else "does_not_fit",
        "recommendation": rows[0] if rows else None,
        "alternatives": rows[1:],
        "nearest": [_fit_row(fit) for fit in found.nearest],
        "prices": bill_prices(fit.bill for fit in found.looked_at),
    }


def _fit_row(fit: Fit) -> Json:
    return {
        "gpu": fit.gpu.id,
        "count": fit.gpus,
        "weights": fit.weights,
        "kv": fit.kv,
        "fits": fit.fits,
        "context_tokens": fit.context,
        "requests_at_once": fit.sequences,
        "longest_context_tokens": fit.longest,
        "memory_gb_per_gpu": _memory(fit.memory),
        "bill": bill_or_none(fit.bill),
    }


def _mig(found: MigAnswer) -> Json:
    return {
        **resolved_figures(found.resolved),
        "status": "ok" if found.yes else "does_not_fit",
        "recommendation": _slicing(found.best) if found.best else None,
        "alternatives": [_slicing(cut) for cut in found.slicings],
        "nearest": [_slicing(cut) for cut in found.nearest],
        "prices": bill_prices(
            cut.fit.bill for cut in (*found.slicings, *found.nearest)
        ),
    }


def _slicing(cut: Slicing) -> Json:
    return {
        **_fit_row(cut.fit),
        "gpu": cut.gpu.id,
        "slice": cut.slice.id,
        "slices_per_gpu": cut.slices,
        "count": cut.gpus,
    }


def _contender(one: Contender) -> Json:
    return {
        "gpu": one.gpu.id if one.gpu else None,
        "precision": one.precision,
        "provider": one.provider,
        "pricing": one.pricing,
        "instance": one.instance,
    }


def _flip(flip: Worth | None) -> Json | None:
    if flip is None:
        return None
    return {
        "price_ratio": number(flip.price_ratio),
        "break_even_price_ratio": number(flip.speed_ratio),
        "break_even_usd_first": number(flip.break_even_usd_x),
        "break_even_usd_second": number(flip.break_even_usd_y),
    }


def _under_load(found: LoadComparison) -> Json:
    rows = [_entry(entry) for entry in found.entries]
    priced = [option.offer for _, option in found.priced]
    return {
        **resolved_figures(found.resolved),
        "status": "ok" if found.priced else "nothing_fits",
        "recommendation": rows[0] if found.priced else None,
        "alternatives": rows[1:] if found.priced else rows,
        "flip": _flip(found.flip),
        "overtaken_at_requests_per_second": found.overtaken_at,
        "elsewhere": option_figures(found.elsewhere) if found.elsewhere else None,
        "prices": price_figures(priced),
    }


def _entry(entry: UnderLoad) -> Json:
    rejected = entry.rejection
    return {
        "alternative": _contender(entry.contender),
        "option": option_figures(entry.option) if entry.option else None,
        "unpriced": plan_figures(entry.unpriced) if entry.unpriced else None,
        "rejection": rejection_figures([rejected])[0] if rejected else None,
    }


def _at_size(found: OfferComparison) -> Json:
    rows = [_size(entry) for entry in found.entries]
    return {
        "status": "ok" if found.priced else "unpriced",
        "recommendation": rows[0] if found.priced else None,
        "alternatives": rows[1:] if found.priced else rows,
        "flip": _flip(found.flip),
        "prices": bill_prices(entry.bill for entry in found.entries),
    }


def _size(entry: AtSize) -> Json:
    return {
        "alternative": _contender(entry.contender),
        "bill": bill_or_none(entry.bill),
        "nearest_there": bill_or_none(entry.nearby),
    }


def _specs(found: SpecComparison) -> Json:
    answer = found.yardstick.output_tokens
    return {
        "status": "ok",
        "alternatives": [_spec(entry, answer) for entry in found.entries],
        "ratios_first_over_second": found.ratios,
        "price_ratio": found.price_ratio,
        "yardstick": found.yardstick.model.id,
        "prices": price_figures(e.offer for e in found.entries if e.offer),
    }


def _spec(entry: SpecEntry, output_tokens: float) -> Json:
    return {
        "gpu": entry.gpu.id,
        "count": entry.gpus,
        "usd_per_hour": number(entry.usd_per_hour),
        "memory_gb": entry.gpu.memory_gb,
        "bandwidth_gb_s": entry.gpu.bandwidth_gb_s,
        "dense_tflops_16_bit": entry.sixteen_bit,
        "dense_tflops_8_bit": entry.tflops,
        "kv_tokens_beside_yardstick": entry.kv_tokens,
        "yardstick_tokens_per_second_per_gpu": entry.tokens_per_gpu(output_tokens),
        "usd_per_gb_hour": number(entry.per_gb()),
        "usd_per_tb_s_hour": number(entry.per_tb_s()),
        "offer": offer_figures(entry.offer) if entry.offer else None,
    }


def _upgrade(found: Upgrade) -> Json:
    return {
        **(resolved_figures(found.resolved) if found.resolved else {}),
        **idle_figures(found.idle),
        "raise_utilisation_first": found.raise_first,
        "replacements": [_replacement(found, one) for one in found.replacements],
    }


def _replacement(found: Upgrade, one: Replacement) -> Json:
    return {
        "gpu": one.gpu.id,
        "count": one.gpus,
        "used": one.used,
        "work_ratio": one.speed,
        "saves_usd_per_month": number(found.saves(one)),
        "flip": _flip(one.worth),
        "bill": bill_or_none(one.bill),
    }
