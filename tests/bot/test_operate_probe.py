"""The probe of the image: healthy or not, said by its exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.operate.operations import operations, probed
from bot.operate.probe import probe
from bot.run.composition import compose
from tests.bot.served import free_port


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])  # noqa: S104 - bound by a test
def test_a_bot_that_answers_is_healthy(tmp_path: Path, host: str) -> None:
    """Wherever it listens, the probe asks on loopback."""
    settings = Settings(home=tmp_path, health_host=host, health_port=free_port())
    compose(settings)

    with probed(settings, operations(settings).pages):
        assert probe(settings) == ""
    assert "no answer" in probe(settings)


def test_without_a_port_there_is_nothing_to_ask(tmp_path: Path) -> None:
    """Who switched the listener off is not told that it is down."""
    assert probe(Settings(home=tmp_path, health_port=0)) == ""


def test_the_exit_code_says_it() -> None:
    """As the health check of a container reads it."""
    variables = {"PATH": os.environ["PATH"], "GPUCOST_HEALTH_PORT": str(free_port())}
    ran = subprocess.run(
        [sys.executable, "-m", "bot.operate.probe"],
        env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ran.returncode == 1
    assert "no answer" in ran.stderr


def test_a_setting_that_cannot_be_read_is_named() -> None:
    """Which variable, and what it should be; not what stands in it, nor a traceback."""
    from bot.config.settings import load_settings

    with pytest.raises(SystemExit) as ended:
        load_settings({"GPUCOST_LOG": "xoxb-here", "GPUCOST_PORT": "many"})

    said = str(ended.value)
    assert "GPUCOST_LOG: must be 'text' or 'json'" in said
    assert "GPUCOST_PORT: " in said
    assert "xoxb" not in said
