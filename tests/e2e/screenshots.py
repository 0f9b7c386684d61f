"""Take the README's pictures: `python -m tests.e2e.screenshots deploy/screenshots`.

Needs chromium and pngquant, which Debian has under those names.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from slack_bolt import App

from bot.app import build_app
from bot.composition import compose
from bot.playground.playground import playing
from bot.settings import Settings
from tests.e2e.chromium import Browser, browsing

DAY = datetime(2026, 11, 21, tzinfo=UTC)
SETTLED = "!document.querySelector('.waiting, [aria-busy]')"
DESKTOP = 1180, 840


def main(folder: Path) -> None:
    """Ask on one day's prices, so that the pictures change only with the answers."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary,
        playing(Path(temporary), bot_of_that_day) as playground,
        browsing(Path(temporary)) as browser,
    ):
        browser.size(*DESKTOP)
        browser.open(playground.url)
        ask(browser, "70b inference 50rps", ".data-table")
        browser.picture(folder / "answer.png")
        browser.size(390, 844, phone=True)
        browser.picture(folder / "phone.png")
        browser.size(*DESKTOP)
        browser.run("document.documentElement.dataset.theme = 'dark'")
        ask(browser, "train 7b on 1T tokens then serve 20rps for a year", "svg.chart")
        browser.picture(folder / "chart.png")
    for file in folder.glob("*.png"):
        subprocess.run(["pngquant", "--force", "--ext", ".png", str(file)], check=True)


@contextmanager
def bot_of_that_day(settings: Settings) -> Iterator[App]:
    """The bot with its clock stopped."""
    yield build_app(settings, compose(settings, lambda: DAY))


def ask(browser: Browser, question: str, awaited: str) -> None:
    """Ask afresh, wait for a part of the answer, and show it from its top."""
    browser.press("#clear")
    browser.wait("!document.querySelector('.message')")
    browser.run("document.querySelector('#composer-text').focus()")
    browser.type(f"/gpucost {question}", enter=True)
    browser.wait(f"!!document.querySelector('.message.bot {awaited}')")
    browser.wait(SETTLED)
    browser.run("document.activeElement.blur()")
    browser.run("document.querySelector('#conversation').scrollTo(0, 0)")
    browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=600, y=60)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
