"""What core/README.md says of adding things, followed to the letter on a copy."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "core" / "README.md").read_text("utf-8")
GPU = """
[[gpu]]
id = "quokka-9"
name = "Quokka 9"
vendor = "nvidia"
family = "l40s"
architecture = "ada"
form_factor = "PCIe"
memory_gb = 96
memory_type = "GDDR7"
bandwidth_gb_s = 1800
tflops = { fp16 = 400, bf16 = 400, fp8 = 800, int8 = 800 }
link = "PCIe 5"
link_gb_s = 0
pcie_gen = 5
tdp_w = 400
compute_capability = "8.9"
sources = ["l40s"]
"""

BOUND = """
[[bound]]
prefix = "quokka-9"
low = 0.12
high = 14
seen = "1.11 (nobody, 2026-11)"
"""
PROVIDER = """
[[provider]]
id = "billabong"
name = "Billabong Cloud"
kind = "marketplace"
regions = ["au"]
aliases = ["billabong cloud"]
url = "https://billabong.example/pricing"
sources = ["https://billabong.example/pricing"]
"""

FEED = '''
"""Wallaby: one price."""

from prices.sources.payload import json_of, member
from prices.sources.rows import Quote, Rows
from prices.sources.source import SourceSpec

NAME = "wallaby"


def fetch(wire):
    yield wire.get("https://wallaby.example/prices")


def read(payload, moment):
    rows = Rows(NAME, "https://wallaby.example", moment)

    def one(row):
        rows.add(Quote(price=row["usd"], gpu=row["gpu"], provider="billabong"))

    return rows.each(member(json_of(payload)), one)


SOURCE = SourceSpec(
    name=NAME, fetch=fetch, read=read, hosts=frozenset({"wallaby.example"})
)
'''
POLL = """
import json
from datetime import UTC, datetime
from prices.sources.feeds import all_sources
from prices.sources.source import Moment
(spec,) = [one for one in all_sources({}) if one.name == "wallaby"]
payload = json.dumps([{"gpu": "Quokka9", "usd": 1.5}]).encode()
at = datetime(2026, 11, 1, tzinfo=UTC)
(point,) = spec.read(payload, Moment(at=at)).points
print(point.provider, point.gpu, point.micro_usd_per_gpu_hour)
"""
RESULT = '''
"""What the weights of a model weigh in quokkas."""

from decimal import Decimal

from core.answers.answer import Answer, Money, Way
from core.workload import Resolved


class Herd(Answer, frozen=True):
    """A herd as heavy as the weights."""

    resolved: Resolved
    quokkas: int

    @property
    def ways(self) -> tuple[Way, ...]:
        """Its fodder for a month."""
        month = Money(month=Decimal(10 * self.quokkas))
        return (Way(self, month, name="fodder"),)

    def details(self) -> dict[str, object]:
        """The herd."""
        return {"recommendation": None, "quokkas": self.quokkas}
'''
VIEW = '''
"""Quokkas, counted."""

from bot.answers.served import serving
from bot.answers.shared.page import Page
from bot.answers.shared.workload import spec_of
from bot.question.question import Answered
from bot.render.words import say
from core.answers.herd import Herd


def herd(question):
    resolved = serving(question)
    if isinstance(resolved, Answered):
        return resolved
    found = Herd(resolved, round(spec_of(resolved).model.params_b))
    return Page(question).drawn(found, _view, _why)


def _view(found, page):
    return page.answer(say("herd.verdict", quokkas=found.quokkas))


def _why(found, page):
    return page.explained([say("herd.why")])
'''
PHRASE = """
[[phrase]]
field = "wanted"
value = "quokkas"
words = ["quokka"]
pattern = 'how many quokkas'
"""
SENTENCES = """
verdict = "{quokkas} quokkas"
why = "One for each billion."
"""
RULE = """
[[rule]]
id = "no-quokkas"
stage = "advise"
title = "Quokkas are for zoos"
rationale = "They smile at everybody."
sources = ["https://billabong.example/pricing"]
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, copied, with everything added that the page tells how to add."""
    folder = tmp_path_factory.mktemp("copy")
    for room in ("bot", "core", "prices", "templates"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, folder / room, ignore=ignored)
    _append(folder / "core/reference/gpus.toml", GPU)
    _append(folder / "core/reference/providers.toml", PROVIDER)
    _append(folder / "core/reference/rules.toml", RULE)
    (folder / "prices/sources/wallaby.py").write_text(FEED)
    feeds = folder / "prices/sources/feeds.py"
    _before(feeds, "from prices.sources.source", "from prices.sources import wallaby\n")
    _after(feeds, "KEYLESS = (\n", "    wallaby.SOURCE,\n")
    drawn = folder / "templates/slack/answer.json.j2"
    verdict = "{{ b.paragraph(view.verdict, bold=true) }}"
    _before(drawn, verdict, '{{ b.paragraph("Good day: " ~ view.verdict) }},\n')
    names = folder / "bot/language/words/names.toml"
    _after(names, '"l40s" = "l40s"\n', '"quokka-9" = "quokka, quokka 9, quokka-9"\n')
    feeds = folder / "prices/naming/gpu_names.toml"
    _after(feeds, '\nl40s = "l40s"\n', 'quokka9 = "quokka9"\n')
    _before(
        feeds, "\nl40s = [", '\nquokka9 = [{ id = "quokka-9", memory_gb = [90, 97] }]'
    )
    _append(folder / "prices/naming/bounds.toml", BOUND)
    models = folder / "core/reference/models.csv"
    row = next(r for r in models.read_text().splitlines() if r[:13] == "llama-3.1-8b,")
    row = row.replace("llama-3.1-8b", "wombat-8b").replace("Llama 3.1 8B", "Wombat 8B")
    cells = row.split(",")
    cells[-4:-2] = ["wombat", ""]
    _append(models, ",".join(cells) + "\n")
    (folder / "core/answers/herd.py").write_text(RESULT)
    (folder / "bot/answers/herd").mkdir()
    (folder / "bot/answers/herd/__init__.py").write_text('"""A herd."""\n')
    (folder / "bot/answers/herd/view.py").write_text(VIEW)
    (folder / "templates/words/herd.toml").write_text(SENTENCES)
    table = folder / "bot/answers/dispatch.py"
    kind = '    "quokkas": kind("herd.view:herd"),\n'
    _after(table, "WANTED: dict[str, Wished] = {\n", kind)
    _append(folder / "bot/language/asked.toml", PHRASE)
    words = folder / "bot/language/words/en.toml"
    _after(words, '"CONC" = "', "in lockstep, ")
    return folder


def _append(file: Path, text: str) -> None:
    file.write_text(file.read_text("utf-8").rstrip("\n") + "\n" + text, "utf-8")


def _after(file: Path, anchor: str, text: str) -> None:
    before = file.read_text("utf-8")
    assert anchor in before
    file.write_text(before.replace(anchor, anchor + text, 1), "utf-8")


def _before(file: Path, anchor: str, text: str) -> None:
    before = file.read_text("utf-8")
    assert anchor in before
    file.write_text(before.replace(anchor, text + anchor, 1), "utf-8")


def asked(copy: Path, *words: str) -> str:
    """What the changed program prints."""
    ran = subprocess.run(
        [sys.executable, "-m", "bot.commands.cli", *words],
        cwd=copy,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(copy),
            "GPUCOST_HOME": str(copy / "home"),
            "GPUCOST_FEEDS": "off",
            "COLUMNS": "200",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert not ran.stderr, ran.stderr
    return ran.stdout


def test_a_gpu(copy: Path) -> None:
    """A GPU that is in the data is known by name, and sized by its figures."""
    told = asked(copy, "70b fp8 on one quokka?")

    first = told.splitlines()[0]
    assert first.startswith("Yes: Llama 3.3 70B in FP8")
    assert "fits on 1 × Quokka 9" in first


def test_a_price_of_it(copy: Path) -> None:
    """A price that calls it by its feed's name is one of it, at a provider added."""
    (copy / "own.csv").write_text("provider,gpu,price\nbillabong,Quokka9,1.11\n")
    asked(copy, "prices", "load", "own.csv", "--source", "mine")

    told = asked(copy, "price quokka 9")
    assert "$1.11" in told
    assert "Billabong Cloud" in told


