"""Who may do what in Slack: the rules, and what somebody is by Slack's signed word.

Every listener and every verb has a rule here; the bot does not start with one that has
none. What cannot be told counts as outside (`deploy/SECURITY.md` says it in words).
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from threading import Lock
from typing import Any, Final

from msgspec import Struct
from slack_bolt import Args
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.question.role import Role
from bot.render.views import AnswerView
from bot.render.words import say
from bot.slack.outcome import tls
from prices.database.connection import dispensable
from prices.records.preferences import LEARNT_BY, SHARED, Preferences, Setting

logger = logging.getLogger(__name__)

RIGHTS: Final[Mapping[str, Role]] = {
    "command /gpucost": Role.OUTSIDE,
    "event app_home_opened": Role.OUTSIDE,
    "event app_mention": Role.OUTSIDE,
    "event app_uninstalled": Role.APP,  # Slack itself says so, and names nobody
    "event message": Role.OUTSIDE,
    "event tokens_revoked": Role.APP,
    "shortcut ask_gpucost": Role.OUTSIDE,
    "shortcut price_this": Role.OUTSIDE,
    "form ask_form": Role.OUTSIDE,
    "form settings_form": Role.MEMBER,
    "form alert_form": Role.UNRANKED,
    "button ask": Role.OUTSIDE,
    "button chip": Role.OUTSIDE,
    "button details": Role.OUTSIDE,
    "button feedback": Role.OUTSIDE,
    "button form": Role.OUTSIDE,
    "button page": Role.OUTSIDE,
    "button settings": Role.MEMBER,
    "button share": Role.OUTSIDE,
    "button show": Role.OUTSIDE,
    "button variant": Role.OUTSIDE,
    "button watch": Role.UNRANKED,
    "button why": Role.OUTSIDE,
    "button alert_adjust": Role.UNRANKED,
    "button alert_history": Role.UNRANKED,
    "button alert_new": Role.UNRANKED,
    "button alert_run": Role.UNRANKED,
    "button alert_snooze": Role.UNRANKED,
    "button alert_stop": Role.UNRANKED,
    "verb settings": Role.UNRANKED,
    "verb setprice": Role.MEMBER,
    **dict.fromkeys(
        (f"verb {name}" for name in ("alert", "alerts", "watch", "digest", "mute",
                                     "snooze", "unmute")),
        Role.UNRANKED,
    ),
    # A question may begin with these words too: the alerts refuse what is none.
    **dict.fromkeys(
        (f"verb {name}" for name in ("list", "remove", "unsubscribe", "test", "resume",
                                     "adopt")),
        Role.OUTSIDE,
    ),
}  # fmt: skip
"""The least role that each listener and verb asks for."""
LOOK_SECONDS: Final = 2.0
ACKNOWLEDGED_BY: Final = "acknowledged by"
"""Where a request carries until when its own acknowledgement may wait for Slack's word:
a form says what cannot be read of it within three seconds, or nothing."""
SHORTEST_LOOK_S: Final = 0.1
KNOWN_S: Final = 300.0
"""How long Slack's word on somebody, or on a channel, is taken for good."""
FAILED_S: Final = 30.0
STALE_S: Final = 86_400.0
"""How long the last word stands while Slack gives no newer one."""
REMEMBERED: Final = 10_000
_STRANGERS: Final = frozenset({"user_not_found", "user_not_visible", "users_not_found"})
_REFUSALS: Final = {
    Role.UNRANKED: (
        say("slack.own_organisation_only"),
        say("slack.you_can_ask_questions"),
    ),
    Role.MEMBER: (
        say("slack.full_members_only"),
        say("slack.members_ask_an_admin"),
    ),
    Role.DELEGATE: (
        say("slack.only_workspace_admins_whoever"),
        say("slack.a_workspace_admin_names"),
    ),
    Role.ADMIN: (
        say("slack.admins_only"),
        "",
    ),
}


def right(kind: str, name: str) -> Role:
    """Return the rule of a listener or verb; KeyError: somebody forgot to write one."""
    return RIGHTS[f"{kind} {name}"]


