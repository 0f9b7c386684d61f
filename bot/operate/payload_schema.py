"""The shape that a delivery of Slack's has, asked before anything reads its fields.

Bolt takes it on trust: a list where it expects an object is a fault in the midst of it.
Only what Bolt or a listener reads stands here; everything else may come as it likes.
"""

import json
from collections.abc import Iterable
from typing import Annotated, Any, Final
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from slack_bolt.request.internals import parse_body

LAST_SECOND: Final = 10**11
"""Some 3,000 years on; a time beyond fits no calendar here."""
SAID_TO: Final = 3
"""So many faults of a delivery are logged."""


def odd_request(body: bytes, content_type: str) -> str:
    """Say what is odd in an HTTP request's body; "" where it may be read."""
    text, kind = body.decode(), content_type.partition(";")[0] or None
    read: object = parse_body(text, kind)
    if read == {}:
        read = dict(parse_qsl(text, keep_blank_values=True))
    return odd(read)


def odd(read: object) -> str:
    """Say what is odd in a delivery, by field and without a word of its content."""
    try:
        # Half a letter of two cannot be written down: not to SQLite, not to Slack.
        json.dumps(read, ensure_ascii=False).encode()
        delivery = Delivery.model_validate(read)
    except UnicodeEncodeError:
        return "half a letter"
    except ValidationError as fault:
        found = fault.errors(include_url=False, include_input=False)[:SAID_TO]
        return "; ".join(f"{_path(each['loc'])} is {each['type']}" for each in found)
    return ", ".join(f"no {name}" for name in delivery.lacking())


def _path(steps: Iterable[object]) -> str:
    """Name a field, but none that only the sender knows the name of."""
    return ".".join(str(step) for step in steps if str(step) in _KNOWN) or "body"


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


def _reachable(url: str | None) -> str | None:
    if url and not (urlsplit(url).scheme in ("http", "https") and urlsplit(url).netloc):
        raise ValueError("no address")
    return url


Text = str | None
Link = Annotated[Text, AfterValidator(_reachable)]


class Named(_Shape):
    """Somebody, a channel, a workspace: their id, and whose they are."""

    id: Text = None
    team_id: Text = None
    enterprise_id: Text = None


Who = str | Named | None
"""Slack names people, places and workspaces by id, or as an object that holds it."""


class Option(_Shape):
    """What was chosen in a list."""

    value: str


class Element(_Shape):
    """One input of a form as it was sent."""

    value: Text = None
    selected_option: Option | None = None
    selected_options: list[Option] | None = None
    selected_users: list[str] | None = None
    selected_conversation: Text = None


class State(_Shape):
    """What stands in a form, by block and element."""

    values: dict[str, dict[str, Element]] | None = None


class View(_Shape):
    """A form, or a person's own page."""

    type: Text = None
    callback_id: Text = None
    private_metadata: Text = None
    state: State | None = None
    team_id: Text = None
    app_installed_team_id: Text = None


class Press(_Shape):
    """A button that was pressed."""

    action_id: Text = None
    value: Text = None


class Container(_Shape):
    """Where that button stands."""

    channel_id: Text = None
    message_ts: Text = None
    thread_ts: Text = None
    is_ephemeral: bool | None = None


class Tokens(_Shape):
    """Whose tokens were taken back."""

    bot: list[str] | None = None


class Hook(_Shape):
    """A way to answer where a form asked for a channel."""

    response_url: Link = None


class Place(_Shape):
    """What may tell where something happened: a delivery, and much that it holds."""

    type: Text = None
    text: Text = None
    ts: Text = None
    subtype: Text = None
    team: Who = None
    team_id: Text = None
    enterprise: Who = None
    enterprise_id: Text = None
    is_enterprise_install: bool | Text = None
    user: Who = None
    user_id: Text = None
    channel: Who = None
    channel_id: Text = None
    thread_ts: Text = None
    function_execution_id: Text = None
    bot_access_token: Text = None
    authorizations: "list[Place] | None" = None
    edited: "Place | None" = None
    message: "Place | None" = None
    previous_message: "Place | None" = None
    item: "Place | Text" = None
    assistant_thread: "Place | Text" = None
    view: View | None = None


class Function(_Shape):
    """A step of somebody's workflow; none is ours, yet Bolt looks for one."""

    execution_id: Text = None


class Event(Place):
    """What happened."""

    type: str
    tokens: Tokens | None = None
    workflow_step: dict[str, Any] | None = None


NOTHING: Final = Event(type="")


class Delivery(Place):
    """All that Slack sends: an event, a command, an interaction, a question to us."""

    command: str = ""
    ssl_check: str = ""
    challenge: str = ""
    callback_id: Text = None
    action_id: Text = None
    trigger_id: Text = None
    event_id: Text = None
    event_time: Annotated[int, Field(ge=0, le=LAST_SECOND)] | None = None
    event: Event = NOTHING
    actions: list[Press] = []
    container: Container | None = None
    response_url: Link = None
    response_urls: list[Hook] = []
    function_data: Function | None = None
    workflow_step: dict[str, Any] | None = None

    def lacking(self) -> list[str]:
        """Name what this kind of delivery cannot be without."""
        if not self.type:
            return [] if self.command or self.ssl_check else ["type"]
        shown = self.view.type if self.view else None
        needed = _NEEDED.get(self.type, ()) + _NEEDED.get(shown or "", ())
        return [name for name in needed if not self._has(name)]

    def _has(self, name: str) -> Any:
        held: Any = self
        for step in name.split("."):
            held = getattr(held[0] if isinstance(held, list) else held, step, None)
            if not held:
                return False
        return True


_NEEDED: Final = {
    "event_callback": ("event.type",),
    "url_verification": ("challenge",),
    "block_actions": ("actions.action_id",),
    "interactive_message": ("actions", "callback_id"),
    "view_submission": ("view.type", "view.callback_id"),
    "view_closed": ("view",),
    "workflow_step": ("workflow_step",),
    "workflow_step_edit": ("workflow_step", "callback_id"),
    "dialog_submission": ("callback_id",),
    "dialog_cancellation": ("callback_id",),
    "shortcut": ("callback_id",),
    "message_action": ("callback_id",),
    "block_suggestion": ("action_id",),
}
_KNOWN: Final = frozenset(
    name
    for shape in (Delivery, Event, View, State, Element, Option, Press, Container,
                  Named, Tokens, Hook, Function)
    for name in shape.model_fields
)  # fmt: skip
"""Names that may be logged: a sender's own may say anything."""
