"""The front door and the pages behind it tell the truth."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bot.alerts.service import alert_service
from bot.commands.cli import COMMANDS, main
from bot.config.settings import VARIABLES, Settings
from bot.language.parse import parse
from bot.question.asking import AskContext
from bot.render.glance import at_a_glance
from bot.render.terminal import draw
from bot.run.app import build_app
from bot.run.composition import compose
from core.estimate.interface import estimate_line
from core.reference.load import reference
from tests.bot.blocks import check_message
from tests.bot.conftest import settings_for
from tests.bot.fake_slack import FakeSlack, fake_slack
from tests.bot.person import Person
from tests.e2e.local_slack import wait_for
from tests.each import each

ROOT = Path(__file__).parent.parent
FRONT, BOT = ROOT / "README.md", ROOT / "bot/README.md"
BEHIND = ("core", "prices", "deploy", "deploy/screenshots", "tests/bench")
PAGES = [
    FRONT,
    BOT,
    *(ROOT / folder / "README.md" for folder in BEHIND),
    *(ROOT / "deploy" / name for name in ("upkeep.md", "SECURITY.md")),
    ROOT / "CHANGELOG.md",
]
TEXTS = {page: page.read_text("utf-8") for page in PAGES}
README, EVERYTHING = TEXTS[FRONT], "\n".join(TEXTS.values())
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
SHOWN = re.compile(r"<!-- answer: (.+?) -->\n```\n(.*?)```", re.DOTALL)
FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
ASKED_ON = datetime(2026, 11, 21, tzinfo=UTC)
MOST_WORDS = 1_500
"""Four minutes of reading."""


def answer(question: str, home: Path) -> str:
    """What the terminal prints for a question, 80 columns wide, on a fixed day."""
    answering = compose(Settings(home=home), clock=lambda: ASKED_ON)
    view = answering.ask(question, context=AskContext(surface="terminal"))
    page = StringIO()
    draw(at_a_glance(view), Console(file=page, width=80))
    lines = (line.rstrip() for line in page.getvalue().splitlines())
    return "\n".join(lines) + "\n"


def test_the_answers_shown_are_what_it_answers(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Every answer in the README is the one that the shipped prices give."""
    found = SHOWN.findall(README)
    assert found
    if request.config.getoption("--update-golden"):
        _write_answers(tmp_path)
        return
    for question, shown in found:
        assert answer(question, tmp_path) == shown


def _write_answers(home: Path) -> None:
    text = SHOWN.sub(
        lambda m: f"<!-- answer: {m[1]} -->\n```\n{answer(m[1], home)}```", README
    )
    FRONT.write_text(text, "utf-8")


def test_the_front_door_is_read_in_four_minutes() -> None:
    """What is longer stands on the page of its room."""
    assert len(README.split()) <= MOST_WORDS


@each([name for name in COMMANDS if name])
def test_every_command_is_named(command: str) -> None:
    """A command that no page names does not exist for a reader."""
    assert f"`gpucost {command}" in TEXTS[BOT]


def variables() -> set[str]:
    """Every variable that the code reads; those of its own processes are not set."""
    code = "\n".join(
        file.read_text("utf-8")
        for room in ("bot", "prices")
        for file in (ROOT / room).rglob("*.py")
    )
    ours = re.compile(
        r"\"((?:GPUCOST_[A-Z_]+)|(?:[A-Z]+_API_KEY)|DIGITALOCEAN_TOKEN)\""
    )
    return {*VARIABLES.values(), *ours.findall(code)} - {"GPUCOST_FOLLOWS"}


@each(sorted(variables()))
def test_every_setting_is_named(variable: str) -> None:
    """So with settings, on the operator's page."""
    assert f"`{variable}" in TEXTS[ROOT / "deploy/README.md"]


def test_every_setting_that_is_named_exists() -> None:
    """None is left over from another version."""
    named = set(re.findall(r"\b(?:GPUCOST|SLACK)_[A-Z_]+", _but_for("prices")))
    # Any secret may stand in a file.
    left_over = {name.removesuffix("_FILE") for name in named} - variables()
    assert set() == left_over


def _but_for(room: str) -> str:
    """All pages but one, which tells of a variable of the tests too."""
    return "\n".join(text for page, text in TEXTS.items() if page.parent.name != room)


def test_every_make_target_exists_and_says_what_it_is_for() -> None:
    """Each that a page names is in the Makefile; each there is named or explained."""
    named = set(re.findall(r"`make ([\w-]+)|^make ([\w-]+)", EVERYTHING, re.MULTILINE))
    targets = set(re.findall(r"^([a-z][\w-]+):", MAKEFILE, re.MULTILINE))
    explained = set(re.findall(r"^# .*\n([a-z][\w-]+):", MAKEFILE, re.MULTILINE))
    plain = {"setup", "format", "lock", "clean"}

    named_targets = {one or other for one, other in named}
    assert named_targets <= targets
    assert targets - plain <= named_targets | explained


