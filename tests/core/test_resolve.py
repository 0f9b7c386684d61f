"""From what was said to what has to be done."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.language.parse import parse
from core.query import Query, Unknown
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.workload import BatchSpec, FineTuneSpec, InferenceSpec, Resolved, TrainingSpec


def serving_of(**stated: Any) -> Resolved:
    """Resolve a question into a served workload, with what was assumed."""
    found = resolve(Query(**stated), reference(), defaults())
    assert not isinstance(found, Unresolved), found
    return found


def serving(**stated: Any) -> InferenceSpec:
    """Resolve a question into a served workload."""
    spec = serving_of(**stated).spec
    assert isinstance(spec, InferenceSpec)
    return spec


def test_a_bare_size_names_its_representative_as_an_assumption() -> None:
    """70b without a name is Llama 3.3 70B, and the answer says so."""
    found = resolve(Query(params_b=70, rps=50), reference(), defaults())

    assert not isinstance(found, Unresolved)
    assert "llama-3.3-70b" == found.spec.model.id
    assert {"model", "input_tokens", "output_tokens", "utilization", "precision"} <= {
        entry.field for entry in found.assumptions
    }
    assert all(entry.why for entry in found.assumptions)


def test_what_is_stated_is_never_assumed() -> None:
    """A stated field has no assumption of its own."""
    query = Query(
        model="llama-3.1-8b", rps=3, input_tokens=10, output_tokens=20,
        utilization=0.4, precision=("fp8",), ttft_ms=100, tpot_ms=40,
    )  # fmt: skip
    found = resolve(query, reference(), defaults())

    assert not isinstance(found, Unresolved)
    assert () == found.assumptions


@pytest.mark.parametrize(
    ("stated", "rps", "share"),
    [
        ({"rps": 50}, 50, 0.5),
        ({"rps": 50, "utilization": 0.3}, 50, 0.3),
        ({"rps": 10, "peak_rps": 40}, 40, 0.25),
        ({"requests_per_day": 864_000}, 25, 0.4),
        ({"requests_per_day": 432_000, "hours_per_day": 12}, 25, 0.4),
        ({"requests_per_month": 25_920_000}, 25, 0.4),
        ({"tokens_per_second": 10_000}, 50, 0.5),
        ({"tokens_per_day": 1200 * 86_400}, 2.5, 0.4),
        ({"users": 8640, "requests_per_user_per_day": 20}, 15, 1 / 7.5),
        ({"users": 8640}, 7.5, 5 / 7 / 7.5),
        ({"users": 8640, "audience": "external"}, 7.5, 1 / 7.5),
        ({"users": 8640, "hours_per_day": 12}, 5, 0.4),
    ],
)
def test_traffic_in_any_form_becomes_a_peak_and_an_average(
    stated: dict[str, float], rps: float, share: float
) -> None:
    """Rates, daily counts, users and token flows end in the same two numbers."""
    load = serving(params_b=70, **stated).load

    assert pytest.approx(rps) == load.rps
    assert pytest.approx(share) == load.average_share


def test_people_are_a_day_of_requests_in_its_active_hours() -> None:
    """Users × 10 a day ÷ 8 h × 2.5, as llm-d-planner sizes them; each number a chip."""
    found = serving_of(params_b=70, users=1000)
    load = serving(params_b=70, users=1000).load
    chips = {entry.field: entry.value for entry in found.assumptions}

    assert pytest.approx(1000 * 10 / (8 * 3600) * 2.5) == load.rps
    assert ("10", "8 h a day, Mon–Fri", "2.5 ×") == tuple(
        chips[name] for name in
        ("requests_per_user_per_day", "active_hours_per_day", "peak_factor")
    )  # fmt: skip


@pytest.mark.parametrize("people", [1, 5, 8])
def test_a_small_group_may_all_talk_at_once(people: int) -> None:
    """A request each every 75 s, not the trickle of their daily mean."""
    load = serving(params_b=8, users=people).load
    assumed = serving_of(params_b=8, users=people).assumptions

    assert pytest.approx(people / 75) == load.rps
    said = f"{people} people talk at once (each asks every 75 s)"
    assert any(said == entry.value for entry in assumed)
    assert pytest.approx(people * 10 / 86_400 * 5 / 7) == load.average_rps


@given(st.floats(1, 1e6), st.floats(1, 3))
def test_more_people_never_need_less(people: float, more: float) -> None:
    """Peak and average grow with the people; the average never passes the peak."""
    few = serving(params_b=8, users=people).load
    many = serving(params_b=8, users=people * more).load

    assert few.rps <= many.rps * (1 + 1e-9)
    assert few.average_rps <= many.average_rps * (1 + 1e-9)
    assert few.average_share <= 1


@pytest.mark.parametrize(
    ("stated", "daily"),
    [
        ({"concurrency": 30, "use": "code"}, 120 * 100),
        ({"concurrency": 30, "use": "code_agent"}, 30 * 1.7 * 480),
        ({"concurrency": 30, "use": "code", "context": 60_000}, 30 * 1.7 * 480),
        ({"concurrency": 30, "hours_per_day": 10}, 30 * 0.4 * 600),
        ({"concurrency": 3}, 120 * 10),
        ({"use": "code_agent"}, 120 * 200),
        ({"concurrency": 30, "requests_per_user_per_day": 12}, 120 * 12),
    ],
)
def test_whoever_is_active_at_once_sends_requests(
    stated: dict[str, Any], daily: float
) -> None:
    """30 at work are no ten requests each in a day; few at once, or a stated day, are.

    A context that fills as an agent's does is an agent's.
    """
    load = serving(params_b=32, users=120, **stated).load

    hours = stated.get("hours_per_day", 24)
    told = {"hours_per_day", "requests_per_user_per_day"} & stated.keys()
    week = 1 if told else 5 / 7
    assert pytest.approx(daily / (hours * 3600) * week) == load.average_rps


def test_requests_in_flight_become_a_rate_by_littles_law() -> None:
    """30 in flight at TTFT 500 ms and 200 tokens of 50 ms: 30 ÷ 10.5 s."""
    load = serving(params_b=70, concurrency=30).load

    assert pytest.approx(30 / 10.5) == load.rps
    assert 30 == load.concurrency


@pytest.mark.parametrize(
    ("in_flight", "rps", "share"),
    [(30, 5, 0.5), (52, 5, 0.5), (105, 10, 0.5), (210, 20, 0.25)],
)
def test_a_rate_and_requests_in_flight_are_both_carried(
    in_flight: float, rps: float, share: float
) -> None:
    """An answer of 200 tokens takes 500 ms + 200 × 50 ms = 10.5 s: 5/s are 52.5."""
    found = serving_of(params_b=8, rps=5, concurrency=in_flight, output_tokens=200)
    load = found.spec.load if isinstance(found.spec, InferenceSpec) else None

    assert load is not None
    assert pytest.approx(rps) == load.rps
    assert pytest.approx(share) == load.average_share
    said = " ".join((*found.notes, *(one.why for one in found.assumptions)))
    assert f"{in_flight} at once" in said


@pytest.mark.parametrize("shared", [700.0, 7000.0])
def test_what_all_prompts_share_stands_before_a_usual_prompt(shared: float) -> None:
    """The cache holds it, each one's own part is read, and the answer says so."""
    stated = {"model": "llama-3.1-8b", "rps": 3}
    usual = serving(**stated)
    found = serving_of(**stated, shared_prompt=shared)
    spec = found.spec
    assert isinstance(spec, InferenceSpec)

    assert shared + usual.input_tokens == spec.input_tokens
    assert usual.input_tokens == pytest.approx(
        spec.input_tokens * (1 - spec.cache_hit_rate)
    )
    why = {one.field: one.why for one in found.assumptions}
    assert f"{shared:,.0f}" in why["input_tokens"]


