"""The page, its assets, and what it may ask for: news, and acts of the visitor."""

import hmac
from collections.abc import Callable
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bot.playground.blocks import RefusedError
from bot.playground.examples import ExampleGroup
from bot.playground.ledger import Ledger, Thing
from bot.playground.loopback import Call, Reply, as_json, fields_of, own_hosts
from bot.playground.visitor import Visitor, failed
from core.checked import Checked
from core.reference.packaged import files
from core.wording import say

TOKEN_HEADER: Final = "x-playground-token"  # noqa: S105 - the name of a header
NEWS_SECONDS: Final = 20

_FOLDER: Final = files("templates") / "playground"
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_POLICY: Final = (
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
    ),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)

Act = Callable[[Visitor, Thing], Thing]


class Shortcut(Checked):
    """A shortcut of the app: its callback id, and what the menu calls it."""

    callback_id: str
    label: str
    on_message: bool


class PageContext(Checked):
    """Every variable of the page's template."""

    token: str
    """What the page must send with each call, new with every start."""
    channel: str
    direct: str
    """Ids of the channel and of the conversation with the bot."""
    visitor: str
    bot: str
    """User ids of whoever looks, and of the bot."""
    command: str
    examples: tuple[ExampleGroup, ...]
    shortcuts: tuple[Shortcut, ...]


class Site:
    """Serve the page to the browser of this machine."""

    def __init__(self, ledger: Ledger, visitor: Visitor, context: PageContext) -> None:
        self._ledger = ledger
        self._visitor = visitor
        self._token = context.token
        self._page = draw(context)

    def __call__(self, call: Call) -> Reply:
        """Answer one request of the browser."""
        if call.method == "GET" and call.path == "/":
            return Reply(200, self._page, "text/html; charset=utf-8", _POLICY)
        if call.method == "GET" and call.path.startswith("/assets/"):
            return asset(call.path.removeprefix("/assets/"))
        if call.path != "/news" and not call.path.startswith("/do/"):
            return Reply(404, b"Not found")
        if not self._own(call):
            return Reply(403, say("playground.own_page_only").encode())
        if call.path == "/news":
            return self._news(call)
        return self._done(call)

    def _own(self, call: Call) -> bool:
        """Tell the page's own calls from those of any other page or program."""
        token = call.headers.get(TOKEN_HEADER, "")
        origin = call.headers.get("origin")
        port = call.headers["host"].rpartition(":")[2]
        own = {f"http://{host}" for host in own_hosts(port)}
        return hmac.compare_digest(token.encode(), self._token.encode()) and (
            origin is None or origin in own
        )

    def _news(self, call: Call) -> Reply:
        after = int(call.query.get("after", "0"))
        version, things = self._ledger.news(after, NEWS_SECONDS)
        return as_json({"version": version, "things": things})

    def _done(self, call: Call) -> Reply:
        act = ACTS.get(call.path.removeprefix("/do/"))
        if call.method != "POST" or act is None:
            return Reply(404, b"Not found")
        if "json" not in call.headers["content-type"]:
            return Reply(415)
        try:
            return as_json(act(self._visitor, fields_of(call)))
        except RefusedError as refused:
            return as_json(failed(refused.code))


def draw(context: PageContext) -> bytes:
    """Draw the page once; what happens on it comes as news."""
    environment = Environment(
        loader=FileSystemLoader(str(_FOLDER)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("page.html.j2")
    return template.render(
        {name: getattr(context, name) for name in _fields()}
    ).encode()


def asset(name: str) -> Reply:
    """Serve a file of the template folder, and nothing else."""
    known = {each.name: each for each in _FOLDER.iterdir() if each.is_file()}
    kind = _KINDS.get("." + name.rpartition(".")[2])
    if name not in known or kind is None:
        return Reply(404, b"Not found")
    return Reply(200, known[name].read_bytes(), kind, _POLICY)


def _fields() -> list[str]:
    return list(PageContext.model_fields)


def _text(fields: Thing, name: str) -> str:
    return str(fields.get(name) or "")


def _dict(fields: Thing, name: str) -> Thing:
    value = fields.get(name)
    return value if isinstance(value, dict) else {}


def _press(visitor: Visitor, fields: Thing) -> Thing:
    ids, chosen = _dict(fields, "ids"), _dict(fields, "chosen")
    state = _dict(fields, "state")
    if view_id := _text(fields, "view_id"):
        return visitor.press_in_view(view_id, ids, chosen, state)
    channel, ts = _text(fields, "channel"), _text(fields, "ts")
    return visitor.press(channel, ts, ids, chosen, state)


def _suggest(visitor: Visitor, fields: Thing) -> Thing:
    container, ids = _dict(fields, "container"), _dict(fields, "ids")
    return visitor.suggest(container, ids, _text(fields, "value"))


ACTS: Final[dict[str, Act]] = {
    "say": lambda v, f: v.say(
        _text(f, "channel"), _text(f, "text"), _text(f, "thread_ts")
    ),
    "press": _press,
    "submit": lambda v, f: v.submit(_text(f, "view_id"), _dict(f, "state")),
    "dismiss": lambda v, f: v.dismiss(_text(f, "view_id"), bool(f.get("cleared"))),
    "look": lambda v, f: v.look(_text(f, "tab")),
    "shortcut": lambda v, f: v.take_shortcut(
        _text(f, "callback_id"), _text(f, "channel"), _text(f, "ts")
    ),
    "suggest": _suggest,
    "blocks": lambda v, f: v.choose_blocks(bool(f.get("classic"))),
    "clear": lambda v, f: v.clear(),
}
"""What the page may do, by the last part of its address."""
