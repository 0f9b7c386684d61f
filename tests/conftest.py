"""What every test may take: the bot on shipped prices, and one flag for drawn files."""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose
from bot.run.warming import SELDOM
from bot.service.answering import Answering
from tests.engines import (
    ENGINE,
    everything_kept_by,
    forgotten,
    homes_copied,
    kept_by,
    kinds,
    stop,
)

ASKED_ON: Final = datetime(2026, 11, 21, tzinfo=UTC)
"""The day on which the shared bot is asked: within the shipped prices' months."""
COMMAND: Final = AskContext(surface="command", team_id="T1")
TERMINAL: Final = AskContext(surface="terminal")

# A test polls what it brings itself; nothing is fetched because prices are old.
os.environ["GPUCOST_FEEDS"] = "off"

settings.register_profile("same", derandomize=True)
settings.register_profile("other")
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
"""The same examples in every run; HYPOTHESIS_PROFILE=other looks for new ones."""

LONGEST: Final = (
    "tests/faults/test_served.py",
    "tests/faults/test_replicas.py",
    "tests/bot/test_operate_restart.py",
    "tests/bot/test_modifiers.py",
    "tests/bot/language/test_mutations.py",
    "tests/prices/test_team_books.py",
    "tests/bot/test_every_question.py",
    "tests/prices/test_refresh.py",
    "tests/bot/language/test_hostile.py",
    "tests/bot/test_playground.py",
    "tests/core/test_serving_calibration.py",
    "tests/bot/test_authority.py",
    "tests/bot/test_excluded.py",
    "tests/prices/test_store_contract.py",
    "tests/bot/test_secrets.py",
    "tests/bot/test_hostile_places.py",
    "tests/faults/test_migrating.py",
    "tests/prices/test_corrupted.py",
    "tests/faults/test_disk.py",
    "tests/prices/test_alerts_replay.py",
    "tests/prices/test_moving.py",
    "tests/prices/test_replay.py",
    "tests/faults/test_kills.py",
    "tests/bot/test_autumn.py",
    "tests/bot/test_same_load.py",
    "tests/test_adding.py",
    "tests/e2e/test_playground.py",
)
"""The files that take longest, the longest first, as `--durations=0` tells."""

MEMORY: Final = Path("/dev/shm")  # noqa: S108 - folders in it have names of their own
ROOM: Final = 4 << 30
"""Bytes that must be free: a run holds some hundred megabytes at a time."""


def _rest_in_memory() -> None:
    """Keep temporary files in memory where there is room.

    Tests fill a thousand databases, and on a disk every commit waits for it. A run says
    where they shall be with TMPDIR.
    """
    usable = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    if "TMPDIR" in os.environ or not usable or shutil.disk_usage(MEMORY).free < ROOM:
        return
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def _compile_once(config: pytest.Config) -> None:
    """Let every process of this run, and of the next, share what the first compiled."""
    cache = getattr(config, "cache", None)
    if "PYTHONPYCACHEPREFIX" not in os.environ and cache is not None:
        with suppress(OSError):  # a checkout that nobody may write to
            os.environ["PYTHONPYCACHEPREFIX"] = str(cache.mkdir("compiled"))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _share_out(config: pytest.Config) -> None:
    """Begin with the files that take longest, so that all processes end together.

    By itself xdist begins with those of the most tests, which are not the slow ones.
    """
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each process of a run compile a share of the tests for the others.

    Each goes through all files in one order: together they would all compile all.
    """
    config = session.config
    told = getattr(config, "workerinput", None)
    if told is None or config.args != config.getini("testpaths"):
        return
    number, count = int(told["workerid"].removeprefix("gw")), told["workercount"]
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    for file in files[number::count]:
        name = ".".join(file.relative_to(config.rootpath).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # collecting says it
            import_module(name)


def pytest_xdist_auto_num_workers() -> int:
    """A process a core and one more, as tests wait for servers and for processes."""
    return (os.cpu_count() or 1) + 1


_rest_in_memory()


def pytest_configure(config: pytest.Config) -> None:
    """Prepare what the whole run shares, its processes included."""
    _compile_once(config)
    _share_out(config)
    gc.disable()  # what is loaded and collected stays until the end


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what holds for every engine on each of them."""
    marked = metafunc.definition.get_closest_marker
    if marked("both_engines") and not marked("sqlite_alone"):
        metafunc.parametrize("kept", kinds(), indirect=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first; pass over tests of files where a server keeps all."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(_file(item), len(places)))
    if os.environ.get(ENGINE, "sqlite") != "sqlite":
        of_files = pytest.mark.skip(reason="about a file of SQLite's")
        for item in items:
            if item.get_closest_marker("sqlite_alone"):
                item.add_marker(of_files)


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


def pytest_collection_finish() -> None:
    """Look for garbage again, as the bot does, and not among all that was loaded."""
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that rewrites golden files instead of comparing them."""
    parser.addoption("--update-golden", action="store_true", default=False)


@pytest.fixture(autouse=True, scope="session")
def _server() -> Iterator[None]:
    """Let GPUCOST_TEST_ENGINE=postgresql keep every home; end what server there is."""
    with everything_kept_by(os.environ.get(ENGINE, "sqlite")):
        yield
    stop()


@pytest.fixture(autouse=True, scope="session")
def _prepared(
    _server: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Begin every new home in this process as a copy of one that was composed."""
    with homes_copied(tmp_path_factory.mktemp("prepared")):
        yield


@pytest.fixture(autouse=True)
def _connections(_server: None) -> Iterator[None]:
    with forgotten():
        yield


@pytest.fixture(autouse=True)
def kept(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the engine that a test is for keep its files."""
    with kept_by(getattr(request, "param", "sqlite")):
        yield


@pytest.fixture(scope="session")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answering]:
    """The bot on the shipped prices, as `ASKED_ON` finds it; nobody's settings.

    One for the whole run: a test that changes settings, prices or the time composes
    its own.
    """
    home = tmp_path_factory.mktemp("home")
    bot = compose(Settings(home=home), clock=lambda: ASKED_ON)
    with bot.store.engine.anchored():  # as it is served
        yield bot
