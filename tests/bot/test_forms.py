"""The form: opened from anywhere, checked, and answered where it was opened."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.language.parse import parse
from bot.render.form_submission import read_submission
from bot.render.view_rendering import ViewRenderer
from bot.slack.modals.form import Origin, question_form
from core.query import Query
from core.reference.load import reference
from tests.bot.blocks import check_message, check_modal, every_text, of_focus, of_type
from tests.bot.conftest import Workspace
from tests.bot.fake_slack import Fault
from tests.bot.person import filled, inputs

VIEWS = ViewRenderer()


def named(view: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The inputs of a form by name."""
    return {block["block_id"]: block for block in inputs(view)}


@pytest.mark.parametrize("text", ["", "   "])
def test_a_bare_command_opens_the_form(workspace: Workspace, text: str) -> None:
    """It shows the common fields, empty, and asks nothing yet."""
    workspace.person.command(text)

    view = workspace.opened()

    check_modal(view)
    expected = {
        "ask", "kind", "model", "load", "input_tokens", "output_tokens", "ttft_ms",
        "tpot_ms", "gpu", "provider", "pricing", "region", "budget", "more",
    }  # fmt: skip
    assert expected == set(named(view))
    assert not workspace.answers.asked


def test_a_form_is_answered_where_it_was_opened(workspace: Workspace) -> None:
    """A bare command's answer is private, through the command's response_url."""
    workspace.person.command("")
    response = workspace.person.submit(
        workspace.opened(),
        {"model": "llama-3.3-70b", "load": "50 rps", "gpu": ["h100-80gb-sxm"]},
    )

    reply = workspace.slack.wait()[0]

    assert (response.status, response.body) == (200, "")
    check_message(reply["blocks"], reply["text"])
    assert (reply["response_type"], reply["replace_original"]) == ("ephemeral", False)
    text, context = workspace.answers.asked[0]
    assert text == "llama-3.3-70b 50 rps gpu=h100-80gb-sxm"
    assert (context.surface, context.channel_id) == ("form", "C1")


def test_a_chip_opens_the_form_on_its_field(workspace: Workspace) -> None:
    """The answer's own question stands in it, and why the field was assumed."""
    workspace.person.press("chip:1", "k7f2q9 precision", message="5.5")

    view = workspace.opened()

    check_modal(view)
    fields = named(view)
    assert fields["model"]["element"]["initial_value"] == "70b"
    assert fields["load"]["element"]["initial_value"] == "50 rps"
    assert "native on H100" in fields["more"]["hint"]["text"]
    expected = [fields["more"]["element"]]
    assert expected == of_focus(view)


def test_refining_replaces_the_answer(workspace: Workspace) -> None:
    """The private message is edited in place, and stays private."""
    workspace.person.press("form", "k7f2q9", message="5.5")
    workspace.person.submit(workspace.opened(), {"load": "80 rps"})

    reply = workspace.slack.wait()[0]

    assert (reply["response_type"], reply["replace_original"]) == ("ephemeral", True)
    assert workspace.answers.asked[0][0] == "70b 80 rps"


def test_refining_in_a_thread_replaces_it_there(workspace: Workspace) -> None:
    """A public answer is edited for everybody, and offers no Share."""
    workspace.person.press("form", "k7f2q9", message="5.5", private=False, thread="4.4")
    workspace.person.submit(workspace.opened(), {})

    reply = workspace.slack.wait()[0]

    assert (reply["response_type"], reply["replace_original"]) == ("in_channel", True)
    assert "Share" not in every_text(reply["blocks"])
    context = workspace.answers.asked[0][1]
    assert (context.channel_id, context.thread_ts) == ("C1", "4.4")


@pytest.mark.parametrize("code", ["expired_url", "used_url"])
def test_a_form_left_open_too_long_still_edits_the_message(
    workspace: Workspace, code: str
) -> None:
    """A public answer is the bot's own message: it needs no response_url."""
    workspace.slack.faults["/hook"] = [Fault(404, code)]
    workspace.person.press("form", "k7f2q9", message="5.5", private=False)
    workspace.person.submit(workspace.opened(), {})

    update = workspace.slack.called("chat.update")[0]

    assert (update["channel"], update["ts"]) == ("C1", "5.5")


def test_a_private_answer_that_cannot_be_edited_is_shown_beside_it(
    workspace: Workspace,
) -> None:
    """The reader gets the new answer with the reason why it is another message."""
    workspace.slack.faults["/hook"] = [Fault(404, "expired_url")]
    workspace.person.press("form", "k7f2q9", message="5.5")
    workspace.person.submit(workspace.opened(), {})

    whisper = workspace.slack.called("chat.postEphemeral")[0]

    assert (whisper["channel"], whisper["user"]) == ("C1", "U1")
    assert "expired" in whisper["text"]


def test_what_cannot_be_read_is_said_in_the_form(workspace: Workspace) -> None:
    """Each input tells its own problem with an example; the form stays open."""
    workspace.person.command("")
    answers = {"model": "70b", "load": "quite a lot", "ttft_ms": "soon"}

    response = workspace.person.submit(workspace.opened(), answers)

    said = json.loads(response.body)
    assert said["response_action"] == "errors"
    assert set(said["errors"]) == {"load", "ttft_ms"}
    assert "50 rps" in said["errors"]["load"]
    assert not workspace.answers.asked


def test_an_empty_form_names_what_is_missing(workspace: Workspace) -> None:
    """Without model and GPU there is nothing to ask."""
    workspace.person.command("")

    response = workspace.person.submit(workspace.opened(), {})

    assert "model" in json.loads(response.body)["errors"]


