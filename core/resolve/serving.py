"""Live traffic: lengths, rates and limits of a serving workload."""

import re
from collections.abc import Iterator
from typing import Literal

from core.defaults import Defaults
from core.llm import ModelSpec
from core.patterns import regex
from core.query import Advised, Query, Use
from core.reference.catalogue import Reference
from core.reference.model_classes import model_classes
from core.reference.thinking import thinks
from core.resolve.constraints import (
    formats_asked,
    formats_excluded,
    resolve_constraints,
)
from core.resolve.gaps import Gaps
from core.wording import count, say, significant
from core.workload import InferenceSpec, LatencyTargets, Percentile, ServingLoad

DAYS_PER_MONTH = 30


def resolve_serving(
    gaps: Gaps, model: ModelSpec, reference: Reference
) -> InferenceSpec:
    """A served model with every number filled."""
    query = gaps.query
    prompt, answer, cached, targets = _timed(gaps, model)
    fresh = prompt * (1 - cached)
    load = serving_load(gaps, fresh, counted(query, prompt, answer), answer, targets)
    _assume_precision(gaps, model)
    gaps.name_profile()
    gaps.notes += (*_kept_free(query), *_adapters(query, model))
    if gaps.use == "ocr":
        gaps.notes.append(say("assumptions.pace_of_pages"))
    return InferenceSpec(
        model=model,
        model_count=query.model_count or 1,
        precisions=formats_asked(query),
        precisions_excluded=formats_excluded(query),
        input_tokens=prompt,
        output_tokens=answer,
        cache_hit_rate=cached,
        cacheable_share=_cacheable(gaps),
        load=load,
        headroom=max(query.headroom or 0.0, ADAPTERS_COST if query.adapters else 0),
        spare_replicas=query.spare_replicas or 0,
        places=_places(query),
        places_shape=_places_shape(query),
        techniques=query.techniques or (),
        declined=frozenset(_declined(query)),
        thinks=query.thinks is not False,
        waits_on=gaps.use == "voice" or query.latency_class == "interactive",
        least_replicas=max(
            LEAST_IN_PRODUCTION if _must_stay_up(query) else 1,
            query.least_replicas or 1,
        ),
        measured=query.measured_tokens_per_second
        or ((query.measured_rps or 0) * answer or None),
        targets=targets,
        audience=query.audience or ("external" if query.production else None),
        constraints=resolve_constraints(query, reference),
    )


def _declined(query: Query) -> Iterator[Advised]:
    """What is not to be advised: as said, and what a stricter word entails."""
    yield from query.declined or ()
    if query.no_api:
        yield "serverless-low-traffic"


def targets_of(query: Query, defaults: Defaults, model: ModelSpec) -> LatencyTargets:
    """The latency limits alone that a question has, stated or assumed."""
    return _timed(Gaps(query, defaults), model)[-1]


def _timed(gaps: Gaps, model: ModelSpec) -> tuple[float, float, float, LatencyTargets]:
    """Lengths of prompt and answer, the cached share, and the limits they have."""
    if found := _seen_use(gaps.query, model):
        gaps.as_use(found)
    prompt, answer = lengths(gaps)
    cached = _cached(gaps, prompt)
    fresh = prompt * (1 - cached)
    to_read = fresh + (prompt - fresh) / CACHED_FASTER
    return prompt, answer, cached, latency_targets(gaps, to_read)


def sees(query: Query, model: ModelSpec) -> bool:
    """Whether a language model is shown pictures; one made for them is, unless said."""
    shown = query.modality in ("image", "video") or query.images_per_request
    if shown or query.model_class == "vision":
        return True
    return "-vl-" in model.id and query.input_tokens is None


