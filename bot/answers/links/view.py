"""Yes or no first, then what each link takes of a token and of a prompt."""

from bot.answers.shared.figures import chips, gpu_name, price_sources, provider_name
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.links import FELT_S, Link, Links
from core.wording import milliseconds

LOAD = ("concurrency", "utilization")
"""Assumed of every service; no link depends on it."""
NAMES = {
    "pcie": say("links.pcie"),
    "nvlink": "NVLink",
    "ethernet": say("links.ethernet"),
    "infiniband": say("links.infiniband"),
}


def links_view(found: Links, page: Page) -> AnswerView:
    """Whether it is needed, from when on, and what avoids it."""
    step = say("links.of_a_step") if found.trained else say("links.of_the_prompt")
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=Table(
            caption=say("links.table"),
            columns=(say("links.column"), say("links.of_a_token"), step),
            rows=tuple(
                (Cell(text=NAMES[one.name]), _wait(one.token_s), _wait(one.prompt_s))
                for one in (found.plain, found.fast)
            ),
            winner=int(found.needed),
        ),
        chips=chips(a for a in found.resolved.assumptions if a.field not in LOAD),
        notes=tuple(_notes(found, page)),
        small_print=(price_sources([found.instead.offer]),) if found.instead else (),
    )


def _wait(seconds: float) -> Cell:
    return Cell(text=milliseconds(seconds * 1000), value=seconds)


def _verdict(found: Links) -> str:
    spec = spec_of(found.resolved)
    model, prompt, gpus = spec.model.name, spec.input_tokens, found.gpus
    slow, fast = (_wait(one.prompt_s).text for one in (found.plain, found.fast))
    if found.trained:
        name, plain = NAMES[found.fast.name], NAMES[found.plain.name]
        return say(
            "links.train", name=name, model=model, fast=fast, slow=slow, plain=plain
        )
    if not found.networked and found.needed:
        return say(
            "links.take_nvlink", model=model, gpus=gpus, prompt=prompt, slow=slow,
            fast=fast,
        )  # fmt: skip
    if not found.networked:
        token, soon = (_wait(one.token_s).text for one in (found.plain, found.fast))
        return say(
            "links.pcie_is_fine", model=model, gpus=gpus, prompt=prompt, slow=slow,
            fast=fast, token=token, fast_token=soon,
        )  # fmt: skip
    gb, held, weights = found.weights_gb, found.node_gb, found.weights.upper()
    if found.gpu is None:
        return say("links.if_it_spans", model=model, gb=gb)
    what = f"{found.gpu.gpus_per_node} × {gpu_name(found.gpu)}"
    if found.needed:
        return say(
            "links.spans", model=model, weights=weights, gb=gb, what=what, held=held
        )
    return say(
        "links.fits_in_one", model=model, weights=weights, gb=gb, what=what, held=held
    )


def _why(found: Links) -> str:
    tokens = spec_of(found.resolved).input_tokens
    slow, fast = (_wait(one.prompt_s).text for one in (found.plain, found.fast))
    if found.trained:
        return say("links.why_train")
    if found.networked and found.gpu and not found.needed:
        return say("links.why_one", tokens=tokens, slow=slow)
    if found.networked:
        return say("links.why_spans", tokens=tokens, slow=slow, fast=fast)
    apart = (found.plain.prompt_s - found.fast.prompt_s) / tokens
    return say("links.why_nvlink", from_tokens=float(f"{FELT_S / apart:.1g}"))


def _notes(found: Links, page: Page) -> list[str]:
    notes, one = [], found.instead
    if not found.networked and found.gpu and not found.gpu.link_gb_s:
        notes.append(say("links.has_none", gpu=gpu_name(found.gpu)))
    if one and not found.trained:
        seller = provider_name(one.offer.provider, page.reference)
        what, usd = f"{one.gpus} × {gpu_name(one.plan.gpu)}", one.usd_per_month
        way = say("links.way", what=what, seller=seller, usd=usd)
        wide = found.networked
        notes.append(
            say("links.instead", way=way) if wide else say("links.instead_one", way=way)
        )
    return [*notes, say("links.reckoned")]


def explain_links(found: Links, page: Page) -> AnswerView:
    """What is exchanged, and over what."""
    return page.explained(
        (say("links.reckoned"), *map(_step, (found.plain, found.fast))),
        found.resolved.assumptions,
    )


def _step(one: Link) -> str:
    token, prompt = _wait(one.token_s).text, _wait(one.prompt_s).text
    return say("links.step", name=NAMES[one.name], token=token, prompt=prompt)