def test_a_model(copy: Path) -> None:
    """A model that is in the data is answered like any other."""
    assert "Wombat 8B" in asked(copy, "wombat chat 5rps")


def test_a_word(copy: Path) -> None:
    """A word means what its neighbours mean."""
    expected = asked(copy, "parse", "8b 300 concurrent").replace("concurrent", "X")
    found = asked(copy, "parse", "8b 300 in lockstep").replace("in lockstep", "X")

    assert '"concurrency": 300' in found or "300" in found
    assert expected.split() == found.split()


def run(copy: Path, program: str) -> str:
    """What a few lines of Python print within the changed program."""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=copy,
        env={"PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert not ran.stderr, ran.stderr
    return ran.stdout


def test_a_feed(copy: Path) -> None:
    """A feed of its own file and one line is polled, and its payload read."""
    assert run(copy, POLL).split() == ["billabong", "quokka-9", "1500000"]


def test_a_rule(copy: Path) -> None:
    """A rule in the data is known by its id, with its reason."""
    asked_for = "from core.reference.rules import rules; print(rules()['no-quokkas'])"

    assert "They smile at everybody." in run(copy, asked_for)


def test_a_kind_of_answer(copy: Path) -> None:
    """Four files, and every stage holds for it: budget, year, what it cannot use."""
    told = asked(copy, "how many quokkas are 70b, under $5k a year, with 30% headroom")
    given = json.loads(asked(copy, "how many quokkas are 70b", "--json"))

    assert told.startswith("71 quokkas")
    assert "Over it: fodder $710/month" in told
    assert "Not taken into account: 30% headroom." in told
    assert (71, "ok") == (given["quokkas"], given["status"])


def test_a_template(copy: Path) -> None:
    """What a template draws besides is in every answer, and it is still a message."""
    blocks = json.loads(asked(copy, "price h100", "--blocks"))
    (spoken,) = blocks[0]["elements"][0]["elements"]

    assert spoken["text"].startswith("Good day: H100")


@pytest.mark.parametrize("how", README.split("## Adding")[1].split("\n\n")[2:])
def test_each_is_short(how: str) -> None:
    """Nothing takes more than ten lines to tell."""
    assert len(how.strip().splitlines()) <= 10