ADAPTERS_COST = 0.25
"""Of the rate, where each request of a batch may have an adapter of its own: vLLM
loses 34 % on an A100 (vllm-project/vllm#11267), 8 to 24 % on a TPU v6e (#15655)."""
ADAPTER_SHARE = 0.005
"""Of a model's parameters, in an adapter of rank 16 on every linear layer: the widths
of Llama 2 7B give 0.6 %, those of Llama 3.3 70B 0.3 %. Punica says 1 % (its README)."""


def _adapters(query: Query, model: ModelSpec) -> tuple[str, ...]:
    """What adapters beside the model take: a part of the rate, and memory each."""
    if not query.adapters:
        return ()
    each = model.params_b * ADAPTER_SHARE * 2
    return (
        say(
            "assumptions.lora_adapters_sized",
            adapters=query.adapters,
            adapters_cost=ADAPTERS_COST,
            each=each,
        ),
    )


AGENT_CONTEXT = 43_475
"""Tokens that nine tenths of a coding agent's requests are longer than: 59,204 of them
in 739 sessions (callanjfox/kv-cache-tester). Questions about code are shorter."""


def _seen_use(query: Query, model: ModelSpec) -> Use | None:
    """The profile that the work entails where none fits better; None: none does."""
    people = query.users is not None or query.concurrency is not None
    if _writes_code(query, model, people):
        if (query.context or query.input_tokens or 0) >= AGENT_CONTEXT:
            return "code_agent"
        return "code_assistant" if people else "code"
    if query.use is not None:
        return None
    if sees(query, model):
        return "vision"
    if query.counts_tasks:
        return "agent"
    thinking = query.model and query.thinks is not False and thinks(model)
    return "reasoning" if thinking else None


_WHO_CODES = regex(r"\b(?:devs?|developers?|engineers?|programmers?|coders?)\b", re.I)
_TALKED_WITH = regex(r"\bchat", re.I)


def _writes_code(query: Query, model: ModelSpec, people: bool) -> bool:
    """Whether programs are written, as told or as the model or who asks entails."""
    if query.use == "code":
        return True
    coders = people and counted_in(query, _WHO_CODES, "users", "concurrency")
    if coders and query.use in (None, "long_document"):
        return not (sees(query, model) or _TALKED_WITH.search(query.text))
    coding = query.model_class == "code" and people
    return query.use is None and (coding or model.id in model_classes().get("code", ()))


LEAST_IN_PRODUCTION = 2
"""Replicas without which each failure or restart is an outage."""


def _must_stay_up(query: Query) -> bool:
    """Whether a single replica is too few: for customers, or where uptime is asked."""
    return query.count is None and (
        query.audience == "external" or bool(query.production) or bool(query.sla)
    )


def _places(query: Query) -> int:
    return max(query.regions_count or 1, query.zones or 1)


def _places_shape(query: Query) -> Literal["machine", "zones", "regions"]:
    if (query.regions_count or 1) > 1:
        return "regions"
    return "zones" if (query.zones or 1) > 1 else "machine"


def _cached(gaps: Gaps, prompt: float) -> float:
    """The share of each prompt that the cache holds: as stated, or its history.

    Agents resend what they did; a conversation fills a stated context turn by turn.
    """
    stated, shared = gaps.query.cache_hit_rate, gaps.query.shared_prompt
    if stated is not None:
        return stated
    if shared is not None:
        return min(shared / prompt, 1.0)
    if gaps.defaults.get("cache_hit_rate"):
        return gaps.default("cache_hit_rate")
    added = _added_by_a_turn(gaps, prompt)
    if added is None:
        if gaps.query.context_course == "rolling":
            gaps.notes.append(say("assumptions.rolling_window"))
        return 0.0
    share = 1 - added / prompt
    why = say("assumptions.turns_resend")
    gaps.assume("cache_hit_rate", f"{share:.0%}", why)
    return share


CACHED_FASTER = 10
"""Times as fast as reading that a cached history is fetched and attended to: vLLM's
first token comes 7 to 20 times sooner (gigagpu.com, RTX 5060 Ti, 2 to 8 kB cached)."""
CONVERSATIONS = (
    "chat", "code", "code_assistant", "reasoning", "voice", "agent", "code_agent",
)  # fmt: skip
"""Uses whose requests carry what was said before: a document's reader sends it anew."""


