"""A Slack app that sends one of every block, and tells what it is told back."""

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Final

from slack_bolt import App, Args
from slack_sdk import WebClient

from bot.config.settings import Settings

Block = dict[str, Any]


def plain(text: str) -> Block:
    """A plain text object."""
    return {"type": "plain_text", "text": text}


def button(name: str, **more: Any) -> Block:
    """A button named as it is labelled."""
    return {"type": "button", "action_id": name, "text": plain(name)} | more


def section(text: str, **more: Any) -> Block:
    """A section of mrkdwn."""
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}} | more


def rich(*elements: Block) -> Block:
    """A rich text block."""
    return {"type": "rich_text", "elements": list(elements)}


def spans(*texts: str) -> list[Block]:
    """Pieces of rich text."""
    return [{"type": "text", "text": text} for text in texts]


def number(value: float) -> Block:
    """A table cell that sorts by its value."""
    return {"type": "raw_number", "value": value, "text": f"${value:,.2f}"}


def word(text: str) -> Block:
    """A table cell of text."""
    return {"type": "raw_text", "text": text}


def options(*names: str) -> list[Block]:
    """Options of a select or a group of boxes."""
    return [{"text": plain(name), "value": name} for name in names]


def series(name: str, labels: list[str], *values: float) -> Block:
    """One series of a chart."""
    data = [
        {"label": label, "value": value}
        for label, value in zip(labels, values, strict=True)
    ]
    return {"name": name, "data": data}


def plotted(kind: str, title: str, labels: list[str], *lines: Block) -> Block:
    """A chart with axes."""
    axis = {"categories": labels, "y_label": "USD a month"}
    chart = {"type": kind, "series": list(lines), "axis_config": axis}
    return {"type": "data_visualization", "title": title, "chart": chart}


PRICES: Final = (("Nebius", 2.95), ("Lambda", 2.49), ("AWS", 12.29), ("Vast", 1.87))
MONTHS: Final = ["Jun", "Jul", "Aug", "Sep"]
DAYS: Final = ["22 Oct", "27 Oct", "01 Nov", "06 Nov", "11 Nov", "16 Nov", "21 Nov"]
LONG: Final = ["Prime Intellect", "CoreWeave on-demand", "Google Cloud spot"]

TEXTS: Final[list[Block]] = [
    {"type": "header", "text": plain("Every kind of text")},
    section("*bold* _slanted_ ~gone~ `code` <https://example.com|a link> <@UVISITOR>"),
    section("&gt; cited &amp; escaped\n```\nfenced\n```"),
    {
        "type": "section",
        "fields": [{"type": "mrkdwn", "text": f"*field {n}*\nvalue"} for n in (1, 2)],
    },
    rich(
        {
            "type": "rich_text_section",
            "elements": [
                {"type": "text", "text": "strong", "style": {"bold": True}},
                {"type": "link", "url": "https://example.com", "text": " linked"},
                {"type": "user", "user_id": "UVISITOR"},
                {"type": "emoji", "name": "star", "unicode": "2b50"},
            ],
        },
        {
            "type": "rich_text_list",
            "style": "bullet",
            "elements": [{"type": "rich_text_section", "elements": spans("item")}],
        },
        {"type": "rich_text_quote", "elements": spans("quoted")},
        {"type": "rich_text_preformatted", "elements": spans("a  table\nof text")},
    ),
    {"type": "markdown", "text": "## Heading\n\n- **one**\n- two"},
    {"type": "divider"},
    {"type": "context", "elements": [plain("small print")]},
    {"type": "image", "image_url": "https://example.com/a.png", "alt_text": "a graph"},
    {
        "type": "container",
        "title": plain("Assumptions"),
        "is_collapsible": True,
        "default_collapsed": True,
        "child_blocks": [section("within")],
    },
    {
        "type": "card",
        "title": {"type": "mrkdwn", "text": "*Card*"},
        "body": {"type": "mrkdwn", "text": "its body"},
        "actions": [button("carded")],
    },
    {"type": "hologram", "depth": 3},
]

FIGURES: Final[list[Block]] = [
    {
        "type": "data_table",
        "caption": "Offers",
        "page_size": 3,
        "rows": [
            [word("Provider"), word("$/h")],
            *[[word(name), number(price)] for name, price in PRICES],
        ],
    },
    {
        "type": "table",
        "column_settings": [{"align": "left"}, {"align": "right"}],
        "rows": [[word("GPU"), word("GB")], [word("H100"), word("80")]],
    },
    plotted(
        "bar",
        "Bars",
        MONTHS,
        series("spot", MONTHS, 120, 90, 140, 70),
        series("on-demand", MONTHS, 250, 250, 240, 230),
    ),
    plotted(
        "bar", "Bars with long names", LONG, series("cost", LONG, 15077, 31e3, 9e3)
    ),
    plotted(
        "line", "A line", DAYS, series("H100", DAYS, 2.4, 2.2, 2.3, 2, 2.2, 2, 1.9)
    ),
    plotted("area", "An area", MONTHS, series("H100", MONTHS, 4, 8, 6, 9)),
    {
        "type": "data_visualization",
        "title": "A pie",
        "chart": {
            "type": "pie",
            "segments": [
                {"label": "GPU", "value": 92},
                {"label": "Egress", "value": 8},
            ],
        },
    },
]