@pytest.mark.parametrize(
    ("stated", "lengths"),
    [
        ({"use": "summary", "document": "ticket"}, (785, 50)),
        ({"use": "summary", "document": "contract"}, (13_900, 512)),
        ({"use": "classification", "document": "review"}, (185, 3)),
        ({"use": "translation", "document": "email"}, (192, 215)),
        ({"kind": "batch", "document": "email"}, (192, 200)),
        ({"use": "translation", "input_tokens": 6000}, (6000, 6728)),
        ({"use": "summary", "document": "ticket", "input_tokens": 4000}, (4000, 512)),
        ({"use": "summary", "document": "call", "output_tokens": 90}, (1200, 90)),
        ({"use": "rag", "document": "contract"}, (2944, 283)),
        ({"use": "summary"}, (4096, 512)),
    ],
)
def test_a_text_is_as_long_as_its_kind(
    stated: dict[str, Any], lengths: tuple[float, float]
) -> None:
    """A ticket is no essay; what is stated counts, and a question has no document."""
    found = resolve(
        Query(params_b=8, requests_total=1e6, **stated), reference(), defaults()
    )

    assert not isinstance(found, Unresolved)
    spec = found.spec
    assert isinstance(spec, BatchSpec | InferenceSpec)
    assert (spec.input_tokens, round(spec.output_tokens)) == lengths


def test_a_context_is_filled_by_the_prompt() -> None:
    """With a context and no prompt length, prompt and answer fill the context."""
    spec = serving(params_b=8, rps=1, context=16_000)

    assert 16_000 == spec.input_tokens + spec.output_tokens


