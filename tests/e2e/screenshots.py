"""Take the gallery's pictures: `python -m tests.e2e.screenshots deploy/screenshots`.

Needs chromium and pngquant, which Debian has under those names.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from slack_bolt import App

from bot.alerts.service import AlertService, alert_service
from bot.config.settings import Settings
from bot.playground.playground import playing
from bot.question.asking import AskContext
from bot.run.app import build_app
from bot.run.composition import compose
from tests.e2e.chromium import Browser, browsing

DAY: Final = datetime(2026, 11, 21, tzinfo=UTC)
SETTLED: Final = "!document.querySelector('.waiting, [aria-busy]')"
WIDTH: Final = 1180
LOWEST: Final = 840
TALLEST: Final = 1500
PHONE: Final = 390, 844
MESSAGE: Final = ".message.bot"
ANSWERED: Final = f"{MESSAGE} .button"

HIDDEN: Final = """Math.max(...['#conversation', '#home'].map((name) => {
    const box = document.querySelector(name);
    return box && box.checkVisibility() ? box.scrollHeight - box.clientHeight : 0;
}))"""
"""How much of what was said the window is too low for."""

Scene = Callable[[Browser], None]
SERVED: Final[list[AlertService]] = []
"""The alerts of the bot that is pictured."""


def command(question: str, awaited: str = ANSWERED) -> Scene:
    """Make a scene of one question and its answer."""

    def scene(browser: Browser) -> None:
        write(browser, f"/gpucost {question}", awaited)

    return scene


def alert(browser: Browser) -> None:
    """Watch a question; a negotiated price then changes its answer."""
    write(browser, "/gpucost watch 70b inference 50rps 10%", f"{MESSAGE}.ephemeral")
    write(browser, "/gpucost setprice hyperstack b200 4.50", MESSAGE)
    count = browser.run(f"document.querySelectorAll('{MESSAGE}').length")
    (service,) = SERVED
    service.watching.look(DAY)
    assert service.courier.deliver_all() == 1
    browser.wait(f"document.querySelectorAll('{MESSAGE}').length > {count}")


def home(browser: Browser) -> None:
    """Ask two things, then open the page."""
    write(browser, "/gpucost 70b inference 50rps", ANSWERED)
    write(browser, "/gpucost watch 70b inference 50rps 10%", MESSAGE)
    browser.press(".places button", "Home")
    browser.wait("!!document.querySelector('.home-view .button')")


def form(browser: Browser) -> None:
    """Press Change: the form opens with the question filled in."""
    write(browser, "/gpucost 70b inference 50rps", ANSWERED)
    browser.press(f"{MESSAGE} .button", "Change")
    browser.wait("!!document.querySelector('dialog[open] input')")


SCENES: Final[dict[str, Scene]] = {
    "answer": command("70b inference 50rps"),
    "price": command("price h100 spot"),
    "comparison": command("compare h100 vs h200 for 70b 20rps"),
    "training": command("train 13b 200b tokens 64xh100 budget 150k"),
    "api": command("self host llama 70b vs api at 2M tokens/day"),
    "fine-tune": command(
        "fine-tune 8b monthly on 20k samples then serve 5 rps for a year"
    ),
    "reserve": command("reserve 8 h100 for 12 months or on-demand"),
    "history": command("price history h100 lambda", MESSAGE),
    "no": command("70b fp16 on one h200"),
    "clarify": command("lama-9.9-70b 50rps", f"{MESSAGE} .button"),
    "form": form,
    "alert": alert,
    "home": home,
}
DARK: Final = frozenset({"training"})
ON_A_PHONE: Final = frozenset({"answer"})


def main(folder: Path, wanted: list[str]) -> None:
    """Ask on one day's prices, so that the pictures change only with the answers."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary,
        playing(Path(temporary), bot_of_that_day) as playground,
        browsing(Path(temporary)) as browser,
    ):
        for name in wanted or SCENES:
            theme = "dark" if name in DARK else "light"
            playground.stack.clear()
            playground.visitor.clear()
            browser.size(WIDTH, LOWEST)
            browser.open(playground.url)
            browser.run(f"document.documentElement.dataset.theme = '{theme}'")
            browser.wait("!!document.querySelector('.welcome .example')")
            SCENES[name](browser)
            take(browser, folder / f"{name}.png")
            if name in ON_A_PHONE:
                browser.size(*PHONE, phone=True)
                settle(browser)
                browser.picture(folder / "phone.png")
                shrink(folder / "phone.png")


@contextmanager
def bot_of_that_day(settings: Settings) -> Iterator[App]:
    """The bot with its clock stopped, warm: its first answer takes longer."""
    service = alert_service(settings, compose(settings, lambda: DAY))
    SERVED[:] = [service]
    service.answering.ask("8b 5rps", context=AskContext(surface="terminal"))
    yield build_app(settings, service.answering, service.for_slack(), lambda: DAY)


def write(browser: Browser, line: str, awaited: str) -> None:
    """Send a line and wait for one more part of the answer."""
    count = f"document.querySelectorAll('{awaited}').length"
    before = browser.run(count)
    browser.run("document.querySelector('#composer-text').focus()")
    browser.type(line, enter=True)
    browser.wait(f"{count} > {before}")
    browser.wait(SETTLED)


def settle(browser: Browser) -> None:
    """Show what was said from its top, the pointer out of the way."""
    browser.wait(SETTLED)
    browser.run(
        "document.querySelector('dialog[open]') || document.activeElement.blur()"
    )
    browser.run("document.querySelector('#conversation').scrollTo(0, 0)")
    browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=600, y=60)


def take(browser: Browser, file: Path) -> None:
    """Picture all of an answer: the window grows with it."""
    height, grown = 0, LOWEST
    while height < grown:  # what it has room for may be drawn taller
        height = grown
        browser.size(WIDTH, height)
        settle(browser)
        grown = min(TALLEST, height + int(browser.run(HIDDEN)))
    browser.picture(file)
    shrink(file)


def shrink(file: Path) -> None:
    """Keep 256 colours."""
    subprocess.run(
        ["pngquant", "--force", "--strip", "--ext", ".png", str(file)], check=True
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
