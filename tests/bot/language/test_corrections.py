"""Of two figures for one thing the one that holds is read, however it is said."""

import pytest

from bot.language.parse import parse

WAYS = """{a}, no wait, {b}|{a}, sorry, {b}|{a}... scratch that, {b}|
    {a}, correction: {b}|not {a} but {b}|{b}, not {a}|{a}? no, {b}|
    it was {a}, now it is {b}|used to be {a}, now {b}|
    we planned {a} but it came out at {b}|first {a}, later {b}, so plan with {b}|
    Anna: {a}. Ben: no, {b}. Anna: right, {b}|
    we have {a} today and expect {b} next year|make that {b} instead of {a}|
    {a} (old figure), {b} (new figure)|{a} -> {b}|rather {b} than {a}|
    dropped from {a} to {b}|{b} (down from {a})|{b}, up from {a}|
    no longer {a}, it's {b}|forget {a}, take {b}|ignore the {a}, it's {b} now|
    the {a} on the slide is stale, use {b}"""
FIGURES = (
    ("rps", "40 rps", "26 rps", 26, "llama 70b, 1k in 200 out"),
    ("input_tokens", "3000 token prompts", "1800 token prompts", 1800,
     "llama 70b at 10 rps, 200 out"),
    ("output_tokens", "300 token answers", "500 token answers", 500,
     "llama 70b at 10 rps, 1k in"),
    ("users", "400 users", "900 users", 900, "llama 70b chat"),
    ("concurrency", "40 concurrent chats", "90 concurrent chats", 90, "llama 70b"),
    ("requests_per_day", "40k requests a day", "90k requests a day", 90_000,
     "llama 70b, 1k in 200 out"),
    ("budget_amount", "$4,000 a month", "$9,000 a month", 9000, "llama 70b at 10 rps"),
)  # fmt: skip


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure[0])
def test_the_figure_that_holds_is_read(figure: tuple[str, str, str, int, str]) -> None:
    """Never the old one; the new one but where nobody can tell."""
    field, old, new, wanted, rest = figure
    silent, ways = [], [way.strip() for way in WAYS.split("|")]
    for way in ways:
        said = f"{rest}. {way.format(a=old, b=new)}"
        if getattr(parse(said), field) != wanted:
            silent.append(said)
    assert len(silent) <= 0.05 * len(ways), silent


@pytest.mark.parametrize(
    ("text", "field", "wanted"),
    [
        ("llama 70b, 10 rps, 2k in and 300 out, now on h200", "input_tokens", 2000),
        ("8b, input 600 output 150 at 5 rps", "output_tokens", 150),
        ("12b bf16, need 110 rps peak / 40 rps avg, 1.1k in .2k out", "rps", 40),
    ],
)
def test_two_figures_of_two_things_stay(text: str, field: str, wanted: int) -> None:
    """Everyday words replace no figure of something else."""
    assert getattr(parse(text), field) == wanted
