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
        ("sft of a 12b, 90M tokens, incl. a couple of failed runs",
         None, 3, None, None),
        ("lora on llama 8b with 40M tokens, budget including 3 failed runs",
         None, 4, None, None),
        ("finetuning von qwen 7b, 60M Tokens, inkl. zwei fehlgeschlagene Läufe",
         None, 3, None, None),
        ("fine-tune mistral 7b, 30M tokens, dont deux essais ratés",
         None, 3, None, None),
        ("qlora 32b on 20k samples, expect a few failed attempts", None, 4, None, None),
        ("train a 1b on 20B tokens, with 2 crashed runs", None, 3, None, None),
        ("lora 8b 5k samples, what if a run fails", None, None, None, None),
        ("lora 8b 5k samples in 2 runs", None, None, None, None),
    ],
)  # fmt: skip
def test_runs_of_a_span(
    text: str, cadence: str | None, runs: float, more: float | None, span: str | None
) -> None:
    """Runs that come back, those on top, and the span whose sum is asked for."""
    query = parse(text)

    assert (cadence, runs) == (query.cadence, query.runs)
    assert (more, span) == (query.more_runs, query.asked_unit)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "Deep research agent: each task makes ~45 LLM calls, context climbing to "
            "90k, output about 15k total. 700 tasks a day. glm-4.6",
            15_000 / 45,
        ),
        ("each task makes 30 calls, output 12k tokens per task, 500 tasks a day, 70b",
         400),
        ("agent with 20 calls per task, output 8k in total, 1,000 tasks a day, 32b",
         400),
        ("60 steps per task, 300 tasks a day, generated 20k tokens for the whole task, "
         "70b", 20_000 / 60),
        ("each run makes 25 calls, output 5k total, 200 runs an hour, 8b",
         200),
        ("each task makes 30 calls, output 400 tokens each, 500 tasks a day, 70b", 400),
        ("each task makes 30 calls, 500 tasks a day, 300 out, 70b", 300),
        ("8b 5 rps, 300 tokens out", 300),
    ],
)  # fmt: skip
def test_the_output_of_a_task_is_shared_by_its_calls(text: str, answer: float) -> None:
    assert parse(text).output_tokens == pytest.approx(answer)


@pytest.mark.parametrize(
    ("text", "course"),
    [
        ("agent, 20 calls per task, context growing to 60k, 900 tasks a day, 32b",
         "grows"),
        ("each task makes 45 calls, context climbing to 90k, 700 tasks a day, 70b",
         "grows"),
        ("60 steps per task, context builds up to 120k, 300 tasks a day, 70b", "grows"),
        ("65k DAU, 55 messages a day, 4k rolling context, mistral nemo", "rolling"),
        ("chatbot with a sliding window of 4k tokens, 8b, 20 rps", "rolling"),
        ("Chat mit gleitendem Fenster von 4k Tokens, 8B, 20 rps", "rolling"),
        ("chat avec une fenêtre glissante de 4k tokens, 8b, 20 rps", "rolling"),
        ("chat with context growing to 8k, llama 70b, 5 rps", None),
        ("gemma 3 27b with sliding window attention, 5 rps", None),
        ("70b 5 rps, 8k context", None),
        ("rolling deployment of an 8b, 5 rps, 8k context", None),
    ],
)  # fmt: skip
def test_a_context_grows_or_rolls_on(text: str, course: str | None) -> None:
    """Of the calls of a task the mean is half; what rolls on is cached by nothing."""
    assert parse(text).context_course == course


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("PPO on a 32B policy with a 7B reward model, 16 H200, 20k steps of batch 256",
         False),
        ("PPO 8b, 5k steps, batch size 128, 8 H100, how long?", False),
        ("GRPO qwen 7b, 1000 steps, batch 512, 8 rollouts, 8 H100, how long?", False),
        ("PPO for a 70b, 2k steps, how long?", True),
        ("GRPO on 14b with 4 a100", True),
    ],
)  # fmt: skip
def test_steps_of_a_batch_need_no_length(text: str, asks: bool) -> None:
    query = parse(text)
    assert (query.clarify is not None) == asks
    assert query.reward_b == (7 if "reward" in text else None)


@pytest.mark.parametrize(
    ("text", "use"),
    [
        ("generate 20B tokens of synthetic textbook data with a 30b", "generation"),
        ("5B tokens of synthetic data written by llama 70b", "generation"),
        ("wir erzeugen 2B Tokens synthetische Trainingsdaten mit qwen 32b",
         "generation"),
        ("fine-tune an 8b on 50k samples of synthetic data", None),
        ("2B output tokens with llama 70b batch", None),
    ],
)  # fmt: skip
def test_synthetic_data_is_written_in_long_texts(text: str, use: str | None) -> None:
    assert parse(text).use == use
