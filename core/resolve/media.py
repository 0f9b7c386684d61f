"""Images, clips, hours of audio, documents: how many, how large, by when."""

from core.query import Query
from core.reference.catalogue import Reference
from core.reference.media import media_reference
from core.resolve.constraints import resolve_constraints
from core.resolve.gaps import Gaps
from core.resolve.jobs import (
    Recurrence,
    batch_horizon,
    horizon,
    job_constraints,
    stated_deadline,
)
from core.resolve.serving import busiest, utilisation
from core.wording import count, say
from core.workload import MediaSpec

_DAYS_PER_MONTH = 30
SECONDS_PER_HOUR = 3600
SPEAKS = "tts"
"""What a question does with sound that makes speech of text."""


def is_media(query: Query, reference: Reference) -> bool:
    """Whether the work is the media itself; a voice bot's language model is not."""
    if query.modality is None:
        return False
    named = reference.model(query.model) if query.model else None
    sees = named is not None or (
        query.sees and (query.params_b is not None or bool(query.size_in_words))
    )
    if sees and query.modality in ("image", "video"):
        return False  # a language model that sees: its images are prompt tokens
    speaks = query.modality == "audio" and query.audio_hours is None
    waits_for_tokens = query.ttft_ms is not None or query.tok_s_per_user is not None
    return not (speaks and (named or (query.params_b and waits_for_tokens)))


def untrained_media(query: Query) -> str:
    """Why a media model's training is not estimated; empty: it is not asked for."""
    if query.kind not in ("finetune", "training") or _adapted(query):
        return ""
    what = query.model or say("assumptions.models", modality=query.modality)
    return say("assumptions.estimate_the_training", what=what)


def _adapted(query: Query) -> bool:
    """Whether the training of a media model is asked for that somebody has timed."""
    from core.estimate.media import trained_media  # loads the physics of training

    return query.kind == "finetune" and trained_media(query.modality, query.model)


def _trained(gaps: Gaps, reference: Reference) -> MediaSpec:
    """Adapters of an image model, or one of speech: so many steps, so many hours."""
    query, speech = gaps.query, gaps.query.modality == "audio"
    if speech:
        each = gaps.defaults["heard_seconds"].value / SECONDS_PER_HOUR
        clips = query.dataset_samples and query.dataset_samples * each
        hours = query.audio_hours or clips or gaps.default("tuned_hours")
        units = hours * gaps.take("epochs")
    return MediaSpec(
        modality=query.modality or "image",
        model=query.model,
        work="tune" if speech else "lora",
        units_total=units if speech else gaps.take("steps"),
        deadline_hours=stated_deadline(query),
        horizon_hours=horizon(gaps, "batch_horizon_hours"),
        constraints=job_constraints(query, reference),
    )


def resolve_media(gaps: Gaps, reference: Reference) -> MediaSpec:
    """Media work with its amount in items, and the size of an item."""
    query = gaps.query = _each_in_time(_heard_hours(gaps))
    if query.kind == "finetune":
        return _trained(gaps, reference)
    size = _item_size(gaps) * _candidates(gaps)
    rate, share = _live(gaps)
    total, recurring = (None, None) if rate else _pile(query, size)
    if (heard := _hours_heard(gaps)) is not None:
        rate, total = rate and rate * heard, total and total * heard
    back_by = _back_by(query, recurring)
    if back_by is not None and total is not None:
        total, recurring = (
            total / (7 if recurring == "week" else _DAYS_PER_MONTH),
            "day",
        )
    limits = resolve_constraints if rate or recurring else job_constraints
    return MediaSpec(
        modality=query.modality or "image",
        model=_sized_name(query) or _usual_model(gaps) or query.sound,
        params_b=query.params_b,
        units_per_minute=rate,
        average_share=share,
        units_total=total,
        item_size=size,
        steps=query.sampling_steps,
        pixels=query.pixels,
        seconds=query.clip_seconds if query.modality == "video" else None,
        sound=query.sound,
        apis=tuple(query.compare_api or ()),
        measured=_measured(query, reference, total, size),
        streams=query.modality == "audio" and query.concurrency is not None,
        answer_ms=query.e2e_ms if rate and not query.in_turns else None,
        recurring=recurring,
        deadline_hours=stated_deadline(query) or back_by,
        horizon_hours=(horizon(gaps, batch_horizon(recurring)) if total else None),
        constraints=limits(query, reference),
    )


