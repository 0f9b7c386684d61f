"""What an answer names beside its verdict: picks and levers, one line each."""

from bot.answers.shared.figures import gpu_name, provider_name
from bot.render.views import Lever
from core.answers.answer import Answer, Pick, Role
from core.answers.answer import Lever as CostLever
from core.offers import Evidence
from core.reference.catalogue import Reference
from core.wording import dollars

ROLES: dict[Role, str] = {
    "best_price": "Best price",
    "with_sla": "With an SLA",
    "hyperscaler": "Hyperscaler",
}
EVIDENCE: dict[Evidence, str] = {
    "api": "price of its API",
    "price_list": "published price list",
    "price_page": "price page",
    "own": "your own price",
    "from": "“from” price",
    "article": "price of an article",
    "unknown": "source of the price unknown",
}


def picks_shown(
    found: Answer, reference: Reference, starred: Role | None = "best_price"
) -> tuple[Lever, ...]:
    """The picks, the starred one marked; where one is missing, its reason."""
    lines: list[Lever] = []
    before: dict[object, Role] = {}
    for pick in found.picks:
        key = pick.way and (pick.way.offer and pick.way.offer.key, pick.way.gpus)
        same = before.get(key)
        if key is None or same is None:
            before[key] = pick.role
            lines.append(_line(pick, reference, starred))
            continue
        star = "★ " if pick.role == starred else ""
        text = f"{star}{ROLES[pick.role]}: the same as “{ROLES[same]}”"
        lines.append(Lever(text=text, difference=""))
    return tuple(lines)


def _line(pick: Pick, reference: Reference, starred: Role | None) -> Lever:
    way, name = pick.way, ROLES[pick.role]
    if way is None or way.offer is None:
        return Lever(text=f"{name}: none", difference="", note=pick.why)
    offer = way.offer
    mark = "★ " if pick.role == starred and not offer.doubt else ""
    gpu = reference.gpus.get(offer.gpu)
    machine = f"{way.gpus} × {gpu_name(gpu) if gpu else offer.gpu}"
    percent = getattr(way.of, "sla_percent", None)
    sla = f"SLA {percent:g} %" if percent else "no SLA known"
    parts = [sla, EVIDENCE[offer.evidence]]
    if pick.role != "with_sla":
        parts.insert(1, pick.why)
    usd, per = way.money.headline
    return Lever(
        text=f"{mark}{name}: {machine} at {provider_name(offer.provider, reference)}",
        difference=f"{dollars(usd)}{per}" if usd is not None else "",
        note="; ".join(parts),
    )


def monthly(lever: CostLever) -> Lever:
    """A lever with what it does to the month; none of it where that is nothing."""
    amount = lever.usd_difference
    if amount is None:
        return Lever(text=lever.text, difference=lever.note)
    sign = "+" if amount > 0 else ""
    text = f"{sign}{dollars(amount)}/month" if amount else ""
    return Lever(text=lever.text, difference=text, note=lever.note)
