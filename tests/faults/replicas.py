"""Replicas that share a PostgreSQL server alone: killed, cut off, restarted, updated.

    python -m tests.faults.replicas [--replicas 3] [--kills 60] [--restarts 5]
                                    [--rolls 2]

People type commands and mention the bot; alerts wait in the outbox. Replicas listen
on one socket, as behind a load balancer. They are killed and started anew, the server
falls over, and each replica is replaced in an orderly way. Slack repeats an event that
was not acknowledged, and never a command. Whatever was acknowledged is answered; what
is answered twice was answered the first time by a replica that was killed, or whose
server fell over, before it could note it: that is the window which Slack leaves.
"""

import argparse
import http.client
import json
import random
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bot.run.server import PATH
from core.alerts.letters import Address, Letter
from prices.alerts.subscriptions import SubscriptionBook
from prices.database.connection import DatabaseError, Engine
from prices.database.opening import engine_at
from tests import engines
from tests.bot.fake_slack import FakeSlack, fake_slack, signed
from tests.bot.served import Manager, Process, command, managing

ASKERS: Final = 3
PAUSE_S: Final = 0.5
WINDOW_S: Final = 3.0
"""An answer that is posted so soon before a kill may not be noted yet."""
PATIENCE_S: Final = 150.0
ALERTS_EVERY_S: Final = 2.0
JSON: Final = "application/json"


@dataclass
class Told:
    """What Slack heard, by the question or alert that it belongs to."""

    at: "defaultdict[str, list[float]]" = field(
        default_factory=lambda: defaultdict(list)
    )

    def note(self, message: dict[str, Any]) -> tuple[int, str]:
        """Take a message of the bot's."""
        payload = (message.get("metadata") or {}).get("event_payload") or {}
        name = message.get("thread_ts") or payload.get("mark") or ""
        if name:
            self.at[str(name)].append(time.monotonic())
        return 200, "ok"


@dataclass
class Outcome:
    """What came of it all."""

    asked: int = 0
    acknowledged: int = 0
    failed_commands: int = 0
    failed_while_rolling: int = 0
    alerts: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    in_window: int = 0
    kills: int = 0
    restarts: int = 0
    rolls: int = 0
    seconds: float = 0.0


