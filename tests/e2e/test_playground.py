"""The playground as a person uses it: a page in Chromium, the real bot behind it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.playground.playground import Playground, playing
from bot.playground.product import running_bot
from tests.bot.gallery import FIGURES, PRESSABLE, TEXTS, Gallery
from tests.e2e.chromium import BINARY, Browser, browsing

pytestmark = pytest.mark.skipif(
    not BINARY, reason="no Chromium: `apt-get install chromium` brings it on Debian"
)

ANSWERED = "!!document.querySelector('.message.bot .button')"
"""An answer's own buttons are there, "Share" the first of them."""
SETTLED = "!document.querySelector('.waiting, [aria-busy]')"
TEXT = "document.querySelector('%s').innerText"
COUNT = "document.querySelectorAll('%s').length"
NARROW = """[...document.querySelectorAll('svg.chart')].every((chart) =>
    chart.viewBox.baseVal.width < 390 || chart.width.baseVal.value < 390)"""
OVERLAPS = """[...document.querySelectorAll('svg.chart')].flatMap((chart) => {
    const boxes = [...chart.querySelectorAll('text')].map((each) =>
        [each.textContent, each.getBoundingClientRect()]);
    return boxes.flatMap(([said, a], n) => boxes.slice(n + 1)
        .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 5 && b.top < a.bottom - 5)
        .map(([other]) => `${said} and ${other}`));
})"""
"""Words of a chart that lie over each other."""
WINDOW = "!!document.querySelector('dialog[open]')"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for every test of this file."""
    with browsing(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Playground]:
    """The playground as `gpucost playground` starts it."""
    home = tmp_path_factory.mktemp("home")
    with playing(home, running_bot) as playground:
        yield playground


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Playground, Any]]:
    """A playground whose bot shows one of every block."""
    gallery = Gallery()
    with playing(tmp_path_factory.mktemp("home"), gallery.running) as playground:
        yield playground, gallery


@pytest.fixture
def page(chromium: Browser, bot: Playground) -> Iterator[Browser]:
    """The page of the real bot, empty; whatever it complains of fails the test."""
    yield from opened(chromium, bot)


@pytest.fixture
def gallery_page(
    chromium: Browser, shown: tuple[Playground, Gallery]
) -> Iterator[Browser]:
    """The page of the bot that shows everything."""
    yield from opened(chromium, shown[0])


def opened(browser: Browser, playground: Playground) -> Iterator[Browser]:
    """Open a playground afresh, on a desktop's screen."""
    playground.stack.clear()
    playground.visitor.clear()
    playground.visitor.choose_blocks(False)
    browser.size(1280, 860)
    browser.open(playground.url)
    browser.wait("!!document.querySelector('.welcome .example')")
    yield browser
    complaints, browser.complaints = browser.complaints, []
    assert [] == complaints


def write(page: Browser, text: str) -> None:
    """Type a line into the composer and send it."""
    page.run("document.querySelector('#composer-text').focus()")
    page.type(text, enter=True)


def test_a_newcomer_presses_an_example(page: Browser) -> None:
    """A verdict in money comes, for its asker's eyes, and the wait is over."""
    page.press(".welcome .example", "70b inference 50rps")
    page.wait(ANSWERED)
    page.wait(SETTLED)

    said = page.run(TEXT % ".message.bot")
    assert "Only visible to you" in said
    assert "/month" in said
    assert page.run("document.querySelector('.welcome').checkVisibility()") is False
    assert "/month" in page.run("document.querySelector('#announcer').textContent")


FLAGSHIP = "70b inference 50rps"
WARNED = "deepseek v3.1 20 rps 2k/600 production"
"""With a note on top of all parts: what is far cheaper."""


@pytest.mark.parametrize(
    ("question", "width", "window", "most"),
    [(FLAGSHIP, 800, 860, 420), (FLAGSHIP, 390, 844, 700), (WARNED, 390, 844, 700)],
)
def test_an_answer_and_its_buttons_fit_a_screen(
    page: Browser, question: str, width: int, window: int, most: int
) -> None:
    """Nobody scrolls to the buttons, on a desktop or on a phone."""
    page.size(width, window, phone=width < 500)
    write(page, f"/gpucost {question}")
    page.wait(ANSWERED)
    page.wait(SETTLED)

    box = "document.querySelector('.message.bot').getBoundingClientRect()"
    rows = "[...document.querySelectorAll('.message.bot .button')]"
    lowest = f"Math.max(...{rows}.map((b) => b.getBoundingClientRect().bottom))"
    composer = "document.querySelector('#composer').getBoundingClientRect().top"
    assert page.run(f"{box}.height") <= most
    assert page.run(f"{rows}.length") >= 7  # the two for an opinion are the last
    page.wait(f"{lowest} <= {composer}")