PRESSABLE: Final[list[Block]] = [
    {
        "type": "actions",
        "elements": [
            button("press", value="pressed", style="primary"),
            button(
                "sure",
                confirm={
                    "title": plain("Sure?"),
                    "text": plain("It costs money."),
                    "confirm": plain("Do it"),
                    "deny": plain("Leave it"),
                },
            ),
            {
                "type": "static_select",
                "action_id": "pick",
                "placeholder": plain("Pick"),
                "options": options("one", "two"),
            },
            {"type": "overflow", "action_id": "more", "options": options("mute")},
        ],
    },
    {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": "feedback",
                "positive_button": {"text": plain("Good"), "value": "up"},
                "negative_button": {"text": plain("Bad"), "value": "down"},
            }
        ],
    },
    section("With a button", accessory=button("beside", value="here")),
]


def asked(label: str, element: Block, **more: Any) -> Block:
    """An input block, named as its element."""
    named = {"type": "input", "block_id": element["action_id"], "label": plain(label)}
    return named | {"element": element} | more


FIELDS: Final[list[Block]] = [
    asked("Model", {"type": "plain_text_input", "action_id": "model"}),
    asked(
        "Load",
        {
            "type": "number_input",
            "action_id": "load",
            "is_decimal_allowed": True,
            "initial_value": "50",
        },
        hint=plain("Requests a second"),
    ),
    asked(
        "Region",
        {
            "type": "static_select",
            "action_id": "region",
            "options": options("eu", "us"),
            "initial_option": options("us")[0],
        },
    ),
    asked(
        "GPUs",
        {
            "type": "multi_static_select",
            "action_id": "gpus",
            "options": options("h100", "h200", "b200"),
            "placeholder": plain("Any GPU"),
        },
        optional=True,
    ),
    asked(
        "Pricing",
        {
            "type": "radio_buttons",
            "action_id": "pricing",
            "options": options("spot", "on-demand"),
        },
        optional=True,
    ),
    asked(
        "Limits",
        {
            "type": "checkboxes",
            "action_id": "limits",
            "options": options("latency", "budget"),
        },
        optional=True,
    ),
    asked("From", {"type": "datepicker", "action_id": "from"}, optional=True),
    asked(
        "Channel",
        {
            "type": "conversations_select",
            "action_id": "where",
            "default_to_current_conversation": True,
            "response_url_enabled": True,
        },
    ),
    asked(
        "Any model",
        {
            "type": "external_select",
            "action_id": "found",
            "min_query_length": 1,
        },
        optional=True,
    ),
]

MODAL: Final[Block] = {
    "type": "modal",
    "callback_id": "form",
    "title": plain("A form"),
    "submit": plain("Answer"),
    "notify_on_close": True,
    "blocks": FIELDS,
}


class Gallery:
    """The app and what it heard."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self._news = threading.Condition()

    @contextmanager
    def running(self, settings: Settings) -> Iterator[App]:
        """Run the app as the playground asks for it."""
        yield self._built(settings)

    def _built(self, settings: Settings) -> App:
        token = settings.slack_bot_token
        secret = settings.slack_signing_secret
        assert token is not None
        assert secret is not None
        app = App(
            client=WebClient(
                token=token.get_secret_value(), base_url=settings.slack_api_url
            ),
            signing_secret=secret.get_secret_value(),
            listener_executor=ThreadPoolExecutor(8),
        )
        app.command("/gpucost")(self.show)
        app.event("app_mention")(self.hear)
        app.event("message")(self.hear)
        app.event("app_home_opened")(self.home)
        app.action({"action_id": "press"})(self.push)
        app.action(re.compile(".*"))(self.hear)
        app.view("form")(self.submitted)
        app.view_closed("form")(self.hear)
        app.shortcut(re.compile(".*"))(self.hear)
        app.options("found")(self.suggest)
        return app

    def wait(self, kind: str, seconds: float = 10) -> dict[str, Any]:
        """Give the newest body of a kind, once one has come."""

        def found() -> list[dict[str, Any]]:
            return [body for body in self.heard if kind_of(body) == kind]

        with self._news:
            if not self._news.wait_for(found, seconds):
                raise AssertionError(f"no {kind} came: {self.heard}")
            return found()[-1]

    def hear(self, args: Args) -> None:
        """Remember what came."""
        args.ack()
        with self._news:
            self.heard.append(args.body)
            self._news.notify_all()

    def show(self, args: Args) -> None:
        """Send the blocks that the command names, or open the form."""
        self.hear(args)
        text = (args.command or {})["text"]
        pages = {"texts": TEXTS, "figures": FIGURES, "press": PRESSABLE}
        if text == "form":
            args.client.views_open(trigger_id=args.body["trigger_id"], view=MODAL)
        elif text in pages:
            args.respond(text=text, blocks=pages[text])
        else:
            args.respond(text=text)

    def push(self, args: Args) -> None:
        """Put something else in place of the message whose button was pressed."""
        self.hear(args)
        if args.context.response_url:
            args.respond(text="replaced", replace_original=True)

    def home(self, args: Args) -> None:
        """Publish a Home tab with a button."""
        self.hear(args)
        if (args.event or {})["tab"] == "home":
            blocks = [section("*At home*"), *PRESSABLE]
            args.client.views_publish(
                user_id=(args.event or {})["user"],
                view={"type": "home", "blocks": blocks},
            )

    def submitted(self, args: Args) -> None:
        """Refuse one model, take any other."""
        values = (args.view or {})["state"]["values"]
        if values["model"]["model"]["value"] == "wrong":
            args.ack(response_action="errors", errors={"model": "No such model"})
        else:
            self.hear(args)

    def suggest(self, args: Args) -> None:
        """Offer what was typed, twice."""
        typed = args.body["value"]
        args.ack(options=options(f"{typed}-8b", f"{typed}-70b"))


def kind_of(body: dict[str, Any]) -> str:
    """Name what a body tells of."""
    if "event" in body:
        return str(body["event"]["type"])
    return str(body.get("type") or body.get("command"))