def _added_by_a_turn(gaps: Gaps, prompt: float) -> float | None:
    """New tokens of a request in a conversation that fills a stated context.

    None: the context is no longer than a prompt, or read anew by each request.
    """
    query, usual = gaps.query, gaps.defaults["input_tokens"].value
    told = query.input_tokens is not None or query.cache_hit_rate is not None
    if query.context_course == "rolling":
        return None  # what is dropped in front changes the beginning of each prompt
    if told or query.context is None or gaps.use not in CONVERSATIONS:
        return None
    entry = gaps.defaults.get("cache_hit_rate")
    added = prompt * (1 - entry.value) if entry else usual
    return added if added < prompt else None


def _cacheable(gaps: Gaps) -> float:
    """The share of each prompt that others of its kind have in common.

    None where it is said that nothing is kept, unless keeping it is asked about.
    """
    query = gaps.query
    if query.cache_hit_rate == 0 and "prefix caching" not in (query.techniques or ()):
        return 0.0
    entry = gaps.defaults.get("cacheable_share")
    return entry.value if entry else 0.0


def _kept_free(query: Query) -> list[str]:
    """What the fleet holds beyond its peak because the question says so."""
    said, works = [], say("advice.peak_works")
    if (places := _places(query)) > 1:
        what = _places_shape(query)
        said.append(
            say("assumptions.one_place_down", places=places, what=what, works=works)
        )
    if query.headroom:
        said.append(say("assumptions.sized_with_free", headroom=query.headroom))
    if query.spare_replicas:
        many = "s" if query.spare_replicas > 1 else ""
        said.append(
            say(
                "assumptions.includes_spare_server",
                spare_replicas=query.spare_replicas,
                many=many,
                works=works,
            )
        )
    return said


def lengths(gaps: Gaps) -> tuple[float, float]:
    """Prompt and answer length in tokens, per request."""
    query = gaps.query
    usual_in = gaps.defaults["input_tokens"].value
    usual_out = gaps.defaults["output_tokens"].value
    total = query.total_tokens_per_request
    if total and query.output_tokens is None and query.input_tokens is None:
        share = query.input_share or usual_in / (usual_in + usual_out)
        gaps.assume(
            "input_tokens",
            say("assumptions.of_each_request", share=share),
            say("assumptions.the_usual_split"),
        )
        return total * share, total * (1 - share)
    if total and (query.output_tokens is None or query.input_tokens is None):
        return _rest_of(total, query)
    if query.input_share and query.input_tokens is None:
        answer = gaps.take("output_tokens")
        return answer * query.input_share / max(1 - query.input_share, 0.001), answer
    if query.shared_prompt and query.input_tokens is None:
        prompt = query.shared_prompt + usual_in
        value = say("assumptions.prompt_tokens", prompt=prompt)
        why = say(
            "assumptions.shared_and_own", shared=query.shared_prompt, own=usual_in
        )
        gaps.assume("input_tokens", value, why)
        return prompt, gaps.take("output_tokens")
    if query.context and query.input_tokens is None:
        answer = min(gaps.take("output_tokens"), query.context / 2)
        prompt = query.context - answer
        window = say("assumptions.your_context", context=query.context)
        if query.context_course == "grows":
            prompt, window = prompt / 2, say("assumptions.half_grown", window=window)
        value, why = (
            say("assumptions.prompt_tokens", prompt=prompt),
            say("assumptions.prompts_fill", window=window),
        )
        if added := _added_by_a_turn(gaps, prompt):
            value += say("assumptions.of_them_new", added=round(added))
            why = say("assumptions.conversations_fill", window=window)
        gaps.assume("input_tokens", value, why)
        return prompt, answer
    if images := _image_tokens(gaps):
        gaps.with_images(images)
    prompt = gaps.take("input_tokens") + images
    if gaps.use == "translation" and query.output_tokens is None:
        return prompt, _translated(gaps, prompt)
    return prompt, gaps.take("output_tokens")