def _sized_name(query: Query) -> str | None:
    """The model with its size, where the name is told apart from it: "Wan 2.2 5B"."""
    size = f"{query.params_b:g}b" if query.params_b else ""
    if query.model and query.modality == "video" and size not in query.model:
        return f"{query.model}-{size}"
    return query.model


_AMOUNTS = (
    "concurrency", "rps", "peak_rps", "requests_per_day", "requests_per_month",
    "requests_total", "audio_hours", "users", "dataset_samples",
)  # fmt: skip


def _heard_hours(gaps: Gaps) -> Query:
    """Hours of a day or a month are those of the audio, where nothing else is told."""
    query = gaps.query
    month = query.hours_per_month
    hours = month or query.hours_per_day
    told = any(getattr(query, name) is not None for name in _AMOUNTS)
    if query.modality != "audio" or hours in (None, 24) or told:
        return query
    gaps.notes.append(say("assumptions.hours_of_audio"))
    update = {"audio_hours": hours, "comes_back": "month" if month else "day"}
    free = {"hours_per_month": None, "hours_per_day": None}
    return query.model_copy(update=update | free)


def _each_in_time(query: Query) -> Query:
    """A deadline of minutes bounds one item of those that come all day, not a day's."""
    hours = query.deadline_hours
    if query.requests_per_day is None or hours is None or hours >= 1 or query.e2e_ms:
        return query
    update = {"deadline_hours": None, "e2e_ms": hours * 3.6e6}
    return query.model_copy(update=update)


def _measured(
    query: Query, reference: Reference, total: float | None, size: float
) -> tuple[str, float] | None:
    """What one GPU was seen to do in an hour: pictures, or its part of a pile."""
    rate, hours = query.measured_images, query.measured_hours
    if rate is None and hours and total:
        unit = {"embedding": size / 1e6, "video": size}.get(query.modality or "", 1.0)
        rate = total * unit / hours / (query.measured_count or 1)
    known = reference.gpus_named(query.measured_gpu) if query.measured_gpu else ()
    return (known[0].id, rate) if known and rate else None


def _usual_model(gaps: Gaps) -> str | None:
    """What hears, writes, speaks, embeds or ranks where no model is named."""
    query = gaps.query
    if query.modality == "embedding" and not query.params_b:
        part = "ranks" if gaps.use == "reranking" else "embeds"
        model = media_reference().usual[part]
        gaps.assume("model", model, say("assumptions.no_speech_named"), "model")
        return model
    named = query.model or query.params_b or query.sound not in (None, SPEAKS)
    if query.modality != "audio" or named:
        return None
    label, part = say("assumptions.hears"), "hears" if query.in_turns else "writes"
    if query.sound:
        label, part = say("assumptions.speaks"), "speaks"
    model = media_reference().usual[part]
    if part == "speaks" and not query.in_turns:
        gaps.notes.append(say("assumptions.light_voice", model=model.capitalize()))
    gaps.assume(f"model_that_{part}", model, say("assumptions.no_speech_named"), label)
    return model


def _hours_heard(gaps: Gaps) -> float | None:
    """Hours of audio in a request or a file; None: hours or streams are counted."""
    query = gaps.query
    if query.modality != "audio" or query.audio_hours or query.concurrency:
        return None
    if query.clip_seconds is not None:
        return query.clip_seconds / SECONDS_PER_HOUR
    counted = _items_per_minute(query) or _pile(query, 1)[0]
    if counted is None and query.peak_rps is None:
        return None
    short = query.rps or query.peak_rps or query.sound
    entry = gaps.defaults["heard_seconds" if short else "file_seconds"]
    if query.in_turns:
        entry = gaps.defaults.get("speech_seconds") or entry
    shown = say("assumptions.of_speech", hours=entry.value / SECONDS_PER_HOUR)
    gaps.assume("clip_seconds", shown, entry.why, say("assumptions.each_request"))
    return entry.value / SECONDS_PER_HOUR


def _item_size(gaps: Gaps) -> float:
    """Seconds of a clip, tokens of a document, one where an item is the unit."""
    query = gaps.query
    if query.modality == "video":
        entry = gaps.defaults["clip_seconds"]
        if query.clip_seconds is None:
            gaps.assume("clip_seconds", f"{count(entry.value)} s", entry.why, "clip")
        return query.clip_seconds or entry.value
    if query.modality != "embedding":
        return 1
    stated = query.input_tokens or query.total_tokens_per_request
    stated = stated or query.tokens_per_sample
    if stated is not None:
        return stated
    entry = gaps.defaults["input_tokens" if gaps.texts else "document_tokens"]
    if not _tokens(query):
        shown = say("assumptions.counted_tokens", value=entry.value)
        gaps.assume("input_tokens", shown, entry.why, "document")
    return entry.value


