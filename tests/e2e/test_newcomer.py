"""From the README's five steps to a first answer, and the same by the Slack CLI."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.local_slack import (
    BINARY,
    SERVE,
    LocalSlack,
    free_port,
    local_slack,
    running,
    wait_for,
)
from tests.e2e.reading import heard

ROOT = Path(__file__).parents[2]
STEPS = (ROOT / "README.md").read_text("utf-8").split("## Slack in five steps")[1]
TOKENS = {"SLACK_BOT_TOKEN": "xoxb-test-token", "SLACK_APP_TOKEN": "xapp-test-token"}


@pytest.fixture
def slack(tmp_path: Path) -> Iterator[LocalSlack]:
    """A workspace in which the app was made, and nothing runs yet."""
    if not BINARY.is_file():
        pytest.skip("no local Slack: `make e2e-setup` installs it where npm is")
    with local_slack(tmp_path, "socket", free_port()) as workspace:
        yield workspace


def bare(folder: Path, slack: LocalSlack) -> dict[str, str]:
    """The environment of somebody who has set nothing for this program."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GPUCOST_HOME": str(folder / "home"),
        "GPUCOST_FEEDS": "off",
        "SLACK_API_URL": f"{slack.url}/api/",
    }


def first_answer(slack: LocalSlack) -> str:
    """Ask what the last step says."""
    question = re.search(r"^5\. .*`/gpucost ([^`]+)`", STEPS, re.MULTILINE)
    assert question
    wait_for(slack.connected, "the bot")
    slack.command(question[1])
    return str(heard(slack)["text"])


def test_five_steps_lead_to_an_answer(tmp_path: Path, slack: LocalSlack) -> None:
    """Tokens in a file named `.env`, as it says, and the command of step 4."""
    named = dict(re.findall(r"`(SLACK_\w+)=(xox\w-|xapp-)…`", STEPS))
    assert {name: token[:5] for name, token in TOKENS.items()} == named
    lines = [f"{name}={TOKENS[name]}" for name in named]
    (tmp_path / ".env").write_text("\n".join(lines) + "\n")

    with running(SERVE, tmp_path, bare(tmp_path, slack)):
        assert "/month" in first_answer(slack)


def test_slack_run_leads_there_too(tmp_path: Path, slack: LocalSlack) -> None:
    """Its start hook is the command of step 4, with the tokens that the CLI made."""
    hooks = json.loads((ROOT / ".slack/hooks.json").read_text())["hooks"]
    assert f"4. `{hooks['start']}`" in STEPS
    made = {"SLACK_CLI_XOXB": "xoxb-test-token", "SLACK_CLI_XAPP": "xapp-test-token"}

    with running(SERVE, tmp_path, bare(tmp_path, slack) | made):
        assert "/month" in first_answer(slack)


def test_step_four_serves() -> None:
    """What these tests start is what `make slack` starts."""
    recipe = re.search(
        r"^slack: .*\n\t@?(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE
    )

    assert recipe
    assert recipe[1] == "$(BIN)/gpucost serve"
    assert SERVE[1:] == ["-m", "bot.commands.cli", "serve"]