def _translated(gaps: Gaps, prompt: float) -> float:
    """A translation is about as long as its text, whatever length that has."""
    usual = gaps.defaults.of_use("translation")
    told, text = usual["output_tokens"], usual["input_tokens"].value
    answer = float(round(prompt * told.value / text))
    said = say("assumptions.answer_tokens", tokens=round(answer))
    gaps.assume("output_tokens", said, told.why)
    return answer


def _rest_of(total: float, query: Query) -> tuple[float, float]:
    """The side of a request that is left of its tokens, where the other is stated.

    One that is stated to be longer was not counted among them.
    """
    stated = query.output_tokens or query.input_tokens or 0
    rest = total - stated if total > stated else total
    return (rest, stated) if query.output_tokens is not None else (stated, rest)


def _image_tokens(gaps: Gaps) -> float:
    """What the images of a request add to its prompt."""
    per_image = gaps.defaults.get("tokens_per_image")
    if per_image is None:
        return 0.0
    stated = gaps.query.input_tokens or 0
    if gaps.query.images_per_request is None and stated >= per_image.value:
        return 0.0  # a stated prompt of such a length holds its images
    counted = gaps.query.images_per_minute, gaps.query.requests_total
    by_image = any(amount is not None for amount in counted)
    by_image = by_image or counted_in(gaps.query, _PICTURES)
    one_each = by_image and gaps.query.images_per_request is None
    images = 1.0 if one_each else gaps.take("images_per_request")
    family = (gaps.query.model or "").rpartition("-")[0]
    gaps.defaults = gaps.defaults.for_use(f"pictures of {family}")
    each = gaps.default("tokens_per_image")
    return images * each


def latency_targets(gaps: Gaps, prompt: float) -> LatencyTargets:
    """Stated limits, and interactive ones beside them where a reader waits."""
    query = gaps.query
    tpot = query.tpot_ms
    if tpot is None and query.tok_s_per_user:
        tpot = 1000 / query.tok_s_per_user
    percentile: Percentile = query.percentile or "p95"
    whole = None if query.in_turns else query.e2e_ms
    unwatched = whole is None and _is_unwatched(query)
    if unwatched:
        nobody, why = say("assumptions.nobody_waits"), say("assumptions.texts_worked")
        gaps.assume("latency_class", nobody, why, say("assumptions.waits"))
    if query.latency_class == "offline" or whole is not None or unwatched:
        return LatencyTargets(
            ttft_ms=query.ttft_ms,
            tpot_ms=tpot,
            e2e_ms=whole,
            percentile=percentile,
        )
    promised = query.tok_s_per_user and query.intent == "capacity"
    ttft = query.ttft_ms  # who promised a pace limits nothing else
    if ttft is None and not promised:
        ttft = _usual_ttft(gaps, prompt, percentile)
    if tpot is None:
        people = query.users is not None or query.concurrency is not None
        by_rate = None if people else gaps.defaults.get("tpot_ms_by_rate")
        entry = by_rate or gaps.defaults["tpot_ms"]  # people read what others fetch
        tpot = entry.value
        value = say("assumptions.token_limit", percentile=percentile, tpot=tpot)
        gaps.assume("tpot_ms", value, entry.why)
    return LatencyTargets(ttft_ms=ttft, tpot_ms=tpot, percentile=percentile)


UNWATCHED: tuple[Use, ...] = ("summary", "classification", "extraction", "ocr")
"""Uses that work through texts, whose results nobody watches being written."""
MAY_WAIT: tuple[Use | None, ...] = ("translation", "generation")
"""Those who wait for these count them by the second."""


