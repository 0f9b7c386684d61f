"""Whether GPUs need a fast link, or machines a fast network."""

from bot.answers.links.view import explain_links, links_view
from bot.answers.served import fleets, served
from bot.answers.shared.page import Page
from bot.answers.shared.workload import (
    as_served,
    has_model,
    load_stated,
    spec_of,
    with_model,
)
from bot.question.question import Answered, Question
from bot.render.words import say
from core.answers.links import NODE, PAIR, answer_links
from core.market.named_gpus import named_gpus
from core.patterns import regex

_NETWORK = regex(
    r"\b(?:infiniband|roce|ethernet|gbe|gbit|rdma|(?:between|of|two|2|\d+) nodes|"
    r"(?:between|two|2) (?:machines|servers))\b"
)


def links(question: Question) -> Answered | None:
    """What the exchange between GPUs takes; None: a load decides, or adapters train."""
    query = question.query
    adapters = set(query.method or ()) & {"lora", "qlora"}
    if load_stated(query) or query.modality or adapters:
        return None
    asked = with_model(as_served(question))
    resolved = served(asked, asked.query)
    if resolved is None:
        return None
    gpu = next(iter(named_gpus(query, question.reference)), None)
    board = gpu.gpus_per_node if gpu else NODE
    networked = (query.count or 0) > board or bool(_NETWORK.search(query.text.lower()))
    gpus = query.count or (PAIR * board if networked else PAIR)
    usual = question.defaults["concurrency"].value
    free = {"gpu": None, "count": None, "concurrency": usual, "self_hosted": True}
    sized = fleets(asked, asked.query.model_copy(update=free))
    most = board if networked else 1
    options = sized.options if sized else ()
    instead = next((one for one in options if one.plan.replica_gpus <= most), None)
    found = answer_links(
        resolved, spec_of(resolved), gpu, gpus, networked,
        query.kind in ("training", "finetune"), instead,
    )  # fmt: skip
    if found is None:
        return None
    told = Page(question).drawn(found, links_view, explain_links)
    if has_model(query):
        return told
    model = spec_of(resolved).model.name
    return told.noted(say("links.model_unnamed", model=model))