def test_a_table_turns_its_pages_and_sorts(page: Browser) -> None:
    """By the value of a number, not by its letters."""
    write(page, "/gpucost 70b inference 50rps")
    page.wait(ANSWERED)
    page.press(".message.bot .button", "All details")
    page.wait("!!document.querySelector('.data-table .turn')")
    page.wait(SETTLED)  # what is still moving is not where it is pressed
    first = page.run(TEXT % ".data-table:has(.turn) tbody tr")
    page.press(".data-table:has(.turn) .turn", "›")
    page.wait("document.querySelector('.data-table .place').innerText.startsWith('8')")
    second = page.run(TEXT % ".data-table:has(.turn) tbody tr")
    place = page.run(TEXT % ".data-table:has(.turn) .place")
    page.press(".data-table:has(.turn) .sort", "$/month")
    page.press(".data-table:has(.turn) .sort", "$/month")

    column = """[...document.querySelectorAll(
        '.data-table:has(.turn) tbody tr')].map((row) =>
        Number(row.children[4].innerText.replace(/[$,]/g, '')))"""
    dearest = page.run(column)
    assert first != second
    assert place.startswith("8–14 of")
    assert sorted(dearest, reverse=True) == dearest
    assert "descending" == page.run(
        "document.querySelector('.data-table:has(.turn) th:nth-child(5)').ariaSort"
    )


def test_sharing_shows_everybody(page: Browser) -> None:
    """A public copy comes; the private one can no longer be shared."""
    write(page, "/gpucost price h100 spot")
    page.press(".message .button", "Share")
    page.wait("!!document.querySelector('.message.bot:not(.ephemeral)')")
    # the private one is edited once the copy is posted
    page.wait(f"!({TEXT % '#conversation'}).includes('Share')")

    assert "You" in page.run(TEXT % ".message.bot:not(.ephemeral) .mention")


def test_a_mention_is_answered_in_its_thread(page: Browser) -> None:
    """And a reply there goes on from it."""
    write(page, "@gpucost price h100 spot")
    page.wait("!!document.querySelector('.thread .message.bot')")
    page.press(".extra", "Reply in thread")
    page.type("@gpucost and a100?", enter=True)
    page.wait("document.querySelectorAll('.thread .message.bot').length === 2")
    page.wait(SETTLED)

    said = page.run(TEXT % ".thread .message.bot:last-child")
    assert "A100" in said
    assert 1 == page.run(COUNT % ".messages > .message")


def test_a_form_asks_what_a_command_left_out(page: Browser) -> None:
    """A bare command opens it, every field has a label; Escape closes it."""
    write(page, "/gpucost")
    page.wait(WINDOW)
    page.wait(SETTLED)
    unnamed = page.run(
        """[...document.querySelectorAll('dialog input, dialog select')].filter(
            (field) => !field.labels.length && !field.closest('[aria-label]')
        ).length"""
    )
    page.key("Escape", 27)
    page.wait(f"!({WINDOW})")

    assert 0 == unnamed


def test_an_assumption_is_changed_in_place(page: Browser) -> None:
    """A chip of the details opens the form on its field; they change where they are."""
    write(page, "/gpucost 70b inference 50rps")
    page.wait(ANSWERED)
    page.wait(SETTLED)
    before = page.run(TEXT % ".message.bot .rich-text")
    page.press(".message.bot .button", "All details")
    page.wait("!!document.querySelector('.container summary')")
    page.wait(SETTLED)
    page.press(".container summary", "Assumptions")
    page.press(".container .button", "prompt")
    page.wait(WINDOW)
    field = "document.activeElement.closest('[data-input]').innerText"
    assert "Prompt" in page.run(field)
    page.run("document.activeElement.select()")
    page.type("4000")
    page.press("dialog .button", "Answer")
    page.wait("!!document.querySelector('.message.bot .edited')")

    assert before != page.run(TEXT % ".message.bot:has(.edited) .rich-text")
    assert 1 == page.run(COUNT % ".message.bot:has(.edited)")


