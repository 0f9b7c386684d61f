"""Faults under a served bot: each time the asker is told, and the probes say it.

The bot runs as a process of its own behind its HTTP door, its probes on another port.
"""

import http.client
import json
import os
import resource
import shutil
import signal
import socket
import sqlite3
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest
from slack_bolt import BoltRequest, BoltResponse
from slack_sdk.signature import SignatureVerifier

from bot.run.server import PATH
from bot.slack.modals.form import CALLBACK as QUESTION_FORM
from prices.database.sqlite import SETTLED_S
from prices.records.spool import FOLDER
from prices.sources.payload import MOST_ROWS
from tests.bot.blocks import every_text
from tests.bot.fake_slack import SECRET, FakeSlack, fake_slack
from tests.bot.person import FORM, Person
from tests.bot.served import Manager, Process, command, free_port, managing, typed
from tests.faults.disks import fail, failing_disk, fill, small_disk

QUESTION = "8b chat 20rps"
LITTLE = 200_000_000
"""Bytes that a worker is left with."""
MOST_MB = 50.0
"""By which a feed may raise what the bot holds."""
LIST = b"provider,gpu,price\ncrusoe,h100-80gb-sxm,2.00\n"
PATIENCE_S = 40.0


@dataclass
class Served:
    """A bot, its files, and the Slack that it answers."""

    slack: FakeSlack
    manager: Manager
    bot: Process
    health: int

    @property
    def file(self) -> Path:
        """The database."""
        return self.manager.folder / "home" / "gpucost.sqlite3"

    def ask(self, text: str, name: str) -> str:
        """Type a command; return everything that is said to its asker."""
        hook, since = f"hook-{name.replace(' ', '-')}", len(self.slack.heard)
        assert command(self.manager.address, self.slack, text, hook) == 200
        self.slack.wait(since + 1, PATIENCE_S)
        return "\n".join(t for _, m in self.slack.heard[since:] for t in every_text(m))

    def probe(self, path: str) -> tuple[int, str]:
        """Ask a probe."""
        url = f"http://127.0.0.1:{self.health}{path}"
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode()

    def until(self, path: str, status: int) -> str:
        """Wait until a probe says something; return its words."""
        end = time.monotonic() + PATIENCE_S
        while (said := self.probe(path))[0] != status:
            assert time.monotonic() < end, (path, said)
            time.sleep(0.2)
        return said[1]


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """A bot that has answered once."""
    port = free_port()
    with fake_slack() as slack, managing(slack, folder) as manager:
        bot = manager.start(GPUCOST_HEALTH_PORT=str(port))
        made = Served(slack, manager, bot, port)
        assert "8B" in made.ask(QUESTION, "first")
        made.until("/readyz", 200)
        yield made


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """The same, its home in a folder of the test's."""
    with serving(tmp_path) as made:
        yield made


def garble(file: Path, share: float = 1.0) -> None:
    """Write noise over a share of a file's pages, the first ones spared."""
    noise, size = os.urandom(4096), file.stat().st_size
    with file.open("r+b") as out:
        for page in range(2, int(size / 4096 * share)):
            out.seek(page * 4096)
            out.write(noise)