class Fleet:
    """Replicas on one socket, and people who ask them."""

    def __init__(self, slack: FakeSlack, manager: Manager, server: str) -> None:
        self.slack, self.manager, self.server = slack, manager, server
        self.told, self.outcome = Told(), Outcome()
        slack.refuse = self.told.note
        self.expected: set[str] = set()
        """What was acknowledged, by what its answer carries."""
        self.troubles: list[float] = []
        """When a replica was killed, or the server fell over."""
        self.rolling = False
        self.bots: list[Process] = []
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._numbers = iter(range(1, 1_000_000))

    def start(self) -> None:
        """Start one more replica."""
        self.bots.append(
            self.manager.start(GPUCOST_DATABASE=self.server, GPUCOST_TEAM_RATE="0")
        )

    def kill(self, victim: Process) -> None:
        """End a replica without a word, and start another."""
        self.troubles.append(time.monotonic())
        victim.popen.kill()
        victim.popen.wait()
        self.bots.remove(victim)
        self.start()
        self.outcome.kills += 1

    def fall_over(self) -> None:
        """Let the server fall over; until it is back, nothing can be noted."""
        self.troubles.append(time.monotonic())
        engines.restart()
        self.troubles.append(time.monotonic())
        self.outcome.restarts += 1

    def roll(self) -> None:
        """Replace every replica: a new one first, then an old one is told to stop."""
        self.rolling = True
        for old in list(self.bots):
            self.start()
            self.bots.remove(old)
            old.ask_to_stop()
            assert old.ended() == 0, old.said()[-3000:]
            assert self.manager.heard() == b"STOPPING=1"
        self.rolling = False
        self.outcome.rolls += 1

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Let people ask, and alerts come, until the block ends."""
        work = [self._ask] * ASKERS + [self._alert]
        threads = [threading.Thread(target=each, daemon=True) for each in work]
        for each in threads:
            each.start()
        try:
            yield
        finally:
            self._over.set()
            for each in threads:
                each.join()

    def settled(self) -> None:
        """Wait until all is answered; note what never is, and what is twice."""
        end = time.monotonic() + PATIENCE_S
        while self._missing() and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(WINDOW_S)  # what comes twice comes late
        self.outcome.lost = sorted(self._missing())
        for name, times in sorted(self.told.at.items()):
            if len(times) > 1:
                first = min(times)
                close = any(-0.1 <= t - first <= WINDOW_S for t in self.troubles)
                self.outcome.in_window += close
                if not close:
                    self.outcome.doubled.append(name)

    def _missing(self) -> set[str]:
        return {name for name in set(self.expected) if not self.told.at.get(name)}

    def _ask(self) -> None:
        while not self._over.is_set():
            with self._lock:
                number = next(self._numbers)
                self.outcome.asked += 1
            (self._mention if number % 2 else self._command)(number)
            time.sleep(PAUSE_S)

    def _command(self, number: int) -> None:
        """Type a command, which Slack brings once."""
        rolling = self.rolling
        try:
            hook = f"{number}"
            text = f"8b chat {number}rps"
            status = command(self.manager.address, self.slack, text, hook)
        except (OSError, http.client.HTTPException):
            status = 0
        if status == 200:
            self.outcome.acknowledged += 1
            self.expected.add(f"/hook/{number}")
        else:
            self.outcome.failed_commands += 1
            self.outcome.failed_while_rolling += rolling and self.rolling

    def _mention(self, number: int) -> None:
        """Mention the bot; what is not acknowledged comes again, to whomever."""
        ts = f"1700000000.{number:06d}"
        event = {
            "type": "app_mention", "user": f"U{number}", "channel": f"C{number}",
            "ts": ts, "event_ts": ts, "text": f"<@UBOT> 8b chat {number}rps",
        }  # fmt: skip
        body = json.dumps(
            {
                "type": "event_callback",
                "team_id": "T1",
                "event": event,
                "event_id": f"Ev{number}",
                "api_app_id": "A1",
                "authorizations": [{"team_id": "T1", "user_id": "UBOT"}],
            }
        )
        for wait in (0.1, 2.0, 5.0, 10.0):
            try:
                at = http.client.HTTPConnection(*self.manager.address, timeout=3)
                at.request("POST", PATH, body, signed(body, JSON))
                if at.getresponse().status == 200:
                    self.outcome.acknowledged += 1
                    self.expected.add(ts)
                    return
            except (OSError, http.client.HTTPException):
                pass
            finally:
                at.close()
            time.sleep(wait)

    def _alert(self) -> None:
        """Queue messages as a poll does, each for a channel of its own."""
        engine = engine_at(self.server, self.manager.folder)
        outbox = SubscriptionBook(engine).outbox
        while not self._over.wait(ALERTS_EVERY_S):
            number = self.outcome.alerts
            letter = Letter(kind="trouble", text=f"alert {number}", at=_now())
            place = Address(team_id="T1", channel_id=f"CA{number}")
            try:
                outbox.add([(place, letter, f"alert {number}")])
            except DatabaseError:  # whether it was queued, the same name tells
                continue
            mark = _mark(engine, f"alert {number}")
            self.expected |= {mark} - {""}
            self.outcome.alerts += 1


def _mark(engine: Engine, once: str) -> str:
    while True:
        try:
            with engine.reading() as connection:
                row = connection.execute(
                    "SELECT mark FROM outbox WHERE once = ?", (once,)
                ).fetchone()
            return str(row[0]) if row else ""
        except DatabaseError:
            time.sleep(0.2)


def _now() -> datetime:
    return datetime.now(UTC)


def run(replicas: int, kills: int, restarts: int, rolls: int, seed: int = 7) -> Outcome:
    """Put a fleet through all of it."""
    chance = random.Random(seed)  # noqa: S311 - which replica is killed
    acts = ["kill"] * kills + ["fall over"] * restarts + ["roll"] * rolls
    chance.shuffle(acts)
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory() as folder,
        engines.kept_by("postgresql"),
        fake_slack() as slack,
        managing(slack, Path(folder), PATIENCE_S) as manager,
    ):
        engine = engines.engine_of(Path(folder) / "replicas")
        fleet = Fleet(slack, manager, getattr(engine, "url"))  # noqa: B009 - of one kind
        _name_hooks(slack, fleet)
        for _ in range(replicas):
            fleet.start()
        with fleet.asked():
            for act in acts:
                time.sleep(chance.uniform(0.3, 1.2))
                if act == "kill":
                    fleet.kill(chance.choice(fleet.bots))
                elif act == "roll":
                    fleet.roll()
                else:
                    fleet.fall_over()
            time.sleep(1.0)
        fleet.settled()
        engine_at(fleet.server, manager.folder).close()  # type: ignore[attr-defined]
        fleet.outcome.seconds = round(time.monotonic() - began, 1)
        return fleet.outcome


def _name_hooks(slack: FakeSlack, fleet: Fleet) -> None:
    """Tell answers to commands apart by the address that they came to."""
    hear = slack.hear

    def heard(path: str, message: dict[str, Any]) -> tuple[int, str] | None:
        if path.startswith("/hook/") and "Working it out" not in str(message["text"]):
            fleet.told.at[path].append(time.monotonic())
        return hear(path, message)

    slack.hear = heard  # type: ignore[method-assign]


def main() -> int:
    """Run it, and say what came of it; 1: something was lost or doubled."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--restarts", type=int, default=5)
    parser.add_argument("--rolls", type=int, default=2)
    options = parser.parse_args()
    try:
        found = run(options.replicas, options.kills, options.restarts, options.rolls)
    finally:
        engines.stop()
    sys.stdout.write(json.dumps(vars(found), indent=2) + "\n")
    return 1 if found.lost or found.doubled or found.failed_while_rolling else 0


if __name__ == "__main__":
    sys.exit(main())