def test_the_bot_has_a_conversation_and_a_home(page: Browser) -> None:
    """No command is needed in the one; the other shows what was asked."""
    page.press(".places button", "gpucost")
    write(page, "price h100 spot")
    page.wait("!!document.querySelector('.message.bot .data-table')")
    page.press(".places button", "Home")
    page.wait("!!document.querySelector('.home-view .button')")

    assert "price h100 spot" in page.run(TEXT % "#home")


def test_what_is_suggested_stands_there_once(page: Browser) -> None:
    """The bot's own suggestions take the place of the page's examples."""
    page.press(".places button", "gpucost")
    page.wait("!!document.querySelector('.suggested-prompts')")

    shown = page.run(
        """[...document.querySelectorAll('#conversation .welcome .example')].filter(
            (each) => each.checkVisibility()).map((each) => each.innerText)"""
    )
    assert "70b inference 50rps" in shown
    assert len(set(shown)) == len(shown)


def test_a_phone_shows_it_all(page: Browser) -> None:
    """Nothing is wider than the screen, and no text is too small to read."""
    page.size(390, 844, phone=True)
    page.press("#examples-button")
    page.press("#examples .example", "70b inference 50rps")
    page.wait(ANSWERED)
    wide = page.run("document.documentElement.scrollWidth - innerWidth")
    smallest = page.run(
        """Math.min(...[...document.querySelectorAll('.content *')].map((each) =>
            parseFloat(getComputedStyle(each).fontSize)))"""
    )
    page.press(".places button", "Home")
    page.wait("!!document.querySelector('.home-view .button')")

    assert 0 == wide
    assert 11 <= smallest
    assert 0 == page.run("document.documentElement.scrollWidth - innerWidth")


def test_plain_blocks_say_the_same(page: Browser) -> None:
    """A workspace without native tables gets one drawn in letters."""
    page.press("#classic")
    page.wait("document.querySelector('#classic').checked")
    write(page, "/gpucost price h100 spot")
    page.wait("!!document.querySelector('.content pre')")

    assert 0 == page.run(COUNT % "#conversation .data-table")
    assert "$/GPU-h" in page.run(TEXT % ".content pre")


def test_hostile_text_stays_text(page: Browser) -> None:
    """Markup in a question is read, never obeyed."""
    hostile = "<img src=x onerror=alert(1)> <script>alert(2)</script> <!channel> *b*"
    write(page, f"/gpucost {hostile}")
    page.wait("!!document.querySelector('.message.bot')")

    assert hostile in page.run(TEXT % ".message.own")
    assert 0 == page.run(COUNT % "#conversation img, #conversation script")
    assert 0 == page.run(COUNT % ".own .mention, .own strong + strong")


def test_a_reader_who_comes_back_finds_the_conversation(
    page: Browser, bot: Playground
) -> None:
    """Reloading the page loses nothing, threads included."""
    write(page, "@gpucost price h100 spot")
    page.wait("!!document.querySelector('.thread .message.bot')")
    before = page.run(TEXT % "#conversation")
    page.open(bot.url)
    page.wait("!!document.querySelector('.thread .message.bot')")

    assert before == page.run(TEXT % "#conversation")


def test_the_traffic_tells_what_was_sent(page: Browser) -> None:
    """The request to the bot and its answer, without any token."""
    write(page, "/gpucost price h100 spot")
    page.wait(ANSWERED)
    page.press("#traffic-button")
    page.press("#calls summary", "/gpucost")
    page.wait("!!document.querySelector('#calls details[open] pre').textContent")

    calls = page.run("document.querySelector('#calls').textContent")
    assert "← response_url" in calls
    assert '"text": "price h100 spot"' in calls
    assert "xoxb" not in calls


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_either_theme_is_kept(page: Browser, bot: Playground, theme: str) -> None:
    """The choice outlives a reload."""
    page.run("localStorage.clear()")
    page.open(bot.url)
    page.wait("document.querySelector('#theme').textContent === 'Auto'")
    for _ in range(["light", "dark"].index(theme) + 1):
        page.press("#theme")
    page.open(bot.url)
    page.wait("!!document.querySelector('.welcome .example')")

    assert theme == page.run("document.documentElement.dataset.theme")
    assert theme == page.run("getComputedStyle(document.documentElement).colorScheme")