def _candidates(gaps: Gaps) -> float:
    """Documents that each query ranks, where queries are what is counted."""
    known = gaps.defaults.get("documents_per_query")
    stated = gaps.query.batch_size
    if known and stated:
        return stated
    counted = gaps.query.input_tokens or gaps.query.total_tokens_per_request
    return gaps.default("documents_per_query") if known and not counted else 1


def _back_by(query: Query, recurring: Recurrence) -> float | None:
    """Within how many hours of each day its part of a longer pile is due."""
    return query.turnaround_hours if recurring in ("week", "month") else None


def _live(gaps: Gaps) -> tuple[float | None, float]:
    """Items a minute at the peak, and the average as a share of it; None: a pile."""
    query = gaps.query
    average = _items_per_minute(query)
    if query.modality == "audio" and average is not None and query.concurrency:
        average *= _speaking(gaps)
    if query.peak_rps is not None:
        average, peak = average or 0, query.peak_rps * 60
        return peak, min(average / peak, 1.0) or utilisation(gaps)
    if average is None:
        return None, 1.0
    told = query.requests_per_day or query.requests_per_month
    if told is None or query.rps is not None:
        even = query.hours_per_day == 24 and query.utilization is None
        waits = query.rps or query.concurrency or _is_live(query)
        peaks = waits or "peak" in query.text.lower()  # "3 a second at peak"
        return average, utilisation(gaps) if peaks and not even else 1.0
    factor = busiest(query)
    if factor is None and (query.e2e_ms or query.latency_class == "interactive"):
        factor = gaps.default("peak_factor")
    return average * (factor or 1.0), 1 / (factor or 1.0)


def _speaking(gaps: Gaps) -> float:
    """The share of a call in which one side speaks: silence is no work."""
    spoken = gaps.defaults.get("speech_seconds")
    turn = gaps.defaults.get("turn_seconds")
    if not gaps.query.in_turns or spoken is None or turn is None:
        return 1.0
    share = spoken.value / turn.value
    told = say(
        "assumptions.speaking_share",
        share=share,
        spoken=spoken.value,
        turn=turn.value,
    )
    gaps.assume("speech_seconds", told, spoken.why, say("assumptions.each_side_speaks"))
    return share


def _items_per_minute(query: Query) -> float | None:
    """A sustained rate, where one is stated and nothing says that it may wait."""
    if query.images_per_minute is not None:
        return query.images_per_minute
    if query.rps is not None:
        return query.rps * 60
    if query.concurrency is not None and query.modality == "audio":
        # Streams in real time: each is an hour of audio an hour.
        return query.concurrency / 60
    waits = query.latency_class == "offline" or query.kind == "batch"
    waits = waits or (query.modality in ("image", "video") and not _is_live(query))
    if query.requests_per_day is not None and not waits:
        return query.requests_per_day / ((query.hours_per_day or 24) * 60)
    if query.requests_per_month is not None and query.e2e_ms and not waits:
        minutes = _DAYS_PER_MONTH * (query.hours_per_day or 24) * 60
        return query.requests_per_month / minutes
    return None


def _is_live(query: Query) -> bool:
    """Whether anything says that somebody waits for each picture or clip."""
    told = (
        query.e2e_ms, query.users, query.sla, query.production, query.spare_replicas,
        query.hours_per_day, query.latency_class == "interactive",
        query.audience == "external", busiest(query),
    )  # fmt: skip
    return any(told)


def _pile(query: Query, size: float) -> tuple[float | None, Recurrence]:
    """How many items, and how often the pile comes back; None: not said."""
    once = query.audio_hours, query.requests_total, query.dataset_samples
    again = query.comes_back
    for stated in once:
        if stated is not None:
            return (stated / 12, "month") if again == "year" else (stated, again)
    if query.requests_per_day is not None:
        return query.requests_per_day, "day"
    if query.requests_per_month is not None:
        return query.requests_per_month, "month"
    tokens = _tokens(query)
    if tokens is None:
        return None, None
    if query.tokens_per_day is not None:
        return tokens / size, "day"
    return tokens / size, "month" if query.tokens_per_month is not None else None


def _tokens(query: Query) -> float | None:
    stated = (
        query.tokens_total, query.dataset_tokens,
        query.tokens_per_day, query.tokens_per_month,
    )  # fmt: skip
    return next((value for value in stated if value is not None), None)
