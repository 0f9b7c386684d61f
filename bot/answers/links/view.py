"""Yes or no first, then what each link takes of a token and of a prompt."""

from bot.answers.shared.figures import chips, gpu_name, price_sources, provider_name
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.render.views import AnswerView, Cell, Table
from bot.render.words import say
from core.answers.links import BATCH, FELT_S, Link, Links
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
    return page.answer(
        verdict=_verdict(found),
        why=_why(found),
        table=_table(found),
        chips=chips(a for a in found.resolved.assumptions if a.field not in LOAD),
        notes=tuple(_notes(found, page)),
        small_print=((price_sources((found.instead.offer,)),) if found.instead else ()),
    )


def _verdict(found: Links) -> str:
    model = spec_of(found.resolved).model.name
    slow, fast = _prompts(found)
    if found.trained:
        name, plain = NAMES[found.fast.name], NAMES[found.plain.name]
        name = name.partition(",")[0]
        return say(
            "links.train", name=name, model=model, fast=fast, slow=slow, plain=plain
        )
    prompt = spec_of(found.resolved).input_tokens
    if not found.networked and found.needed:
        return say(
            "links.take_nvlink", model=model, gpus=found.gpus, prompt=prompt,
            slow=slow, fast=fast,
        )  # fmt: skip
    if not found.networked:
        token, fast_token = (
            milliseconds(one.token_ms) for one in (found.plain, found.fast)
        )
        return say(
            "links.pcie_is_fine", model=model, gpus=found.gpus, prompt=prompt,
            slow=slow, fast=fast, token=token, fast_token=fast_token,
        )  # fmt: skip
    gb, held, weights = found.weights_gb, found.node_gb, found.weights.upper()
    if found.gpu is None:
        return say("links.if_it_spans", model=model, gb=gb)
    board, gpu = found.gpu.gpus_per_node, gpu_name(found.gpu)
    if found.needed:
        return say(
            "links.spans", model=model, weights=weights, gb=gb, board=board, gpu=gpu,
            held=held,
        )  # fmt: skip
    return say(
        "links.fits_in_one", model=model, weights=weights, gb=gb, board=board, gpu=gpu,
        held=held,
    )  # fmt: skip


def _prompts(found: Links) -> tuple[str, str]:
    """What a prompt, or a step, waits for the plain link and the fast one."""
    return (
        milliseconds(found.plain.prompt_s * 1000),
        milliseconds(found.fast.prompt_s * 1000),
    )


def _why(found: Links) -> str:
    if found.trained:
        return say("links.why_train")
    tokens, (slow, fast) = spec_of(found.resolved).input_tokens, _prompts(found)
    if found.networked and found.gpu and not found.needed:
        return say("links.why_one", tokens=tokens, slow=slow)
    if found.networked:
        return say("links.why_spans", tokens=tokens, slow=slow, fast=fast)
    apart = (found.plain.prompt_s - found.fast.prompt_s) / tokens
    return say("links.why_nvlink", from_tokens=float(f"{FELT_S / apart:.1g}"))


def _notes(found: Links, page: Page) -> list[str]:
    notes = []
    if not found.networked and found.gpu and not found.gpu.link_gb_s:
        notes.append(say("links.has_none", gpu=gpu_name(found.gpu)))
    if (one := found.instead) and not found.trained:
        gpu = gpu_name(one.plan.gpu)
        seller = provider_name(one.offer.provider, page.reference)
        way = say(
            "links.way", gpus=one.gpus, gpu=gpu, seller=seller, usd=one.usd_per_month
        )
        notes.append(
            say("links.instead", way=way)
            if found.networked
            else say("links.instead_one", way=way)
        )
    return [*notes, say("links.reckoned")]


def _table(found: Links) -> Table:
    step = say("links.of_a_step") if found.trained else say("links.of_the_prompt")
    columns: tuple[str, ...] = (
        say("links.column"),
        say("links.of_a_token"),
        say("links.in_a_batch", at_once=BATCH),
        step,
    )
    rows = [_row(one) for one in (found.plain, found.fast)]
    if found.trained:
        columns, rows = (columns[0], step), [(row[0], row[3]) for row in rows]
    return Table(
        caption=say("links.table", at_once=BATCH),
        columns=columns,
        rows=tuple(rows),
        winner=1 if found.needed else 0,
    )


def _row(one: Link) -> tuple[Cell, ...]:
    waits = (one.token_ms, one.batch_ms, one.prompt_s * 1000)
    return (
        Cell(text=NAMES[one.name]),
        *(Cell(text=milliseconds(w), value=w) for w in waits),
    )


def explain_links(found: Links, page: Page) -> AnswerView:
    """What is exchanged, and over what."""
    steps = []
    for one in (found.plain, found.fast):
        token, prompt = milliseconds(one.token_ms), milliseconds(one.prompt_s * 1000)
        name = NAMES[one.name]
        steps.append(say("links.step", name=name, token=token, prompt=prompt))
    return page.explained((say("links.reckoned"), *steps), found.resolved.assumptions)