def anchors(page: Path) -> set[str]:
    """The headings of a page as a link names them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links() -> Iterator[tuple[Path, str]]:
    """Every link of every page to another file, or within itself."""
    for page, text in TEXTS.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", text)):
            if not target.startswith("https://"):
                yield page, target


@each([(str(page.relative_to(ROOT)), to) for page, to in links()])
def test_every_link_leads_somewhere(page: str, target: str) -> None:
    """To a file that exists, and to a heading that stands on it."""
    name, _, heading = target.partition("#")
    file = (ROOT / page).parent / name if name else ROOT / page

    assert file.exists()
    assert not heading or heading in anchors(file)


@each([p.relative_to(ROOT) for p in PAGES[2:]])
def test_every_page_is_reached_from_the_front(page: Path) -> None:
    """By one press."""
    assert f"({page})" in README or f"({page.parent})" in README


def typed() -> list[str]:
    """Every command of the terminal that a page shows, without what follows it."""
    blocks = "\n".join(body for kind, body in FENCED.findall(EVERYTHING) if kind)
    inline = re.findall(r"`gpucost ([a-z][^`]*)`", FENCED.sub("", EVERYTHING))
    shown = re.findall(r"^(?:\w+=\S+ )*gpucost ([a-z][^#|<\n]*)", blocks, re.MULTILINE)
    # Further ones of the same group are written without the program's name.
    short = re.findall(r"`((?:prices|alerts|workspaces) [a-z][^`]*)`", TEXTS[BOT])
    return sorted({each.strip() for each in (*inline, *shown, *short)})


@pytest.mark.parametrize("words", typed())
def test_every_command_shown_is_understood(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It exists, and so does every option that it is shown with."""
    name, *rest = words.split()
    grouped = name in ("prices", "alerts", "db", "workspaces")
    verb = [word for word in rest[:1] if grouped and word.islower()]
    assert name in COMMANDS
    with pytest.raises(SystemExit) as left:
        main([name, *verb, "--help"])

    told = capsys.readouterr().out
    assert left.value.code == 0
    assert all(option in told for option in rest if option.startswith("--"))


READING = (
    "prices show h100 --spot",
    "prices history h100 lambda",
    "prices quarantine",
    "prices sources",
    "prices health",
    "alerts list --json",
    "sources X-035",
    "workspaces",
)


@pytest.mark.parametrize("words", READING)
def test_what_only_reads_works_on_a_fresh_machine(
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As it is shown."""
    assert words in typed()
    monkeypatch.setenv("GPUCOST_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    assert main(words.split()) == 0
    assert capsys.readouterr().err == ""


def test_every_field_of_an_estimate_is_one() -> None:
    """The example is answered; each named field is read: another kind is refused."""
    (example,) = (body for kind, body in FENCED.findall(TEXTS[BOT]) if kind == "json")
    given = json.loads(example)
    rows = re.findall(r"^\| `(serve|train)`.*?\| (.+) \|$", TEXTS[BOT], re.MULTILINE)
    values = {"offline", "server", "static"}

    assert "error" not in estimate_line(given, reference())
    for task, fields in rows:
        known = {"task": task, "num_gpus": 8} | given
        for field in set(re.findall(r"`(\w+)`", fields)) - values:
            line: dict[str, object] = known | {field: []}
            if field.endswith("params_b"):  # read only where no name is known
                line.pop("model")
                line.setdefault("params_b", 8)
            assert "error" in estimate_line(line, reference()), field


def questions() -> list[str]:
    """Every question that the tables tell people to ask."""
    found = []
    for page, title in ((FRONT, "## What to ask"), (BOT, "## More to ask")):
        table = TEXTS[page].split(title)[1].split("\n\n")[1]
        found += re.findall(r"`([^`]+)`", table)
    return found


@pytest.mark.parametrize("question", questions())
def test_every_example_is_answered(question: str, tmp_path: Path) -> None:
    """An example is read and answered."""
    assert parse(question, reference()).clarify is None
    view = compose(Settings(home=tmp_path)).ask(
        question, context=AskContext(surface="terminal")
    )

    assert view.kind in ("answer", "no")


def commands() -> list[str]:
    """Every slash command that is shown with words of its own."""
    shown = re.findall(r"`/gpucost ([a-z0-9][^`]*)`", README + TEXTS[BOT])
    conditions = TEXTS[BOT].split("alert's condition")[1].split("\n\n")[0]
    alerts = [f"alert {each}" for each in re.findall(r"`([^`]+)`", conditions)]
    return [each for each in dict.fromkeys(shown) if "ID" not in each] + alerts


SAID = {
    "alert": "is on:|watches",
    "watch": "is on:",
    "digest": "is on:",
    "settings": "Settings of",
    "setprice": r"\$2\.10",
    "help": "Ask which GPUs",
}
"""What an answer to such a command holds; any other holds a price."""


def replies(slack: FakeSlack) -> list[dict[str, Any]]:
    """What whoever typed was answered; the channel hears of new alerts besides."""
    return [message for name, message in slack.heard if name == "/hook"]


def test_every_slash_command_does_what_is_said(tmp_path: Path) -> None:
    """Each typed in one workspace, in the order of the page."""
    wanted = commands()
    assert len(wanted) > 20
    with fake_slack() as slack:
        settings = settings_for(slack, tmp_path, user_rate=0)
        service = alert_service(settings, compose(settings, lambda: ASKED_ON))
        app = build_app(
            settings, service.answering, service.for_slack(), lambda: ASKED_ON
        )
        person = Person(app, slack)
        for number, words in enumerate(wanted, 1):
            person.command(words)
            reply = wait_for(lambda n=number: replies(slack)[n - 1 :], words)[0]
            check_message(reply["blocks"], reply["text"])
            expected = SAID.get(words.split()[0], r"\$")
            assert re.search(expected, reply["text"]), reply["text"]
        app.listener_runner.listener_executor.shutdown(wait=True)


def test_the_accuracy_shown_is_part_of_the_whole_table() -> None:
    """The short table's rows stand in the page of the formulas, figure by figure."""

    def rows(page: Path) -> set[str]:
        part = TEXTS[page].split("How good the estimates are")[1]
        return set(re.findall(r"^\| .* %.*$", part.split("\n#")[0], re.MULTILINE))

    assert len(rows(FRONT)) >= 5
    assert rows(FRONT) < rows(ROOT / "core/README.md")