def settled(file: Path) -> None:
    """Bring everything from the log into the file."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def delete(file: Path) -> None:
    """Take the database and its log away."""
    for part in file.parent.glob("gpucost.sqlite3*"):
        part.unlink()


def replace(file: Path) -> None:
    """Put another file in its place."""
    other = file.with_suffix(".other")
    other.write_text("this is no database\n" * 1000)
    delete(file)
    other.rename(file)


def truncate(file: Path) -> None:
    """Cut the file in the middle."""
    settled(file)
    os.truncate(file, file.stat().st_size // 3 // 4096 * 4096)


def noise(file: Path) -> None:
    """Write noise over a third of it."""
    settled(file)
    garble(file, 0.4)


def nothing_left(file: Path) -> None:
    """Empty it."""
    settled(file)
    os.truncate(file, 0)


def beside(file: Path, end: str) -> Path:
    """The log of a database, or its index."""
    return file.with_name(file.name + end)


def no_log(file: Path) -> None:
    """Take the log and its index away."""
    beside(file, "-wal").unlink()
    beside(file, "-shm").unlink()


def cut_log(file: Path) -> None:
    """Empty the log."""
    os.truncate(beside(file, "-wal"), 0)


def log_of_noise(file: Path) -> None:
    """Write noise over the log."""
    log = beside(file, "-wal")
    with log.open("r+b") as out:
        out.write(os.urandom(log.stat().st_size))


LOG_FAULTS = {"gone": no_log, "cut": cut_log, "garbled": log_of_noise}
FAULTS: dict[str, tuple[Callable[[Path], None], bool]] = {
    "deleted": (delete, True),
    "replaced": (replace, True),
    "truncated": (truncate, False),
    "garbled": (noise, False),
    "emptied": (nothing_left, False),
}
"""Each with whether only a restart helps."""


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.sqlite_alone
def test_a_broken_database_is_told_and_probed(served: Served, name: str) -> None:
    """One sentence for whoever asks; not ready; alive unless a restart would help."""
    harm, only_restart = FAULTS[name]
    shutil.copy(served.file, served.file.with_suffix(".backup"))

    harm(served.file)
    said = served.ask("settings", name)
    again = served.ask("llama-3.3-70b 7rps", f"{name} again")

    assert "That did not work" in said
    assert len(again) > 20
    assert served.until("/readyz", 503)
    assert served.probe("/healthz")[0] == (503 if only_restart else 200)


@pytest.mark.parametrize("name", LOG_FAULTS)
@pytest.mark.sqlite_alone
def test_a_broken_log_is_told_and_a_restart_mends_it(served: Served, name: str) -> None:
    """Whoever asks is answered; what was acknowledged a moment before is in the file.

    Another reader keeps the log from being copied whole, so that something is in it.
    """
    said = served.ask("settings set hours 701", "before")
    assert "701" in said
    time.sleep(2 * SETTLED_S)
    with closing(sqlite3.connect(served.file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM answers").fetchone()
        served.ask("8b chat 21rps", "last")
        time.sleep(2 * SETTLED_S)

        LOG_FAULTS[name](served.file)
        assert served.probe("/healthz")[0] == 503
        again = served.ask("llama-3.3-70b 7rps", f"{name} again")
        assert "70B" in again or "did not work" in again
        assert served.until("/readyz", 503)

    served.bot.ask_to_stop()
    assert served.bot.ended() == 0
    assert served.manager.heard() == b"STOPPING=1"
    served.bot = served.manager.start(GPUCOST_HEALTH_PORT=str(served.health))
    served.until("/readyz", 200)
    assert "701" in served.ask("settings", "after")
    assert served.probe("/healthz")[0] == 200


@pytest.mark.sqlite_alone
def test_a_database_that_is_locked_costs_seconds(served: Served) -> None:
    """Whoever holds the file keeps nobody from an answer."""
    with closing(sqlite3.connect(served.file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        said = served.ask("8b chat 40rps", "locked")

    assert "8B" in said or "locked the database" in said
    assert served.until("/readyz", 200)


@pytest.mark.sqlite_alone
def test_a_full_disk_is_told_and_probed(tmp_path: Path) -> None:
    """Questions are answered; a setting is kept or refused; not ready, and alive."""
    with small_disk(tmp_path / "home", 64) as disk, serving(tmp_path) as served:
        filling = fill(disk)

        hours, said = 700, ""
        while "did not work" not in said:  # its log may have room for some
            hours += 1
            assert hours < 740
            said = served.ask(f"settings set hours {hours}", f"full {hours}")
        assert "70B" in served.ask("llama-3.3-70b 7rps", "full again")
        assert served.until("/readyz", 503)
        assert served.probe("/healthz")[0] == 200

        filling.unlink()
        assert served.until("/readyz", 200)
        kept = "720" if hours == 701 else str(hours - 1)
        assert kept in served.ask("settings", "after")


@pytest.mark.sqlite_alone
def test_a_disk_that_turns_read_only_is_told_and_probed(tmp_path: Path) -> None:
    """Questions are answered meanwhile; what has to be kept is refused."""
    with failing_disk(tmp_path / "home", 128) as disk, serving(tmp_path) as served:
        fail(disk)

        assert "cannot be written" in served.ask("settings set hours 701", "frozen")
        said = served.ask("llama-3.3-70b 7rps", "frozen too")
        assert "70B" in said
        assert "could not save" in said
        assert "cannot be written" in served.until("/readyz", 503)
        assert served.probe("/healthz")[0] == 200


SHIFTED = """
import pathlib, time
true, by = time.time, pathlib.Path(__file__).with_name("by")
time.time = lambda: true() + float(by.read_text())
"""


def shifted(folder: Path, by: str) -> None:
    """Set the clock of a bot, at once: it never reads half a number."""
    (folder / "next").write_text(by)
    (folder / "next").rename(folder / "by")


@dataclass
class Door:
    """Where a served bot takes what is meant for its app."""

    address: tuple[str, int]

    def dispatch(self, request: BoltRequest) -> BoltResponse:
        """Bring a signed request over HTTP."""
        named = {name: values[0] for name, values in request.headers.items()}
        connection = http.client.HTTPConnection(*self.address, timeout=30)
        connection.request("POST", PATH, request.raw_body, named)
        heard = connection.getresponse()
        found = BoltResponse(status=heard.status, body=heard.read().decode())
        connection.close()
        return found


@pytest.mark.parametrize("from_start", [True, False])
def test_a_wrong_clock_is_told_to_whoever_asks(
    tmp_path: Path, from_start: bool
) -> None:
    """From the first on, whatever they did; nothing else is done until it is right."""
    shift = tmp_path / "shift"
    shift.mkdir()
    (shift / "sitecustomize.py").write_text(SHIFTED)
    shifted(shift, "4000" if from_start else "0")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with fake_slack() as slack, managing(slack, tmp_path) as manager:
        path = os.pathsep.join([str(shift), str(Path(__file__).parents[2])])
        bot = manager.start(PYTHONPATH=path, GPUCOST_HEALTH_PORT=str(port))
        served = Served(slack, manager, bot, port)
        if not from_start:
            assert "8B" in served.ask(QUESTION, "before")
            shifted(shift, "-4000")
        assert "clock" in served.until("/readyz", 503)
        assert served.probe("/healthz")[0] == 200

        status, said = typed(manager.address, slack, "7b 1rps")
        assert (200, True) == (status, b"clock" in said)
        someone = Person(Door(manager.address), slack)  # type: ignore[arg-type]
        form = {"type": "modal", "callback_id": QUESTION_FORM}
        acts: list[Callable[[], BoltResponse]] = [
            lambda: someone.happen("app_mention", text="<@UBOT> 8b 2rps", ts="1.1"),
            lambda: someone.say("8b 3rps"),
            lambda: someone.press("why", "abc"),
            lambda: someone.press_at_home("turn", ""),
            lambda: someone.shortcut("ask_gpucost"),
            lambda: someone.message_shortcut("price_this", text="8b 4rps"),
            lambda: someone.interact(type="view_submission", view=form),
        ]
        for number, act in enumerate(acts, len(slack.heard) + 1):
            assert act().status == 200
            heard = slack.wait(number, PATIENCE_S)
            assert "clock" in json.dumps(heard[-1])
        told = len(slack.heard)
        # The same once more; what nobody waits for; what another program wrote.
        assert acts[0]().status == 200
        assert someone.happen("app_home_opened", tab="home").status == 200
        assert someone.say("8b 5rps", bot_id="B1").status == 200
        age = (shift / "by").read_text()
        recorded = urlencode({"command": "/gpucost", "text": "8b 6rps"})
        assert 401 == Door(manager.address).dispatch(signed_at(recorded, age)).status
        shifted(shift, "0")
        assert "8B" in served.ask("8b 22rps", "after")
        assert len(slack.heard) == told + 1
        assert served.until("/readyz", 200)


def signed_at(body: str, ahead: str) -> BoltRequest:
    """A request that was signed by the bot's wrong clock: a recording, by Slack's."""
    stamp = str(int(time.time()) + int(ahead))
    verifier = SignatureVerifier(SECRET)
    headers = {
        "content-type": FORM,
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": verifier.generate_signature(timestamp=stamp, body=body)
        or "",
    }
    return BoltRequest(body=body, headers=headers)


def test_a_broken_template_is_told_in_plain_words(tmp_path: Path) -> None:
    """Where no message can be drawn, a sentence still comes."""
    package = tmp_path / "broken"
    shutil.copytree(Path(__file__).parents[2] / "templates", package / "templates")
    drawn = package / "templates" / "slack" / "answer.json.j2"
    drawn.write_text("{{ nothing.of.that.name }}")
    with fake_slack() as slack, managing(slack, tmp_path) as manager:
        path = os.pathsep.join([str(package), str(Path(__file__).parents[2])])
        manager.start(PYTHONPATH=path)
        assert command(manager.address, slack, QUESTION, "torn") == 200

        (said,) = slack.wait(1, PATIENCE_S)

    assert "Something went wrong" in said["text"]


def test_what_was_acknowledged_is_answered_after_a_kill(tmp_path: Path) -> None:
    """By the next process: each asker hears once, however many were waiting."""
    with fake_slack() as slack, managing(slack, tmp_path) as manager:
        bot = manager.start()
        names = [f"n{number}" for number in range(30)]
        for number, name in enumerate(names):
            text = f"70b inference {number + 1}rps"
            assert command(manager.address, slack, text, name) == 200
        bot.popen.send_signal(signal.SIGKILL)
        bot.ended()
        answered = len(slack.heard)
        manager.start()

        ends = time.monotonic() + PATIENCE_S
        while len(found := answers(slack)) < len(names) and time.monotonic() < ends:
            time.sleep(0.1)

    assert answered < len(names)
    assert len(found) == len(names)


@pytest.mark.sqlite_alone
def test_what_a_locked_database_could_not_take_outlives_a_kill(tmp_path: Path) -> None:
    """It is on the disk before it is acknowledged, and answered by the next process."""
    with fake_slack() as slack, managing(slack, tmp_path) as manager:
        bot = manager.start()
        file = tmp_path / "home" / "gpucost.sqlite3"
        waiting = file.with_name(FOLDER)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            with ThreadPoolExecutor(30) as people:
                asked = [
                    people.submit(
                        command, manager.address, slack, f"70b chat {n}rps", f"n{n}"
                    )
                    for n in range(1, 31)
                ]
                assert {each.result() for each in asked} == {200}
            bot.popen.send_signal(signal.SIGKILL)
            bot.ended()
        answered, left = len(answers(slack)), len(list(waiting.iterdir()))
        assert left >= len(asked) - answered > 0
        manager.start()

        ends = time.monotonic() + PATIENCE_S
        while len(answers(slack)) < len(asked) and time.monotonic() < ends:
            time.sleep(0.1)
        while list(waiting.iterdir()) and time.monotonic() < ends:
            time.sleep(0.1)

    assert len(answers(slack)) == len(asked)
    assert [] == list(waiting.iterdir())


def answers(slack: FakeSlack) -> set[str]:
    """The answers that were given; each question here has one of its own."""
    payloads = [
        message["metadata"]["event_payload"]
        for _, message in list(slack.heard)
        if "metadata" in message
    ]
    return {payload["answer_id"] for payload in payloads} - {""}


@dataclass
class Feed:
    """A price list on this machine, and what it does to whoever asks for it."""

    url: str
    body: bytes = LIST
    asked: int = 0
    hangs: bool = False


@contextmanager
def feeding() -> Iterator[Feed]:
    """Serve one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            feed.asked += 1
            end = time.monotonic() + PATIENCE_S
            while feed.hangs and time.monotonic() < end:
                time.sleep(0.05)
            self.send_response(200)
            self.send_header("content-length", str(len(feed.body)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(feed.body)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    feed = Feed(f"http://127.0.0.1:{server.server_address[1]}/list.csv")
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield feed
    feed.hangs = False
    server.shutdown()
    server.server_close()


def at_work(feed: Feed, bot: Process) -> int:
    """The process that a bot began to read its feeds, once it waits for one."""
    end = time.monotonic() + PATIENCE_S
    while not feed.asked:
        assert time.monotonic() < end
        time.sleep(0.05)
    found = Path(f"/proc/{bot.popen.pid}/task/").glob("*/children")
    (worker,) = (int(child) for each in found for child in each.read_text().split())
    return worker


def resident_mb(bot: Process) -> float:
    """The most memory that a process held."""
    status = Path(f"/proc/{bot.popen.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1000


def test_a_feed_worker_that_dies_costs_nobody_an_answer(tmp_path: Path) -> None:
    """It is killed at its work: the bot answers, is ready, and says what happened."""
    with feeding() as feed, fake_slack() as slack, managing(slack, tmp_path) as manager:
        feed.hangs = True
        bot = manager.start(GPUCOST_FEEDS="own list", GPUCOST_PRICE_FILES=feed.url)
        served = Served(slack, manager, bot, 0)
        os.kill(at_work(feed, bot), signal.SIGKILL)
        bot.says("feed own list: the process that read it ended with code -9")

        assert "8B" in served.ask(QUESTION, "after")
    assert "Traceback" not in bot.said()


def test_a_feed_worker_without_memory_costs_nobody_an_answer(tmp_path: Path) -> None:
    """A payload that unfolds beyond what the worker may take is refused by name."""
    with feeding() as feed, fake_slack() as slack, managing(slack, tmp_path) as manager:
        feed.hangs, feed.body = True, b"[" + b'{"":{}},' * 1_800_000 + b"0]"
        bot = manager.start(GPUCOST_FEEDS="own list", GPUCOST_PRICE_FILES=feed.url)
        served = Served(slack, manager, bot, 0)
        resource.prlimit(at_work(feed, bot), resource.RLIMIT_DATA, (LITTLE, LITTLE))
        feed.hangs = False
        bot.says("feed own list: its payload needs more memory than a feed may take")

        assert "8B" in served.ask(QUESTION, "after")


@pytest.mark.parametrize("rows", [100_000, 1_700_000])
def test_a_feed_of_short_rows_is_never_in_the_memory_of_the_bot(
    tmp_path: Path, rows: int
) -> None:
    """The worker reads it within its limits; too much ends in a clear error."""
    with feeding() as feed, fake_slack() as slack, managing(slack, tmp_path) as manager:
        feed.body = b"provider,gpu,price\n" + b"a,l4,2\n" * rows
        feed.hangs = True
        bot = manager.start(GPUCOST_FEEDS="own list", GPUCOST_PRICE_FILES=feed.url)
        served = Served(slack, manager, bot, 0)
        assert "8B" in served.ask(QUESTION, "before")
        before, feed.hangs = resident_mb(bot), False
        bot.says("feed own list:")
        said = next(
            line for line in bot.said().splitlines() if "feed own list:" in line
        )

        assert resident_mb(bot) - before <= MOST_MB
        assert (f"more than {MOST_ROWS:,} rows" in said) == (rows > MOST_ROWS)
        assert "8B" in served.ask("8b chat 25rps", "after")