def _is_unwatched(query: Query) -> bool:
    """Whether texts are worked through, and nobody says that they wait."""
    told = (
        query.users, query.concurrency, query.ttft_ms, query.tpot_ms, query.peak_rps,
        query.tok_s_per_user, query.latency_class, query.audience == "external",
    )  # fmt: skip
    by_hours = _average_rps(query) is not None or _counted_hourly(query)
    texts = query.use in MAY_WAIT or (query.use is None and query.document)
    return not any(told) and (query.use in UNWATCHED or bool(texts and by_hours))


def _usual_ttft(gaps: Gaps, prompt: float, percentile: Percentile) -> float:
    """Half a second for a short prompt; a long one is given the time to be read."""
    entry, reading = gaps.defaults["ttft_ms"], gaps.defaults["prompt_tokens_per_second"]
    spare = max(prompt - reading.value * entry.value / 1000, 0)
    ttft = entry.value + spare / reading.value * 1000
    why = reading.why if spare else entry.why
    chain = gaps.query.e2e_ms if gaps.query.in_turns else None
    if chain is not None and ttft > chain / 2:
        ttft, why = chain / 2, say("assumptions.half_of_the_chain")
    value = say("assumptions.first_limit", percentile=percentile, ttft=ttft)
    gaps.assume("ttft_ms", value, why)
    return ttft


def serving_load(
    gaps: Gaps, fresh: float, tokens: float, answer: float, targets: LatencyTargets
) -> ServingLoad:
    """The rate to size for and the average to pay for, from whatever was stated.

    `fresh`: prompt tokens that no cache holds; `tokens`: of a request in all.
    """
    query = gaps.query
    if query.peak_rps is not None:
        average = query.rps if query.rps is not None else _average_rps(query)
        if average is not None and average > query.peak_rps:
            return _flat_load(gaps, average, query.peak_rps)
        if average is not None:
            return ServingLoad(
                rps=query.peak_rps, average_share=average / query.peak_rps
            )
        return ServingLoad(rps=query.peak_rps, average_share=utilisation(gaps))
    calls = _calls(gaps)
    rate = _stated_rate(query, answer)
    if rate is not None:
        rate *= calls
        if peak := _peak_in_flight(gaps, rate, answer, targets):
            return ServingLoad(rps=peak, average_share=rate / peak)
        return ServingLoad(rps=rate, average_share=utilisation(gaps))
    average = _average_rps(query)
    if average is not None:
        average *= calls
    else:
        average = _average_from_tokens(query, tokens)
    if average is None and query.users is not None:
        return _load_of_people(gaps, query.users, fresh, answer, targets)
    if average is not None:
        factor = busiest(query) or gaps.default("peak_factor")
        day = (query.hours_per_day or 24) / 24 if query.quiet_hours else 1
        return ServingLoad(rps=average * factor, average_share=day / factor)
    return _closed_load(gaps, answer, targets)


def _load_of_people(
    gaps: Gaps, people: float, fresh: float, answer: float, targets: LatencyTargets
) -> ServingLoad:
    """People's day; requests stated at once count more than what is assumed of it."""
    query, load = gaps.query, _people_load(gaps, people, fresh)
    at_once = query.concurrency
    if at_once is not None and query.requests_per_user_per_day is None:
        seconds = _answer_seconds(gaps, answer, targets)
        peak = at_once / seconds
        if peak < load.rps:
            gaps.forget("peak_factor", "peak_rps")
            why = say("assumptions.fewer_at_once", busy=load.rps)
            _assume_in_flight(gaps, at_once, seconds, why)
            share = min(load.average_rps / peak, 1.0)
            return ServingLoad(rps=peak, average_share=share, concurrency=at_once)
    if peak_rps := _peak_in_flight(gaps, load.rps, answer, targets):
        return ServingLoad(rps=peak_rps, average_share=load.average_rps / peak_rps)
    return load