@pytest.mark.parametrize(
    ("stated", "kind", "tokens"),
    [
        ({"dataset_samples": 1000, "tokens_per_sample": 500, "epochs": 2}, "ft", 1e6),
        ({"dataset_tokens": 2e9, "kind": "training"}, "train", 2e9),
        ({"kind": "training"}, "train", 8.03e9 * 20),
        ({"method": ("qlora",)}, "ft", 10_000 * 1000 * 3),
        ({"method": ("dpo",), "dataset_samples": 80_000}, "ft", 80_000 * 2 * 1000),
        ({"method": ("dpo",), "dataset_tokens": 5e6}, "ft", 5e6),
        (
            {
                "method": ("dpo",),
                "dataset_samples": 500,
                "tokens_per_sample": 800,
                "epochs": 3,
            },
            "ft",
            1.2e6,
        ),
        ({"method": ("lora",), "dataset_samples": 80_000}, "ft", 80_000 * 3000),
    ],
)
def test_training_counts_its_tokens(
    stated: dict[str, Any], kind: str, tokens: float
) -> None:
    """Samples × length × epochs, stated tokens, or 20 per parameter."""
    query = Query(model="llama-3.1-8b", **stated)
    found = resolve(query, reference(), defaults())

    assert not isinstance(found, Unresolved)
    expected = {"ft": FineTuneSpec, "train": TrainingSpec}[kind]
    assert isinstance(found.spec, expected)
    assert pytest.approx(tokens, rel=0.01) == found.spec.tokens


@pytest.mark.parametrize(
    ("stated", "prompts"),
    [
        ({"dataset_samples": 20_000, "epochs": 2}, 40_000),
        ({"steps": 200, "batch_size": 512}, 102_400),
    ],
)
def test_reinforcement_learning_counts_what_it_writes(
    stated: dict[str, Any], prompts: float
) -> None:
    """Prompts × answers × length; how many answers a prompt has is said as assumed."""
    query = Query(
        kind="finetune", params_b=8, method=("grpo",), input_tokens=1_000,
        output_tokens=6_000, **stated,
    )  # fmt: skip
    found = resolve(query, reference(), defaults())
    assert isinstance(found, Resolved)
    spec = found.spec
    assert isinstance(spec, FineTuneSpec)
    assert spec.rollouts is not None
    assert prompts == spec.rollouts.prompts
    assert prompts * 8 * 7_000 == spec.tokens
    assert "rollouts" in {one.field for one in found.assumptions}


def test_a_daily_pile_is_a_batch_to_be_done_overnight() -> None:
    """Requests per day without a waiting reader aim at the night, not at a deadline."""
    query = Query(kind="batch", params_b=32, requests_per_day=3000)
    found = resolve(query, reference(), defaults())

    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, BatchSpec)
    assert (3000, None, 12, "day") == (
        found.spec.requests,
        found.spec.deadline_hours,
        found.spec.horizon_hours,
        found.spec.recurring,
    )


def meant(kind: str, name: str) -> str | None:
    """The id of the entry that a name stands for."""
    known = reference()
    find = {"gpu": known.gpu, "model": known.model, "provider": known.provider}[kind]
    found = find(name)
    return found.id if found else None


@pytest.mark.parametrize(
    ("stated", "kind", "nearest"),
    [
        ({"model": "lama-3.3-70b"}, "model", "llama-3.3-70b"),
        ({"params_b": 70, "gpu": ("mi300z",)}, "gpu", "mi300x"),
        ({"params_b": 70, "provider": ("lambada",)}, "provider", "lambda"),
    ],
)
def test_an_unknown_name_is_asked_about_never_taken(
    stated: dict[str, Any], kind: str, nearest: str
) -> None:
    """The nearest names are offered; none is assumed."""
    found = resolve(Query(rps=1, **stated), reference(), defaults())

    assert isinstance(found, Unresolved)
    (unknown,) = found.unknown
    assert isinstance(unknown, Unknown)
    assert kind == unknown.kind
    assert nearest in {meant(kind, name) for name in unknown.nearest}


@pytest.mark.parametrize(
    "stated",
    [{"rps": 0.0}, {"rps": -3}, {"params_b": 0}, {"params_b": 1e9}, {"count": 0},
     {"utilization": 1.2}, {"hours_per_day": 25}, {"output_tokens": 0}],
)  # fmt: skip
def test_absurd_numbers_are_refused_with_the_range(stated: dict[str, float]) -> None:
    """Zero, negative and impossible numbers are named, with what can be meant."""
    found = resolve(
        Query(**{"params_b": 70, "rps": 5} | stated), reference(), defaults()
    )

    assert isinstance(found, Unresolved)
    assert "you wrote" in found.reason


