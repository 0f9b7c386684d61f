"""Figures of answers about power, buying, terms and the whole bill, as JSON."""

from bot.answers.shared.json_parts import (
    Json,
    bill_figures,
    bill_or_none,
    number,
    offer_figures,
    option_figures,
)
from core.answers.datasheet import Form, Sheet
from core.answers.model_comparison import ModelRivals
from core.answers.ownership import Energy, Owning
from core.answers.tco import AllIn
from core.answers.terms import Term, TermsAnswer
from core.money.owned import BuyOrRent
from core.workload import Assumption


def owning_figures(found: object) -> Json | None:
    """Figures of one of these answers; None: it is another's."""
    match found:
        case Energy():
            assumed = _assumed(found.assumptions)
            return {"status": "ok", "assumptions": assumed, "energy": _energy(found)}
        case Owning():
            return _owning(found)
        case TermsAnswer():
            return _terms(found)
        case ModelRivals():
            return _rivals(found)
        case Sheet():
            return _sheet(found)
    return None


def _sheet(found: Sheet) -> Json:
    return {
        "status": "ok",
        "asked": found.asked,
        "alternatives": [_form(form) for form in found.forms],
        "prices": [offer_figures(form.offer) for form in found.forms if form.offer],
    }


def _form(form: Form) -> Json:
    gpu = form.gpu
    return {
        "gpu": gpu.id,
        "memory_gb": gpu.memory_gb,
        "bandwidth_gb_s": gpu.bandwidth_gb_s,
        "dense_tflops": dict(gpu.tflops),
        "link_gb_s": gpu.link_gb_s,
        "tdp_w": gpu.tdp_w,
        "mig_instances": gpu.mig_instances,
        "offer": offer_figures(form.offer) if form.offer else None,
    }


def all_in_figures(found: AllIn) -> Json:
    """The parts of a whole month, and what was assumed for them."""
    total = found.total
    return {
        "usd_per_month": number(total.usd),
        "idle_usd_per_month": number(total.idle),
        "lines": [
            {"name": one.name, "usd": number(one.usd), "formula": one.formula}
            for one in total.lines
        ],
        "assumptions": _assumed(found.assumptions),
    }


def _rivals(found: ModelRivals) -> Json:
    rows = [
        {"model": spec.model.id, **option_figures(best)}
        for spec, best, _ in found.served
    ]
    return {
        "status": "ok" if rows else "nothing_serves",
        "recommendation": rows[0] if rows else None,
        "alternatives": rows[1:],
        "unserved": list(found.unserved),
        "prices": [offer_figures(best.offer) for _, best, _ in found.served],
    }


def _assumed(found: tuple[Assumption, ...]) -> list[Json]:
    return [one.model_dump() for one in found]


def _energy(found: Energy) -> Json:
    return {
        "gpu": found.gpu.id,
        "count": found.gpus,
        "kilowatts": number(found.kilowatts),
        "pue": number(found.pue),
        "usd_per_kwh": number(found.usd_per_kwh),
        "hours": number(found.hours),
        "kwh_per_month": number(found.kwh),
        "usd_per_month": number(found.usd_per_month),
        "usd_per_gpu_hour": number(found.usd_per_gpu_hour),
    }


def _owning(found: Owning) -> Json:
    buy = found.compared.buy
    return {
        "status": "ok",
        "assumptions": _assumed(found.assumptions),
        "recommendation": {
            "buy": buy,
            "usd_per_month": number(
                found.purchase.usd_per_month if buy else found.rented_usd_per_month
            ),
        },
        "owned": {
            "usd": number(found.purchase.usd),
            "amortise_months": found.purchase.amortise_months,
            "usd_per_month": number(found.purchase.usd_per_month),
            "energy": _energy(found.energy),
        },
        "rented": {
            "usd_per_month_used": number(found.rented_usd_per_month),
            "bill": bill_figures(found.rent),
            "reserved": bill_or_none(found.reserved),
        },
        "compared": _compared(found.compared),
        "prices": [offer_figures(found.rent.offer)],
    }


def _compared(one: BuyOrRent) -> Json:
    return {
        "owned_usd_per_gpu_hour": number(one.owned_usd_per_gpu_hour),
        "rent_usd_per_gpu_hour": number(one.rent_usd_per_gpu_hour),
        "months_to_pay_back": number(one.months_to_pay_back),
        "used_hours_per_month": number(one.used_hours_per_month),
    }


def _terms(found: TermsAnswer) -> Json:
    rows = [_term(one) for one in found.terms]
    best = found.best
    return {
        "status": "ok",
        "recommendation": _term(best) if best else None,
        "alternatives": rows,
        "on_demand": offer_figures(found.on_demand),
        "spot": offer_figures(found.spot) if found.spot else None,
        "prices": [offer_figures(one.offer) for one in found.terms],
    }


def _term(one: Term) -> Json:
    return {
        "offer": offer_figures(one.offer),
        "saving": number(one.compared.saving),
        "commitment_usd_per_gpu": number(one.compared.commitment_usd),
        "hours_per_month": number(one.compared.hours_per_month),
        "months_of_full_use": number(one.compared.months_of_full_use),
    }