def busiest(query: Query) -> float | None:
    """The stated peak over the average of the hours in use."""
    if query.peak_hour_share is not None:
        return max(query.peak_hour_share * (query.hours_per_day or 24), 1.0)
    return query.peak_factor


def _calls(gaps: Gaps) -> float:
    """Requests for each thing that the load counts: an agent's task makes several."""
    known = gaps.defaults.get("calls_per_task")
    unsaid = gaps.query.counts_tasks and known
    return gaps.default("calls_per_task") if unsaid else 1.0


def _peak_in_flight(
    gaps: Gaps, rate: float, answer: float, targets: LatencyTargets
) -> float | None:
    """The rate that stated requests in flight come to, where it is above the rate."""
    in_flight = gaps.query.concurrency
    if in_flight is None:
        return None
    seconds = _answer_seconds(gaps, answer, targets)
    busy = rate * seconds
    work = say("assumptions.requests_of_each", rate=rate, seconds=seconds)
    if busy >= in_flight:
        gaps.notes.append(
            say(
                "assumptions.the_load_already",
                in_flight=in_flight,
                work=work,
                busy=busy,
            )
        )
        return None
    peak = in_flight / seconds
    why = say("assumptions.peak_and_busy", in_flight=in_flight, work=work, busy=busy)
    _assume_in_flight(gaps, in_flight, seconds, why)
    return peak


def _assume_in_flight(gaps: Gaps, many: float, seconds: float, why: str) -> None:
    """Write down that requests at once make the peak, and what it comes to."""
    rate = many / seconds
    said = say("assumptions.peak_requests", peak=rate, in_flight=many, seconds=seconds)
    gaps.assume("peak_rps", said, why, "peak")


def _flat_load(gaps: Gaps, average: float, peak: float) -> ServingLoad:
    """An average above its own peak cannot be: all that is stated is carried."""
    gaps.assume(
        "peak_rps",
        say("assumptions.average_requests", average=average),
        say("assumptions.average_above_peak", peak=peak),
        "peak",
    )
    return ServingLoad(rps=average, average_share=1)


def _stated_rate(query: Query, answer: float) -> float | None:
    if query.rps is not None:
        return query.rps
    if query.tokens_per_second is not None:
        return query.tokens_per_second / answer
    if query.images_per_minute is not None:
        return query.images_per_minute / 60 / (query.images_per_request or 1)
    return None


def _average_rps(query: Query) -> float | None:
    if query.requests_per_day is not None:
        return query.requests_per_day / _seconds_a_day(query)
    if query.requests_per_month is not None:
        return query.requests_per_month / _seconds_a_month(query)
    return None


def _seconds_a_day(query: Query) -> float:
    """In which requests come, on a day on which any do."""
    return (query.hours_per_day or 24) * 3600


def _seconds_a_month(query: Query) -> float:
    """In which the requests of a month come: none do on days of rest."""
    days = DAYS_PER_MONTH * (query.days_per_week or 7) / 7
    return days * _seconds_a_day(query)


def counted(query: Query, prompt: float, answer: float) -> float:
    """Of a request's tokens those that a flow or a pile of tokens counts."""
    sides = {"input": prompt, "output": answer}
    return sides.get(query.tokens_side or "", prompt + answer)


def _average_from_tokens(query: Query, tokens: float) -> float | None:
    """Requests per second from a flow of tokens, prompts and answers together."""
    if query.tokens_per_day is not None:
        return query.tokens_per_day / tokens / _seconds_a_day(query)
    if query.tokens_per_month is not None:
        return query.tokens_per_month / tokens / _seconds_a_month(query)
    return None


LONG_CHAT_PROMPT = 12_035
"""Mean prompt of an hour of Kimi's conversations, their history resent (Mooncake): what
is longer is a document, and nobody sends one every 75 seconds."""


