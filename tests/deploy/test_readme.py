"""The operations page tells the truth."""

import json
import re
from pathlib import Path

import pytest

from bot.config.settings import Settings
from bot.operate.logs import FAULT, FIELDS
from bot.operate.operations import operations
from bot.run.composition import compose

DEPLOY = Path(__file__).parents[2] / "deploy"
README = (DEPLOY / "README.md").read_text("utf-8")


@pytest.mark.sqlite_alone
def test_every_metric_is_in_the_table(tmp_path: Path) -> None:
    """And none that does not exist."""
    compose(Settings(home=tmp_path))
    registry = operations(Settings(home=tmp_path)).metrics.registry
    ends = {"counter": "_total"}
    real = {
        f"{family.name}{ends.get(family.type, '')}"
        for family in registry.collect()
        if family.name.startswith("gpucost_")
    }

    assert real == set(re.findall(r"`(gpucost_[a-z_]+)`", README))


def test_every_check_of_readiness_is_named(tmp_path: Path) -> None:
    """An operator who reads a reason finds its name."""
    compose(Settings(home=tmp_path))
    operate = operations(Settings(home=tmp_path))
    chunks = operate.pages(
        {"PATH_INFO": "/readyz", "REQUEST_METHOD": "GET"}, lambda *_: lambda _: None
    )
    checks = json.loads(b"".join(chunks))["checks"]

    assert {*checks, "slack", "clock"} == set(re.findall(r"`(\w+)`", _row("/readyz")))


def _row(name: str) -> str:
    (row,) = re.findall(rf"^\| `{name}` \|(.*)", README, re.MULTILINE)
    return str(row)


def test_every_field_of_a_log_line_is_named() -> None:
    """What a machine may rely on."""
    for field in (FIELDS | FAULT).values():
        assert f"`{field}`" in README


def test_the_operators_commands_are_told() -> None:
    """Whether they exist is tests/test_readme.py's."""
    typed = set(re.findall(r"`(?:GPUCOST_HOME=\S+ )?gpucost ([a-z]+)", README))

    assert {"backup", "migrate", "db", "doctor", "serve", "workspaces"} <= typed


@pytest.mark.parametrize(
    "named",
    sorted(
        set(re.findall(r"\]\(([^)#]+)", README))
        | set(re.findall(r"\bdeploy/[\w./-]+\w", README))
    ),
)
def test_every_file_that_is_named_exists(named: str) -> None:
    """Links, and paths in commands."""
    base = DEPLOY.parent if named.startswith("deploy/") else DEPLOY

    assert (base / named).exists()
