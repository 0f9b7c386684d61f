"""Questions to press on the page: one of each kind that the bot answers."""

from typing import Final

from core.checked import Checked
from core.wording import say


class ExampleGroup(Checked):
    """Questions of one kind, under a heading."""

    heading: str
    questions: tuple[str, ...]


def _group(heading: str, *questions: str) -> ExampleGroup:
    return ExampleGroup(heading=heading, questions=questions)


EXAMPLES: Final = (
    _group(
        say("playground.example_fleet"),
        "70b inference 50rps",
        "llama-3.1-8b 1M requests/day 500in/150out",
        "70b 20rps under $15k/mo not on azure",
    ),
    _group(
        say("playground.example_prices"),
        "price h100 spot",
        "monthly bill for 4x h100 lambda 24/7",
    ),
    _group(
        say("playground.example_decisions"),
        "compare h100 vs h200 for 70b 20rps",
        "does 70b fit on 2x a100 80gb",
        "self-host 70b vs openai gpt-4o 100M tokens/day",
    ),
    _group(
        say("playground.example_jobs"),
        "lora 70b on 20M tokens",
        "train 7b on 1T tokens then serve 20rps for a year",
        "batch 1B tokens 70b overnight",
        "sdxl 100k images/day",
    ),
    _group(
        say("playground.example_alerts"),
        "watch 70b inference 50rps 10%",
        "setprice hyperstack b200 4.50",
        "alert a100-80gb spot < 0.90",
        "alerts",
    ),
    _group(say("playground.example_more"), "help", "settings", "zxcv qwerty"),
)
