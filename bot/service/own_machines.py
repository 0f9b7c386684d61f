"""A Mac or a server without GPUs that is weighed: what is published of it."""

from bot.question.question import Answered, Question
from bot.render.words import say
from core.llm import ModelSpec
from core.query import Query
from core.reference.catalogue import Reference
from core.reference.own_machines import own_machines


def with_own_machine(found: Answered, question: Question) -> Answered:
    """Lead with the machine that nobody rents out, where a question names one."""
    query = found.query or question.query
    plain = query.text.lower()
    machine = next(
        (one for one in own_machines() if any(word in plain for word in one.words)),
        None,
    )
    if machine is None or found.figures is None:
        return found
    model = _model(query, question.reference)
    speed = machine.speed_of(model.params_b if model else None, query.model)
    if speed is not None:
        told = say(
            "service.on_own_machine",
            machine=speed.on or machine.name,
            text=speed.text,
        )
    elif model is not None:
        told = say(
            "service.most_on_own_machine",
            machine=machine.name,
            tokens=machine.most_tokens(model.active_params_b),
            model=model.name,
            bandwidth=machine.bandwidth_gb_s,
        )
    else:
        return found
    left = tuple(
        words
        for words in found.view.not_used
        if not any(word in words.lower() for word in (*machine.words, *machine.also))
    )
    source = speed.source if speed else machine.source
    return found.redrawn(
        verdict=f"{told} {found.view.verdict}",
        not_used=left,
        small_print=(
            say("service.own_machine_source", machine=machine.name, source=source),
            *found.view.small_print,
        ),
    )


def _model(query: Query, reference: Reference) -> ModelSpec | None:
    """The language model that is asked about, or one that stands for its size."""
    if query.modality is not None:
        return None
    if query.model and (known := reference.model(query.model)):
        return known
    if query.params_b is None:
        return None
    return reference.representative(query.params_b, query.active_params_b)
