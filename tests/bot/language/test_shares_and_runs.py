"""Loads in parts: runs of one person times calls of a run, parts that stay the same."""

import pytest

from bot.language.parse import parse


@pytest.mark.parametrize(("people", "runs", "calls"), [(80, 40, 25), (35, 8, 50)])
@pytest.mark.parametrize(
    "text",
    [
        "coding agent for {} developers, each about {} agent runs a day with ~{} model "
        "calls, qwen3-32b",
        "glm-4.6 for {} engineers, {} tasks each per day, {} llm calls per task",
        "{} support reps, {} tickets per rep and day, {} llm calls per ticket, 32b",
        "{} users x {} runs/day x {} calls per run, deepseek v3.2",
        "each of our {} developers runs {} agents a day, ~{} calls per run, 70b",
        "if {} people each kick off {} agent tasks daily and a task takes {} model "
        "calls, gpt-oss-120b",
    ],
)
def test_calls_of_a_run_multiply_the_runs_of_each(
    text: str, people: int, runs: int, calls: int
) -> None:
    """What one person sends in a day, and nothing is left to assume of a task."""
    query = parse(text.format(people, runs, calls))

    assert query.users == people
    assert query.requests_per_user_per_day == runs * calls
    assert not query.counts_tasks
    assert not query.not_used


@pytest.mark.parametrize(
    ("text", "daily"),
    [
        ("six agents, each making 15 LLM calls per ticket, 7,000 tickets a day", 105e3),
        ("20 devs, 300 tasks a day in total, 10 calls per task, 32b", 3000),
    ],
)
def test_runs_of_all_are_not_those_of_each(text: str, daily: float) -> None:
    """Their calls add up to the day's, whoever works beside them."""
    assert parse(text).requests_per_day == daily


@pytest.mark.parametrize(("part", "whole"), [(9000, 12_000), (5000, 8000)])
@pytest.mark.parametrize(
    "text",
    [
        "{share} of our {whole} token prompt is the same system prompt, 32b, 8 rps",
        "{part} of our {whole} token prompts are identical for every request, 8 rps",
        "{part} of the {whole} input tokens are always the same, 20 rps, 8b",
        "{share} of the prompt ({whole} tokens) is common to all requests, 32b, 7 rps",
        "our prompts are {whole} tokens of which {share} are static, 15 rps, 24b",
        "{whole} tokens in, of which {part} is a static prefix, 500 out, 32b 3 rps",
    ],
)
def test_a_part_that_stays_the_same_is_cached(text: str, part: int, whole: int) -> None:
    """In percent of the prompt or in tokens of it, with the prompt's length."""
    told = text.format(part=part, whole=whole, share=f"{part / whole:.1%}")
    query = parse(told)

    assert query.input_tokens == whole
    assert query.cache_hit_rate == pytest.approx(part / whole)
    assert not query.not_used


@pytest.mark.parametrize(
    ("said", "share"),
    [
        ("three quarters", 0.75),
        ("nine tenths", 0.9),
        ("half", 0.5),
        ("two thirds", 2 / 3),
    ],
)
def test_parts_in_words(said: str, share: float) -> None:
    """Fractions are shares as well."""
    query = parse(f"{said} of each 8k token prompt is shared, qwen3-32b 6 rps")

    assert query.cache_hit_rate == pytest.approx(share, abs=1e-4)
    assert query.input_tokens == 8000


def test_shares_of_people_or_questions_are_no_part_of_a_prompt() -> None:
    """Only what a prompt holds is cached."""
    asked = parse("3k token prompts, 30% of questions are identical, 8b 9 rps")

    assert asked.cache_hit_rate is None
    assert asked.input_tokens == 3000


@pytest.mark.parametrize("tokens", [3000, 6000])
@pytest.mark.parametrize(
    "text",
    [
        "RAG over our wiki, 2,000 users, 5 questions a day each, {} tokens retrieved "
        "context, 300 token answers, 32b. Cost per month and per question?",
        "rag bot over sharepoint, 500 staff, 8 questions each per day, {} tokens of "
        "retrieved chunks, 300 token answers, 70b, price per question?",
        "rag, 10k questions a day, about {} retrieved tokens per question, 300 token "
        "answer, 70b, what does one question cost",
    ],
)
def test_retrieved_text_is_input(text: str, tokens: int) -> None:
    """It stands in the prompt, and a question is the unit of the price."""
    query = parse(text.format(tokens))

    assert (query.input_tokens, query.output_tokens) == (tokens, 300)
    assert (query.use, query.asked_unit) == ("rag", "request")
    assert not query.not_used


def test_a_question_comes_on_top_of_what_is_retrieved() -> None:
    """Both are the prompt."""
    query = parse("70b, 10 rps, 5k tokens retrieved plus a 300 token question, 200 out")

    assert query.input_tokens == 5300


@pytest.mark.parametrize(
    ("text", "cadence", "runs", "more", "span"),
    [
        (
            "number for the Q2 forecast: monthly LoRA retraining of an 8B on 60M "
            "tokens, plus 10 failed experiments of the same size per quarter",
            "monthly", None, 40, "quarter",
        ),
        ("lora 8b 60M tokens, 12 runs per quarter", "quarterly", 12, None, None),
        ("lora 8b 5M tokens monthly, sum for H1", "monthly", None, None, "half-year"),
        ("lora 8b 60M tokens, plus 3 trials of the same size", None, 4, None, None),
        ("lora 8b 60M tokens retrained quarterly", "quarterly", None, None, None),
    ],
)  # fmt: skip
def test_runs_of_a_span(
    text: str, cadence: str | None, runs: float, more: float | None, span: str | None
) -> None:
    """Runs that come back, those on top, and the span whose sum is asked for."""
    query = parse(text)

    assert (cadence, runs) == (query.cadence, query.runs)
    assert (more, span) == (query.more_runs, query.asked_unit)
