"""Litestream copies the database out, and fills an empty folder from the copy."""

import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.question.asking import AskContext
from bot.run.composition import compose

DEPLOY = Path(__file__).parents[2] / "deploy"
LITESTREAM = os.environ.get("LITESTREAM") or shutil.which("litestream") or ""
CONTEXT = AskContext(surface="command", team_id="T1")

pytestmark = pytest.mark.skipif(
    not LITESTREAM,
    reason="litestream is not on the PATH, nor named by LITESTREAM: no copy is made",
)


def run(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    """Start Litestream on the shipped configuration, its metrics on loopback."""
    config = folder / "litestream.yml"
    shipped = (DEPLOY / "litestream.yml").read_text()
    config.write_text(shipped.replace('":9090"', '"127.0.0.1:0"'))
    return subprocess.Popen(
        [LITESTREAM, words[0], "-config", str(config), *words[1:]],
        env={
            "GPUCOST_HOME": str(folder / "data"),
            "LITESTREAM_REPLICA_URL": f"file://{folder}/backup",
        },
    )


def restore(folder: Path) -> int:
    """Do as the container does that comes first."""
    words = ("-if-db-not-exists", "-if-replica-exists")
    return run(folder, "restore", *words, str(folder / "data/gpucost.sqlite3")).wait(30)


@contextmanager
def copying(folder: Path) -> Iterator[None]:
    """Copy every change out, until somebody pulls the plug."""
    process = run(folder, "replicate")
    try:
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def test_a_lost_volume_comes_back(tmp_path: Path) -> None:
    """Killed, its volume lost, the next start finds the answers of a moment before."""
    (tmp_path / "data").mkdir()
    settings = Settings(home=tmp_path / "data")
    assert restore(tmp_path) == 0  # nothing to restore yet is no fault
    answers = compose(settings)
    with copying(tmp_path):
        time.sleep(2)
        kept = answers.ask("70b inference 50rps", context=CONTEXT)
        time.sleep(3)
    for file in (tmp_path / "data").iterdir():
        shutil.rmtree(file) if file.is_dir() else file.unlink()

    assert restore(tmp_path) == 0

    with sqlite3.connect(settings.database.file) as connection:
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    assert sound == "ok"
    assert compose(settings).recall(kept.id, context=CONTEXT) == kept


def test_a_volume_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    """A restart restores nothing over what is newer."""
    (tmp_path / "data").mkdir()
    settings = Settings(home=tmp_path / "data")
    kept = compose(settings).ask("70b inference 50rps", context=CONTEXT)

    assert restore(tmp_path) == 0
    assert compose(settings).recall(kept.id, context=CONTEXT) == kept