def test_no_model_at_all_is_said() -> None:
    """Without a model or a size there is nothing to size."""
    found = resolve(Query(rps=50), reference(), defaults())

    assert isinstance(found, Unresolved)
    assert "model" in found.reason


def test_a_stated_limit_keeps_the_others_interactive() -> None:
    """Naming a TTFT says nothing of how fast the rest may come."""
    targets = serving(params_b=70, rps=1, ttft_ms=800).targets

    assert (800, 50) == (targets.ttft_ms, targets.tpot_ms)


@pytest.mark.parametrize(
    ("prompt", "ttft"), [(1000, 500), (2000, 500), (6000, 1500), (128_000, 32_000)]
)
def test_a_long_prompt_is_given_time_to_be_read(prompt: int, ttft: float) -> None:
    """Half a second for short prompts, then a second for every 4,000 tokens."""
    targets = serving(params_b=70, rps=1, input_tokens=prompt).targets

    assert pytest.approx(ttft) == targets.ttft_ms


@pytest.mark.parametrize("rate", [0.5, 10, 200])
def test_what_keeps_coming_is_no_pile(rate: float) -> None:
    """Though nobody waits for it: a rate is carried, with no limit on the wait."""
    stated = Query(
        model="gemma-3-12b", kind="batch", rps=rate, latency_class="offline",
        input_tokens=1240, output_tokens=120,
    )  # fmt: skip
    found = resolve(stated, reference(), defaults())
    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, InferenceSpec)
    assert found.spec.load.rps == rate
    assert found.spec.targets.ttft_ms is None
    pile = stated.model_copy(update={"requests_total": 1e6, "rps": None})
    again = resolve(pile, reference(), defaults())
    assert not isinstance(again, Unresolved)
    assert isinstance(again.spec, BatchSpec)


@pytest.mark.parametrize(
    ("text", "waited_for"),
    [
        ("70b summarising 300 contracts an hour", False),
        ("27b writes replies to 5k support tickets a day", False),
        ("8b classifying 200k emails a day, first token within 300 ms", True),
        ("8b summaries for 40 people, 2000 tickets a day", True),
        ("8b chat, 200k messages a day", True),
        ("8b classifying at 50 requests per second", False),
        ("8b translating at 50 requests per second", True),
    ],
)
def test_texts_that_are_worked_through_have_no_limit(
    text: str, waited_for: bool
) -> None:
    """Nobody watches a summary being written, unless somebody is said to wait."""
    found = resolve(parse(text), reference(), defaults())

    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, InferenceSpec)
    assert waited_for == (found.spec.targets.ttft_ms is not None)


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("kimi k2 for 25 developers", "coding assistant"),
        ("coding assistant for 25 people, 70b", "coding assistant"),
        ("kimi k2 with 64k context for 25 developers", "coding agent"),
        ("kimi k2 as a chat for 25 developers", None),
        ("codestral 22b 5 rps", "coding questions"),
        ("llama 70b for 25 people", None),
    ],
)
def test_who_writes_code_sends_what_code_takes(text: str, use: str | None) -> None:
    """Long prompts, many a day: a developer's are no ten questions of 1,000 tokens."""
    found = resolve(parse(text), reference(), defaults())

    assert not isinstance(found, Unresolved)
    told = {entry.value for entry in found.assumptions if entry.field == "use"}
    assert use is None or use in told
    assert use or not told & {"coding assistant", "coding agent"}


@pytest.mark.parametrize("text", ["llama 70b", "kimi k2", "qwen3-32b", "8b rag bot"])
@pytest.mark.parametrize(
    "people", ["25 developers", "800 employees", "60 devs, 9 to 18 on weekdays"]
)
@pytest.mark.parametrize("each", ["", ", 40 requests each a day"])
def test_a_month_is_people_times_requests_times_days(
    text: str, people: str, each: str
) -> None:
    """Whatever is assumed of them, the figures of an answer follow from one load."""
    query = parse(f"{text} for {people}{each}")
    found = resolve(query, reference(), defaults())

    assert not isinstance(found, Unresolved)
    assert isinstance(found.spec, InferenceSpec)
    told = {entry.field: entry.value for entry in found.assumptions}
    a_day = float(told.get("requests_per_user_per_day", 40))
    days = query.days_per_week or (7 if each else 5)
    hours = (query.hours_per_day or 24) * (query.days_per_week or 7) / 7
    month = found.spec.load.average_rps * hours * 3600 * 30
    assert pytest.approx((query.users or 0) * a_day * days * 30 / 7) == month
