"""Only what Slack signed, and signed just now, is heard."""

import json
import time
from email.utils import formatdate
from urllib.parse import urlencode

import pytest
from slack_bolt import BoltRequest
from slack_sdk.signature import SignatureVerifier

from bot.operate.signatures import LASTS_S, Signatures
from bot.operate.slack_time import FRESH_S, SlackTime
from tests.bot.conftest import Workspace
from tests.bot.fake_slack import SECRET
from tests.bot.person import FORM

FIELDS = {
    "command": "/gpucost",
    "text": "70b inference 50rps",
    "team_id": "T1",
    "channel_id": "C1",
    "user_id": "U1",
    "trigger_id": "trigger.replayed",
}


def body(workspace: Workspace, **more: str) -> str:
    """A command as Slack writes it."""
    return urlencode(FIELDS | {"response_url": workspace.person.hook} | more)


def headers(said: str, *, age: float = 0, secret: str = SECRET) -> dict[str, str]:
    """The headers of a body that was signed so many seconds ago."""
    stamp = str(int(time.time() - age))
    signature = SignatureVerifier(secret).generate_signature(timestamp=stamp, body=said)
    return {
        "content-type": FORM,
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": signature or "",
    }


def sent(workspace: Workspace, said: str, signed: dict[str, str]) -> int:
    """Hand a request in, and give its status."""
    answer = workspace.app.dispatch(BoltRequest(body=said, headers=signed))
    return int(answer.status)


@pytest.mark.parametrize("age", [301, 3600, 86_400 * 365, -301, -3600])
def test_an_old_or_future_stamp_is_refused(workspace: Workspace, age: float) -> None:
    """A request recorded more than five minutes ago is worth nothing."""
    said = body(workspace)

    assert sent(workspace, said, headers(said, age=age)) == 401
    workspace.settle()
    assert workspace.answers.asked == []


def test_a_fresh_stamp_does_not_mend_an_old_signature(workspace: Workspace) -> None:
    """The time is part of what was signed."""
    said = body(workspace)
    signed = headers(said, age=600) | {
        "x-slack-request-timestamp": str(int(time.time()))
    }

    assert sent(workspace, said, signed) == 401


def test_a_signature_is_of_one_body(workspace: Workspace) -> None:
    """Another body under a good signature is refused."""
    signed = headers(body(workspace))

    assert sent(workspace, body(workspace, text="price h100"), signed) == 401


@pytest.mark.parametrize(
    "change",
    [
        {"x-slack-signature": ""},
        {"x-slack-signature": "v0="},
        {"x-slack-signature": "é" * 67},
        {"x-slack-request-timestamp": ""},
        {"x-slack-request-timestamp": "now"},
        {"x-slack-request-timestamp": "1e99"},
        {"x-slack-request-timestamp": "9" * 400},
    ],
)
def test_a_broken_header_is_refused(
    workspace: Workspace, change: dict[str, str]
) -> None:
    """What cannot be read is no signature, and no fault either."""
    said = body(workspace)

    assert sent(workspace, said, headers(said) | change) == 401


@pytest.mark.parametrize("name", ["x-slack-signature", "x-slack-request-timestamp"])
def test_a_missing_header_is_refused(workspace: Workspace, name: str) -> None:
    """Both belong to every request."""
    said = body(workspace)
    signed = headers(said)
    del signed[name]

    assert sent(workspace, said, signed) == 401


@pytest.mark.parametrize("version", ["v1", "v00", "", "V0"])
def test_another_version_is_refused(workspace: Workspace, version: str) -> None:
    """Only the version that Slack uses is known."""
    said = body(workspace)
    signed = headers(said)
    signed["x-slack-signature"] = signed["x-slack-signature"].replace("v0", version, 1)

    assert sent(workspace, said, signed) == 401


def test_another_secret_is_refused(workspace: Workspace) -> None:
    """Whoever knows another app's secret signs for that app alone."""
    said = body(workspace)

    assert sent(workspace, said, headers(said, secret="another")) == 401  # noqa: S106


def test_a_replay_is_answered_once(workspace: Workspace) -> None:
    """The same signed request again, within its five minutes, is not worked on."""
    said = body(workspace)
    signed = headers(said)
    statuses = [sent(workspace, said, signed) for _ in range(3)]
    workspace.settle()

    assert statuses == [200, 200, 200]
    assert len(workspace.answers.asked) == 1


def test_a_replayed_event_is_answered_once(workspace: Workspace) -> None:
    """So with an event: Slack itself delivers some twice."""
    event = {"type": "app_mention", "channel": "C1", "user": "U1", "ts": "1.1"}
    event["text"] = "<@UBOT> 70b inference 50rps"
    said = json.dumps(
        {"type": "event_callback", "team_id": "T1", "event_id": "Ev", "event": event}
    )
    signed = headers(said) | {"content-type": "application/json"}
    for _ in range(3):
        sent(workspace, said, signed)
    workspace.settle()

    assert len(workspace.answers.asked) == 1


def test_a_clock_that_refuses_all_that_slack_signs_is_noticed() -> None:
    """Some in a row, and no single recording; one of now ends it, and so does time."""
    now = time.time()
    ours = [now + 3600]
    checked = Signatures(SECRET, lambda: ours[0])

    def brought(said: str, **signed: str) -> bool:
        names = {f"HTTP_{k.upper().replace('-', '_')}": v for k, v in signed.items()}
        return checked.valid(names, said.encode())

    recorded = headers("text=a")
    for _ in range(5):
        assert not brought("text=a", **recorded)
    assert checked.in_step()
    for word in "bcde":
        assert not brought(f"text={word}", **headers(f"text={word}"))
    assert not checked.in_step()

    assert not brought("text=f", **headers("text=f", secret="of a stranger"))  # noqa: S106
    assert not checked.in_step()
    ours[0] = now
    assert brought("text=g", **headers("text=g"))
    assert checked.in_step()
    for word in "hij":
        ours[0] = now + 3600
        brought(f"text={word}", **headers(f"text={word}"))
    assert not checked.in_step()
    ours[0] += LASTS_S + 1
    assert checked.in_step()


def test_what_slack_says_of_the_time_refuses_and_never_admits() -> None:
    """Its word is counted on: a wrong clock believes no recording."""
    now, counted = float(int(time.time())), [50.0]
    at_slack = SlackTime(lambda: counted[0])
    checked = Signatures(SECRET, lambda: ours[0], at_slack)

    def when(age: float) -> str:
        stamped = headers("text=a", age=age)
        names = {f"HTTP_{k.upper().replace('-', '_')}": stamped[k] for k in stamped}
        return checked.time_of(names, b"text=a")

    ours = [now - 4000]
    assert when(4000) == "now"  # nobody has said otherwise yet
    at_slack.hear("no date")
    at_slack.hear(formatdate(now, usegmt=True))
    assert ["there", "never", "never"] == [when(0), when(4000), when(8000)]
    assert not checked.in_step()

    # An hour on: the clock was set, and what was counted stood still meanwhile.
    counted[0] += FRESH_S + 1
    ours[0] = now + 3600
    assert ["now", "there"] == [when(-3600), when(0)]
    assert ["never", "never", "perhaps"] == [when(age) for age in (7200, 7201, 7202)]
    at_slack.hear(formatdate(now + 3600, usegmt=True))
    assert ["now", "never"] == [when(-3600), when(0)]
    assert checked.in_step()