def seconds_between(defaults: Defaults, prompt: float) -> float:
    """Between two requests of a person in conversation; long prompts take longer."""
    usual = defaults["input_tokens"].value, LONG_CHAT_PROMPT
    longer = max(prompt / max(usual), 1)
    return 60 * longer / defaults["requests_per_minute_in_chat"].value


def _people_load(gaps: Gaps, people: float, prompt: float) -> ServingLoad:
    """People as a peak: their day's requests in its busy part, or a few at once.

    Requests a day ÷ active hours × peak over their mean, as llm-d-planner has it. Of a
    small group everybody may be in a conversation at the same time; a longer prompt
    than a conversation has is sent as much less often.
    """
    usual, stated = gaps.defaults, gaps.query.hours_per_day
    share = gaps.query.peak_hour_share
    known = stated or (24 if share else None)
    active = known or usual["active_hours_per_day"].value
    days = 7.0 if known else _days_of_people(gaps)
    a_minute = 60 / seconds_between(usual, prompt)
    longer = usual["requests_per_minute_in_chat"].value / a_minute
    daily = _requests_a_day(gaps, people, active, longer)
    average = daily * days / 7 / ((stated or 24) * 3600)
    if share:
        peak = daily * share / 3600
        return ServingLoad(rps=peak, average_share=min(average / peak, 1.0))
    known_peak = usual.get("peak_of_people") or usual["peak_factor"]
    factor = gaps.query.peak_factor or known_peak.value
    busy = daily / (active * 3600) * factor
    talking = min(people, usual["people_at_once"].value)
    together = talking * a_minute / 60
    if busy >= together:
        if gaps.query.peak_factor is None:
            why = say("assumptions.the_busiest_time")
            gaps.assume("peak_factor", _times(factor), why)
        return ServingLoad(rps=busy, average_share=average / busy)
    why, seconds = usual["people_at_once"].why, significant(60 / a_minute)
    if longer > 1:
        why = say("assumptions.each_sends_prompt", prompt=prompt, seconds=seconds)
    gaps.assume(
        "peak_rps",
        say("assumptions.people", talking=talking, seconds=seconds),
        why,
        say("assumptions.in_conversation_at_once"),
    )
    return ServingLoad(rps=together, average_share=min(average / together, 1.0))


def _days_of_people(gaps: Gaps) -> float:
    """Days a week on which people who work are active; what is told of a day is on all.

    So are customers.
    """
    query, hours = gaps.query, gaps.defaults["active_hours_per_day"]
    each_day = query.days_per_week or query.requests_per_user_per_day
    told = each_day or query.audience == "external" or query.production
    value = count(hours.value) + say("assumptions.day")
    value += "" if told else say("assumptions.on_five_days")
    gaps.assume("active_hours_per_day", value, hours.why)
    return 7.0 if told else gaps.defaults["active_days_per_week"].value


def _requests_a_day(gaps: Gaps, people: float, hours: float, longer: float) -> float:
    """Of all people: as usual, or what those who are active at once send in that time.

    Nobody is active without sending: so many at once are more than a usual day's few.
    """
    query, field = gaps.query, "requests_per_user_per_day"
    at_once, pace = query.concurrency or 0, gaps.defaults["requests_per_minute_active"]
    sent = at_once * pace.value / longer * 60 * hours
    if query.requests_per_user_per_day or sent <= people * gaps.defaults[field].value:
        return people * gaps.take(field)
    active, day = count(at_once), count(hours)
    why = say("assumptions.active_at_once", active=active, hours=day, why=pace.why)
    gaps.assume(field, significant(sent / people), why)
    return sent


def _times(factor: float) -> str:
    return f"{count(factor)} ×"


