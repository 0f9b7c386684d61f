"""A workspace with the bot in it, by Socket Mode and by signed HTTP."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.local_slack import (
    BINARY,
    LocalSlack,
    Mode,
    bound_addresses,
    free_port,
    local_slack,
    running_bot,
)
from tests.e2e.local_ui import LocalUi, local_ui

LOOPBACK = "0100007F"


@pytest.fixture(scope="session", params=["socket", "events"])
def workspace(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LocalSlack]:
    """A workspace with the bot in it, by Socket Mode and by signed HTTP."""
    if not BINARY.is_file():
        pytest.skip("no local Slack: `make e2e-setup` installs it where npm is")
    mode: Mode = request.param
    folder: Path = tmp_path_factory.mktemp(mode)
    port = free_port()
    with (
        local_slack(folder, mode, port) as slack,
        running_bot(folder, slack, mode, port),
    ):
        assert {LOOPBACK} == bound_addresses(slack.port)
        assert bound_addresses(port) <= {LOOPBACK}
        yield slack


@pytest.fixture
def slack(workspace: LocalSlack) -> LocalSlack:
    """The workspace, its channel empty."""
    workspace.reset()
    return workspace


@pytest.fixture
def ui(slack: LocalSlack) -> Iterator[LocalUi]:
    """The screen of the workspace."""
    with local_ui(slack.port) as screen:
        yield screen