def lacking(role: Role, needed: Role) -> str:
    """Say why somebody may not; "" where they may."""
    if role >= needed:
        return ""
    return _REFUSALS.get(needed, _REFUSALS[Role.UNRANKED])[0]


def refused_view(needed: Role) -> AnswerView:
    """What somebody is told who may not."""
    verdict, why = _REFUSALS.get(needed, _REFUSALS[Role.UNRANKED])
    return AnswerView(kind="hint", verdict=verdict, why=why)


class Word(Struct, frozen=True):
    """Slack's word on a person or a channel; None: it gave none, for this reason."""

    said: Mapping[str, Any] | None
    error: str = ""
    at: float = 0.0


class Authority:
    """Tells what the sender of a request is, and who else reads where it came from."""

    def __init__(
        self,
        preferences: Preferences,
        installers: Callable[[str], Iterable[str]],
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the settings, who installed the bot in a workspace, and the time."""
        self._preferences = preferences
        self._installers = installers
        self._now = now
        self._clock = clock
        self._words: OrderedDict[tuple[str, str], Word] = OrderedDict()
        self._lock = Lock()

    def role(self, args: Args) -> Role:
        """Rank the sender: their claims first, then Slack's word on them."""
        event, user_id = args.event or {}, args.context.user_id or ""
        if event.get("bot_id") or event.get("bot_profile") or not user_id:
            return Role.APP
        homes, claims = _homes(args), set(_claims(args))
        if not homes or _elsewhere(args):
            return Role.OUTSIDE
        word = self._word(args, user_id, _ask_person)
        if word.error in _STRANGERS:
            return Role.OUTSIDE
        if word.said is None:
            sure = bool(set(_vouched(args)) & homes) and claims <= homes
            role = Role.UNRANKED if sure else Role.OUTSIDE
        else:
            role = _ranked(word.said, claims, homes, args)
        return self._raised(args, user_id, role)

    def shared(self, args: Args, channel: str) -> bool | None:
        """Whether another organisation reads a channel; None: nobody can tell."""
        flag = args.body.get("is_ext_shared_channel")
        own = channel == (args.context.channel_id or "")
        if isinstance(flag, bool) and own:
            found: bool | None = flag or _elsewhere(args)
        elif not channel or channel.startswith("D"):
            found = False  # one person and the bot
        else:
            found = self._looked(args, channel)
        if found and channel:
            self._note_shared(args, channel)
        return found

    def _looked(self, args: Args, channel: str) -> bool | None:
        said = self._word(args, channel, _ask_channel).said
        if said is None:
            return None
        names = ("is_ext_shared", "is_pending_ext_shared")
        return any(said.get(name) is True for name in names)

    def _note_shared(self, args: Args, channel: str) -> None:
        """Keep it: alerts are posted there when no request says so."""
        team_id = _tenant(args)
        with dispensable(say("slack.note_shared")):
            held = self._preferences.of(team_id, channel).get(SHARED)
            if held is None or held.value != "yes":
                said = Setting(SHARED, "yes", channel, LEARNT_BY, self._now())
                self._preferences.set(team_id, said)

    def _raised(self, args: Args, user_id: str, role: Role) -> Role:
        """Lift whom an admin named, and whoever installed the bot."""
        if role < Role.UNRANKED:
            return role
        team_id, raised = _tenant(args), role
        with dispensable("a look at who may change things"):
            if user_id in self._installers(team_id):
                return Role.ADMIN
            held = self._preferences.of(team_id).get("admins")
            if held and user_id in (held.value or "").split(","):
                raised = max(role, Role.DELEGATE)
        return raised

    def _word(
        self,
        args: Args,
        name: str,
        ask: Callable[[WebClient, str], Mapping[str, Any] | None],
    ) -> Word:
        """Ask Slack, unless it said so lately; where it fails, its last word stands."""
        key, now = (_tenant(args), name), self._clock()
        with self._lock:
            known = self._words.get(key)
        if known and now - known.at < (FAILED_S if known.said is None else KNOWN_S):
            return known
        fresh = _asked(args, name, ask, now)
        passing = fresh.said is None and fresh.error not in _STRANGERS
        if passing and known and known.said and now - known.at < STALE_S:
            return known
        with self._lock:
            self._words[key] = fresh
            self._words.move_to_end(key)
            while len(self._words) > REMEMBERED:
                self._words.popitem(last=False)
        return fresh


def _asked(
    args: Args,
    name: str,
    ask: Callable[[WebClient, str], Mapping[str, Any] | None],
    now: float,
) -> Word:
    # Neither retried nor waited for long: somebody waits for an answer.
    client = WebClient(
        args.client.token,
        args.client.base_url,
        timeout=_patience(args, now),  # type: ignore[arg-type] # a socket takes parts
        ssl=tls(),
        retry_handlers=[],
    )
    try:
        said = ask(client, name)
    except SlackApiError as error:
        return Word(None, str(error.response.get("error") or "refused"), now)
    except OSError as fault:
        logger.warning("Slack did not say who %s is: %s", name, type(fault).__name__)
        return Word(None, "unreachable", now)
    return Word(said if isinstance(said, Mapping) and said else None, "", now)


def _patience(args: Args, now: float) -> float:
    """How long Slack may take for its word: all looks together leave time to say so."""
    left = float(args.context.get(ACKNOWLEDGED_BY, now + LOOK_SECONDS)) - now
    return max(min(left, LOOK_SECONDS), SHORTEST_LOOK_S)


def _ask_person(client: WebClient, user_id: str) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = client.users_info(user=user_id).get("user")
    return found


def _ask_channel(client: WebClient, channel: str) -> Mapping[str, Any] | None:
    said = client.conversations_info(channel=channel)
    found: Mapping[str, Any] | None = said.get("channel")
    return found


def _ranked(
    user: Mapping[str, Any], claims: set[str], homes: set[str], args: Args
) -> Role:
    """Rank a person by what users.info says of them."""
    if user.get("is_bot") or user.get("is_workflow_bot"):
        return Role.APP
    enterprise = (user.get("enterprise_user") or {}).get("enterprise_id")
    team = str(user.get("team_id") or "")
    # A workspace of the same organisation is home too, under another id.
    sister = bool(enterprise) and enterprise == args.context.enterprise_id
    foreign = bool({team} - {""} - homes or claims - homes) and not sister
    doubtful = not team and not claims and args.body.get("is_ext_shared_channel")
    if foreign or doubtful or user.get("is_stranger") or user.get("deleted"):
        return Role.OUTSIDE
    if user.get("is_restricted") or user.get("is_ultra_restricted"):
        return Role.GUEST
    if any(user.get(name) for name in ("is_admin", "is_owner", "is_primary_owner")):
        return Role.ADMIN
    return Role.MEMBER


def _tenant(args: Args) -> str:
    return args.context.team_id or args.context.enterprise_id or ""


def _homes(args: Args) -> set[str]:
    """The ids of the organisation whose data the request would use."""
    return {args.context.team_id or "", args.context.enterprise_id or ""} - {""}


def _elsewhere(args: Args) -> bool:
    """Whether the token, or the channel, belongs to another organisation than the data.

    In a channel that another organisation hosts, `context_team_id` is still ours.
    """
    held = args.context.authorize_result
    given = held.team_id if held is not None else None
    homes = _homes(args)
    foreign = given and not args.context.is_enterprise_install and given not in homes
    names = ("context_team_id", "context_enterprise_id")
    said = {args.body[name] for name in names if args.body.get(name)}
    return bool(foreign) or bool(said and not said & homes)


def _claims(args: Args) -> Iterator[str]:
    """The workspaces and organisations that a request names beside its sender."""
    yield from _vouched(args)
    team, event = args.body.get("team"), args.event or {}
    said = [team.get("id") if isinstance(team, dict) else team]
    said += [event.get("source_team"), event.get("team")]
    yield from (each for each in said if isinstance(each, str) and each)


def _vouched(args: Args) -> Iterator[str]:
    """Where the sender is at home, as Slack's request says it."""
    body, event = args.body, args.event or {}
    who = event.get("user") or body.get("user")
    said = [who.get("team_id")] if isinstance(who, dict) else []
    said += [event.get("user_team")]
    inside = event and body.get("is_ext_shared_channel") is False
    if inside or "command" in body:
        said.append(body.get("team_id"))
    yield from (each for each in said if isinstance(each, str) and each)
