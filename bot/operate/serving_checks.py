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
    what = f"HTTP mode would listen on {where} ({VARIABLES['port']})"
    # Without a signing secret there is no HTTP mode, wherever it would listen.
    if _is_loopback(settings.host) or not settings.slack_signing_secret:
        return CheckResult(True, what)
    return CheckResult(
        False,
        f"{what}, open to the network and without TLS",
        "Put a proxy that speaks TLS before it, and let it pass /slack/ alone.",
        fatal=False,
    )


def _bot(settings: Settings) -> CheckResult:
    if not settings.health_port:
        name = VARIABLES["health_port"]
        return CheckResult(True, f"no probes and no metrics ({name}=0)", fatal=False)
    host, port = asked_at(settings)
    try:
        serves, checks = _checks(host, port)
    except (OSError, http.client.HTTPException, ValueError):
        return CheckResult(True, f"no bot serves here: nobody answers on {host}:{port}")
    if serves != served_as(settings.database):
        what = f"another bot answers on {host}:{port}, with another database than this"
        mend = f"Give one of them a {VARIABLES['health_port']} of its own."
        return CheckResult(False, what, mend, fatal=False)
    wrong = [f"{name}: {said}" for name, said in checks.items() if said != "ok"]
    if not wrong:
        return CheckResult(
            True, f"a bot serves and is ready (http://{host}:{port}/readyz)"
        )
    what = f"a bot serves and is not ready: {'; '.join(wrong)}"
    return CheckResult(False, what, "Its log says more.", fatal=False)


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
    what = f"logs as {settings.log}, from the level {settings.log_level}"
    if settings.log_level != "debug":
        return CheckResult(True, what)
    name = VARIABLES["log_level"]
    mend = f"What people ask stands in the log: unset {name} once you have seen enough."
    return CheckResult(False, what, mend, fatal=False)


def _copy(file: Path, environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Say whether Litestream copies, where it is set up or once was."""
    # Litestream keeps what it has not sent yet in a folder of this name.
    kept = file.parent / f".{file.name}-litestream"
    if not kept.is_dir():
        if environment.get(COPY_URL):
            mend = "Start it: `litestream replicate -config deploy/litestream.yml`."
            what = f"{COPY_URL} is set, and Litestream never ran on this database"
            yield CheckResult(False, what, mend, fatal=False)
        return
    behind = _changed(file) - _copied(kept)
    if behind < COPIES_WITHIN_S:
        yield CheckResult(True, "Litestream copies the database")
        return
    what = f"Litestream is {behind / 60:.0f} min behind the database"
    yield CheckResult(False, what, "Is it running? Its own log says why.", fatal=False)


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