@pytest.mark.parametrize(
    ("name", "count"),
    [("texts", len(TEXTS)), ("figures", len(FIGURES)), ("press", len(PRESSABLE))],
)
@pytest.mark.parametrize("width", [1280, 390])
def test_every_block_is_drawn(
    gallery_page: Browser, name: str, count: int, width: int
) -> None:
    """Only the block that nobody knows is shown as its JSON; none is too wide."""
    page = gallery_page
    page.size(width, 860, phone=width < 500)
    write(page, f"/gpucost {name}")
    page.wait("!!document.querySelector('.message.bot .block')")

    unknown = page.run(
        "[...document.querySelectorAll('.unknown')].map(e => e.innerText)"
    )
    assert count == page.run(COUNT % ".message.bot .content > .block")
    assert ["hologram" in words for words in unknown] == [True] * (name == "texts")
    assert 0 == page.run("document.documentElement.scrollWidth - innerWidth")


def test_charts_have_a_mark_for_every_figure(gallery_page: Browser) -> None:
    """Bars, points and slices, each with its words, and the figures as a table."""
    page = gallery_page
    write(page, "/gpucost figures")
    page.wait("document.querySelectorAll('svg.chart').length === 5")

    marks = page.run(
        """[...document.querySelectorAll('svg.chart')].map((chart) =>
            chart.querySelectorAll('.bar > title').length)"""
    )
    assert [8, 3, 7, 4, 2] == marks
    assert "Jun · spot: 120" == page.run(
        TEXT.replace("innerText", "textContent") % "svg .bar title"
    )
    assert 5 == page.run(COUNT % "svg.chart[role=img][aria-label]")
    assert [] == page.run(OVERLAPS)
    page.size(390, 860, phone=True)
    page.wait(NARROW)
    assert [] == page.run(OVERLAPS)
    assert 5 == page.run(COUNT % ".figures table")


def test_a_fold_opens(gallery_page: Browser) -> None:
    """What a container holds is there for whoever wants it."""
    page = gallery_page
    write(page, "/gpucost texts")
    page.wait("!!document.querySelector('.container')")
    closed = page.run("document.querySelector('.container .section').checkVisibility()")
    page.press(".container summary")

    assert closed is False
    page.wait("document.querySelector('.container .section').checkVisibility()")


def test_a_press_that_needs_thought_is_asked_about(
    gallery_page: Browser, shown: tuple[Playground, Gallery]
) -> None:
    """Leaving it tells the bot nothing; doing it does."""
    page, gallery = gallery_page, shown[1]
    gallery.heard.clear()
    write(page, "/gpucost press")
    page.press(".message .button", "sure")
    page.press("dialog .button", "Leave it")
    page.wait(f"!({WINDOW})")
    left = [body.get("type") for body in gallery.heard]
    page.press(".message .button", "sure")
    page.press("dialog .button", "Do it")

    assert "sure" == gallery.wait("block_actions")["actions"][0]["action_id"]
    assert "block_actions" not in left


def test_a_form_is_filled_in_and_sent(
    gallery_page: Browser, shown: tuple[Playground, Gallery]
) -> None:
    """What is missing or wrong is said at its field; then everything arrives."""
    page, gallery = gallery_page, shown[1]
    gallery.heard.clear()
    write(page, "/gpucost form")
    page.wait(WINDOW)
    page.press("dialog .button", "Answer")
    missing = page.wait(TEXT % "[data-input=model] .mistake")
    page.press("[data-input=model] input")
    page.type("wrong")
    page.press("dialog .button", "Answer")
    page.wait(f"{TEXT % '[data-input=model] .mistake'} === 'No such model'")
    page.press("[data-input=model] input")
    page.type("ly named")
    page.press("[data-input=gpus] summary")
    page.press("[data-input=gpus] label", "h200")
    page.press("[data-input=pricing] label", "spot")
    page.press("dialog .button", "Answer")
    page.wait(f"!({WINDOW})")

    values = gallery.wait("view_submission")["view"]["state"]["values"]
    assert "Please fill in model." == missing
    assert "wrongly named" == values["model"]["model"]["value"]
    assert "50" == values["load"]["load"]["value"]
    assert "us" == values["region"]["region"]["selected_option"]["value"]
    assert ["h200"] == [o["value"] for o in values["gpus"]["gpus"]["selected_options"]]
    assert "spot" == values["pricing"]["pricing"]["selected_option"]["value"]
    assert "CINFRA" == values["where"]["where"]["selected_conversation"]


def test_a_reader_is_told_when_it_stops(chromium: Browser, tmp_path: Path) -> None:
    """The page says that nothing answers, and does not pretend."""
    with playing(tmp_path, Gallery().running) as playground:
        chromium.open(playground.url)
        chromium.wait("!!document.querySelector('.welcome .example')")
    chromium.wait(
        "document.querySelector('#notice').innerText.includes('still running')"
    )
    chromium.complaints.clear()
