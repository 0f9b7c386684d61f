"""What the doctor says of serving: transports, probes, logs and Litestream's copy."""

import http.client
import ipaddress
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from bot.config.check_result import CheckResult
from bot.config.settings import VARIABLES, Settings
from bot.operate.probe import SECONDS, asked_at
from bot.operate.readiness import served_as
from core.wording import say

COPY_URL: Final = "LITESTREAM_REPLICA_URL"
COPIES_WITHIN_S: Final = 120.0


def serving(
    settings: Settings, environment: Mapping[str, str]
) -> Iterator[CheckResult]:
    """Look at everything around a serving bot; none of it keeps one from answering."""
    yield _transport(settings)
    yield _bot(settings)
    yield _logs(settings)
    if settings.database.is_file:
        yield from _copy(settings.database.file, environment)


def _transport(settings: Settings) -> CheckResult:
    where = f"{settings.host}:{settings.port}"
    what = say("operate.listens", where=where, variable=VARIABLES["port"])
    # Without a signing secret there is no HTTP mode, wherever it would listen.
    if _is_loopback(settings.host) or not settings.slack_signing_secret:
        return CheckResult(True, what)
    return CheckResult(
        False,
        say("operate.open", what=what),
        say("operate.needs_proxy"),
        fatal=False,
    )


def _bot(settings: Settings) -> CheckResult:
    if not settings.health_port:
        none = say("operate.no_probes", variable=VARIABLES["health_port"])
        return CheckResult(True, none, fatal=False)
    host, port = asked_at(settings)
    try:
        serves, checks = _checks(host, port)
    except (OSError, http.client.HTTPException, ValueError):
        return CheckResult(True, say("operate.nobody", where=f"{host}:{port}"))
    if serves != served_as(settings.database):
        what = say("operate.another_bot", where=f"{host}:{port}")
        mend = say("operate.part_ports", variable=VARIABLES["health_port"])
        return CheckResult(False, what, mend, fatal=False)
    wrong = [f"{name}: {said}" for name, said in checks.items() if said != "ok"]
    if not wrong:
        ready = say("operate.ready", where=f"{host}:{port}")
        return CheckResult(True, ready)
    what = say("operate.not_ready", wrong="; ".join(wrong))
    return CheckResult(False, what, say("operate.see_its_log"), fatal=False)


def _checks(host: str, port: int) -> tuple[str, dict[str, str]]:
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", "/readyz")
        said = json.loads(connection.getresponse().read(65_536))
    finally:
        connection.close()
    if not isinstance(said, dict) or not isinstance(said.get("checks"), dict):
        raise ValueError("another program answers")
    checks = {str(name): str(value) for name, value in said["checks"].items()}
    return str(said.get("serves", "")), checks


def _logs(settings: Settings) -> CheckResult:
    what = say("operate.logs", form=settings.log, level=settings.log_level)
    if settings.log_level != "debug":
        return CheckResult(True, what)
    mend = say("operate.log_tells", variable=VARIABLES["log_level"])
    return CheckResult(False, what, mend, fatal=False)


def _copy(file: Path, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Say whether Litestream copies, where it is set up or once was."""
    # Litestream keeps what it has not sent yet in a folder of this name.
    kept = file.parent / f".{file.name}-litestream"
    if not kept.is_dir():
        if environment.get(COPY_URL):
            what = say("operate.never_copied", variable=COPY_URL)
            yield CheckResult(False, what, say("operate.start_copy"), fatal=False)
        return
    behind = _changed(file) - _copied(kept)
    if behind < COPIES_WITHIN_S:
        yield CheckResult(True, say("operate.copies"))
        return
    what = say("operate.copy_behind", hours=behind / 3600)
    yield CheckResult(False, what, say("operate.copy_log"), fatal=False)


def _changed(file: Path) -> float:
    """When a database was last written; what was written just now may still wait."""
    parts = [part for part in (file, Path(f"{file}-wal")) if part.exists()]
    newest = max((part.stat().st_mtime for part in parts), default=0.0)
    return min(newest, time.time())


def _copied(kept: Path) -> float:
    return max(path.stat().st_mtime for path in (kept, *kept.rglob("*")))


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