def _closed_load(gaps: Gaps, answer: float, targets: LatencyTargets) -> ServingLoad:
    """Requests in flight as a rate, by Little's law at the latency that is allowed."""
    in_flight = gaps.take("concurrency")
    if gaps.use == "voice" and (turn := gaps.defaults.get("turn_seconds")):
        calls, seconds = count(in_flight), significant(turn.value)
        value = say("assumptions.concurrent_calls", calls=calls, seconds=seconds)
        gaps.assume("turn_seconds", value, turn.why, "load")
        return ServingLoad(rps=in_flight / turn.value, average_share=utilisation(gaps))
    pause, taken = 0.0, _answer_seconds(gaps, answer, targets)
    if entry := gaps.defaults.get("pause_seconds"):
        pause = entry.value
        agents, every = count(in_flight), significant(taken + pause, 2)
        value = say("assumptions.agents_at_once", agents=agents, seconds=every)
        gaps.assume("pause_seconds", value, entry.why, "load")
    return ServingLoad(
        rps=in_flight / (taken + pause),
        average_share=utilisation(gaps),
        concurrency=in_flight,
        pause_s=pause,
    )


def _answer_seconds(gaps: Gaps, answer: float, targets: LatencyTargets) -> float:
    """How long an answer takes at the latency that is allowed."""
    ttft = targets.ttft_ms or gaps.defaults["ttft_ms"].value
    tpot = targets.tpot_ms or gaps.defaults["tpot_ms"].value
    return (targets.e2e_ms or ttft + tpot * answer) / 1000


def utilisation(gaps: Gaps) -> float:
    """The average over the peak, as stated or assumed."""
    even = gaps.query.peak_factor
    if even is not None and gaps.query.utilization is None:
        return 1 / max(even, 1.0)
    if gaps.query.utilization is None and _counted_hourly(gaps.query):
        gaps.assume("utilization", "100%", say("assumptions.counted_by_the_hour"))
        return 1.0
    return min(max(gaps.take("utilization"), 0.001), 1.0)


_AN_HOUR = regex(
    r"(?:\b|/ ?)(?:hours?|hourly|h|hrs?|stunde|heure|hora|ora|uur)\b", re.I
)
_AT_PEAK = regex(
    r"\b(?:peaks?|peaking|spitze|busiest|pointe|picos?|picco|rush)\b", re.I
)


_PICTURES = regex(
    r"\b(?:images?|photos?|pictures?|pages?|screenshots?|frames?)\b", re.I
)
"""Words for what a rate counts; each is then a request with one picture."""
_RATES = "rps", "peak_rps", "requests_per_day", "requests_per_month"


def counted_in(query: Query, word: re.Pattern[str], *fields: str) -> bool:
    """Whether the words of a rate name what it counts, or in which time."""
    said = [at for name in fields or _RATES for at in query.spans.get(name, ())]
    return any(word.search(query.text[start:end]) for start, end in said)


def _counted_hourly(query: Query) -> bool:
    """Whether requests are counted by the hour: so many come in each, not at a peak."""
    return counted_in(query, _AN_HOUR, "rps") and not _AT_PEAK.search(query.text)


def _assume_precision(gaps: Gaps, model: ModelSpec) -> None:
    if gaps.query.precision:
        return
    if "fp8" in formats_excluded(gaps.query):
        value, why = "BF16", say("assumptions.you_ruled_out")
    elif model.native_precision in ("fp8", "fp4", "int4"):
        value, why = model.native_precision.upper(), say("assumptions.as_the_model")
    else:
        value = say("assumptions.fp_else_bit")
        why = say("assumptions.safe_default")
    gaps.assume("precision", value, why)


def describe_load(load: ServingLoad, tpot_ms: float | None = None) -> str:
    """The traffic in words, and the pace of each request where that is limited."""
    if load.concurrency is not None:
        rate, many = significant(load.rps, 2), load.concurrency
        if load.pause_s:
            return say("assumptions.agents_ask", concurrency=many, rate=rate)
        pace = say("assumptions.at_a_pace", pace=1000 / tpot_ms) if tpot_ms else ""
        return say(
            "assumptions.requests_at_once", concurrency=many, rate=rate, pace=pace
        )
    return say("assumptions.load_requests", rps=load.rps)