def test_the_shortcut_asks_where_to_answer(workspace: Workspace) -> None:
    """The chosen conversation gets a private answer through its response_url."""
    workspace.person.shortcut("ask_gpucost")
    view = workspace.opened()
    check_modal(view)
    urls = [{"channel_id": "C7", "response_url": workspace.person.hook}]

    workspace.person.submit(view, {"model": "70b"}, response_urls=urls)

    assert "place" in named(view)
    assert workspace.slack.wait()[0]["response_type"] == "ephemeral"


def test_without_a_place_the_answer_comes_to_its_asker(workspace: Workspace) -> None:
    """The person's own conversation with the bot takes it."""
    workspace.person.shortcut("ask_gpucost")
    workspace.person.submit(workspace.opened(), {"model": "70b"})

    message = workspace.slack.called("chat.postMessage")[0]

    assert message["channel"] == "U1"


def test_a_form_that_comes_too_late_is_offered_again(workspace: Workspace) -> None:
    """Slack's three seconds had passed: a button opens the same form."""
    workspace.slack.faults["views.open"] = [Fault(said="trigger_expired")]
    workspace.person.press("chip:1", "k7f2q9 precision")

    reply = workspace.slack.wait()[0]

    assert "three seconds" in reply["text"]
    assert not reply["replace_original"]
    button = next(b for b in reply["blocks"] if b["type"] == "actions")["elements"][0]
    workspace.person.press(button["action_id"], button["value"])
    assert of_focus(workspace.opened())


def test_a_form_is_not_waited_for_when_slack_is_busy(workspace: Workspace) -> None:
    """A 429 asks for longer than the three seconds: that is said, nothing waits."""
    workspace.slack.retry_after = 30
    workspace.slack.faults["views.open"] = [Fault(status=429, said="ratelimited")]
    workspace.person.press("chip:1", "k7f2q9 precision")

    reply = workspace.slack.wait(seconds=5)[0]

    assert "form" in reply["text"]
    assert "three seconds" not in reply["text"]
    assert of_type(reply["blocks"], "actions")


def test_a_shortcut_that_comes_too_late_is_told_to_its_user(
    workspace: Workspace,
) -> None:
    """There is no response_url: the person's own conversation hears it."""
    workspace.slack.faults["views.open"] = [Fault(said="trigger_expired")]
    workspace.person.shortcut("ask_gpucost")

    assert workspace.slack.called("chat.postMessage")[0]["channel"] == "U1"


FULL = Query(
    intent="size", kind="inference", model="llama-3.3-70b", rps=50, input_tokens=1000,
    output_tokens=300, ttft_ms=450, tpot_ms=35, gpu=("h200",),
    provider=("lambda", "runpod"), pricing=("on_demand", "reserved"), region="eu",
    budget_amount=12000, budget_period="month", budget_currency="USD",
    precision=("fp8",), term_months=12, hours_per_day=10, sla=99.9, percentile="p99",
    cache_hit_rate=0.4, provider_exclude=("aws",), audience="external",
)  # fmt: skip


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"region": "us"},
        {"intent": "compare", "gpu": ("h200", "mi300x")},
        {"intent": "fit", "rps": None, "count": 2, "gpu": ("h200",)},
        {"rps": None, "requests_per_day": 1_000_000.0},
        {"rps": None, "users": 300.0, "requests_per_user_per_day": 20.0},
        {"rps": 10, "peak_rps": 80.0},
        {"rps": None, "concurrency": 64.0},
        {"rps": None, "tokens_per_second": 12_500.0},
        {"model": None, "params_b": 235.0, "active_params_b": 22.0},
        {"budget_currency": "EUR", "budget_period": "hour"},
        {"intent": "run_cost", "kind": "batch", "rps": None, "audience": None,
         "tokens_total": 3e9, "deadline_hours": 12.0},
    ],
)  # fmt: skip
def test_a_form_asks_what_it_shows(changed: dict[str, Any]) -> None:
    """Whatever a query states survives the form, the words and the parser."""
    query = FULL.model_copy(update=changed)

    asked = resubmitted(query)

    kept = {k: v for k, v in query.stated().items() if k != "params_b"}
    found = {k: v for k, v in asked.stated().items() if k in kept}
    assert kept == found


def resubmitted(query: Query) -> Query:
    """What the parser reads of the form that shows a query."""
    view = VIEWS.render_form(question_form(query, Origin(channel_id="C1")))
    state = {b["block_id"]: {"value": filled(b, {})} for b in inputs(view)}
    read = read_submission(state, reference())
    assert not read.errors
    return parse(read.question, reference())


def test_peoples_own_questions_survive_the_form() -> None:
    """Opened and sent unchanged, the form asks what was asked, 97 times in 100."""
    lines = (Path(__file__).parent / "language/questions.jsonl").read_text("utf-8")
    texts = [json.loads(line)["text"] for line in lines.splitlines()]
    queries = [q for text in texts if sized(q := parse(text, reference()))]

    changed = [q.text for q in queries if not alike(q, resubmitted(q))]

    assert len(queries) > 100
    assert len(changed) <= 0.03 * len(queries), changed


def sized(query: Query) -> bool:
    """Whether a question is one that the form can ask."""
    elsewhere = ("alert", "help", "explain", "out_of_scope")
    named = query.model or query.params_b or query.gpu
    return bool(named and query.clarify is None and query.intent not in elsewhere)


def alike(query: Query, found: Query) -> bool:
    """Whether two queries state the same, numbers to a millionth."""
    before, after = query.stated(), found.stated()
    return before.keys() == after.keys() and all(
        value == pytest.approx(after[name], rel=1e-6)
        if isinstance(value, float)
        else value == after[name]
        for name, value in before.items()
    )
