"""An independent opinion on block lists: slackblocks' constructors, then a comparison.

Its parser reads few block types back, so each block is rebuilt here through the
constructors, which hold Slack's limits, and must come out as it went in.
"""

from collections.abc import Callable
from typing import Any

import slackblocks as sb
from slackblocks.blocks import (
    ContainerBlock,
    ContextActionsBlock,
    DataTableBlock,
    DataVisualizationBlock,
)
from slackblocks.elements import (
    ConversationSelectMenu,
    FeedbackButton,
    FeedbackButtons,
    StaticMultiSelectMenu,
    UserMultiSelectMenu,
)
from slackblocks.messages import Message
from slackblocks.objects import (
    AxisConfig,
    BarChart,
    DataPoint,
    DataSeries,
    LineChart,
    RawNumber,
    RawText,
)
from slackblocks.rich_text import (
    RichText,
    RichTextChannel,
    RichTextCodeBlock,
    RichTextList,
    RichTextQuote,
    RichTextSection,
    RichTextUser,
)

Block = dict[str, Any]
_DEFAULTS = {"emoji", "offset", "border", "width", "has_header_divider", "block_id"}
_DEFAULTS |= {"multiline", "clear_on_close", "notify_on_close", "submit_disabled"}


def check_message(blocks: list[Block], text: str) -> None:
    """Raise unless Slack's limits hold for each block and for the whole message."""
    rebuilt = [_block(block) for block in blocks]
    Message(channel="C1", text=text, blocks=rebuilt)
    assert [_bare(block) for block in blocks] == [
        _bare(block._resolve()) for block in rebuilt
    ]
    assert len(text) <= 4000
    assert _shown(blocks) <= 13_000


def check_modal(view: Block) -> None:
    """Raise unless Slack's limits hold for a form."""
    rebuilt = sb.ModalView(
        _text(view["title"]),
        [_block(block) for block in view["blocks"]],
        close=_text(view["close"]),
        submit=_text(view["submit"]),
        private_metadata=view["private_metadata"],
        callback_id=view["callback_id"],
    )
    assert _bare(view) == _bare(rebuilt._resolve())
    ids = [block["block_id"] for block in view["blocks"] if "block_id" in block]
    assert len(ids) == len(set(ids))
    assert len(of_focus(view)) <= 1


def check_home(view: Block) -> None:
    """Raise unless Slack's limits hold for a person's page."""
    rebuilt = sb.HomeTabView(
        [_block(block) for block in view["blocks"]],
        private_metadata=view.get("private_metadata"),
    )
    assert _bare(view) == _bare(rebuilt._resolve())
    tables = of_type(view["blocks"], "data_table")
    assert sum(_shown(table["rows"]) for table in tables) <= 10_000


def of_focus(piece: object) -> list[Block]:
    """Find the inputs that want to be typed into first."""
    if isinstance(piece, dict):
        own = [piece] if piece.get("focus_on_load") else []
        return own + [hit for value in piece.values() for hit in of_focus(value)]
    if isinstance(piece, list):
        return [hit for item in piece for hit in of_focus(item)]
    return []


def every_text(piece: object) -> list[str]:
    """Collect every string that a block list shows or sends."""
    if isinstance(piece, str):
        return [piece]
    if isinstance(piece, dict):
        return [text for value in piece.values() for text in every_text(value)]
    if isinstance(piece, list):
        return [text for item in piece for text in every_text(item)]
    return []


def of_type(piece: object, name: str) -> list[Block]:
    """Find every block, element or text object of a type, however deep."""
    found: list[Block] = []
    if isinstance(piece, dict):
        found += [piece] if piece.get("type") == name else []
        found += [hit for value in piece.values() for hit in of_type(value, name)]
    if isinstance(piece, list):
        found += [hit for item in piece for hit in of_type(item, name)]
    return found


def _shown(piece: Any) -> int:
    """Count shown characters: about 13,200 in one message are refused by Slack."""
    if isinstance(piece, dict):
        hidden = {"type", "action_id", "value", "style"}
        return sum(_shown(value) for key, value in piece.items() if key not in hidden)
    if isinstance(piece, list):
        return sum(map(_shown, piece))
    return len(piece) if isinstance(piece, str) else 0


def _bare(piece: Any) -> Any:
    if isinstance(piece, dict):
        return {k: _bare(v) for k, v in piece.items() if k not in _DEFAULTS}
    return [_bare(item) for item in piece] if isinstance(piece, list) else piece


def _block(block: Block) -> Any:
    return _BUILDERS[block["type"]](block)


def _text(text: Block) -> sb.Text:
    if text["type"] == "mrkdwn":
        return sb.Markdown(text["text"], verbatim=text.get("verbatim", False))
    return sb.PlainText(text["text"], emoji=text.get("emoji", False))


def _button(button: Block) -> sb.Button:
    return sb.Button(
        _text(button["text"]),
        action_id=button["action_id"],
        value=button.get("value"),
        style=button.get("style"),
    )


def _header(block: Block) -> sb.HeaderBlock:
    return sb.HeaderBlock(_text(block["text"]))


def _context_actions(block: Block) -> ContextActionsBlock:
    (element,) = block["elements"]
    good, bad = (
        FeedbackButton(_text(element[name]["text"]), element[name]["value"])
        for name in ("positive_button", "negative_button")
    )
    return ContextActionsBlock(
        [FeedbackButtons(good, bad, action_id=element["action_id"])]
    )


def _input(block: Block) -> sb.InputBlock:
    hint = block.get("hint")
    return sb.InputBlock(
        _text(block["label"]),
        _ELEMENTS[block["element"]["type"]](block["element"]),
        block_id=block["block_id"],
        hint=_text(hint) if hint else None,
        optional=block.get("optional", False),
    )


def _common(element: Block) -> dict[str, Any]:
    placeholder = element.get("placeholder")
    return {
        "action_id": element["action_id"],
        "focus_on_load": element.get("focus_on_load", False),
        "placeholder": _text(placeholder) if placeholder else None,
    }


def _option(option: Block) -> sb.Option:
    return sb.Option(_text(option["text"]), option["value"])


def _typed(element: Block) -> sb.PlainTextInput:
    initial = element.get("initial_value")
    assert initial is None or 0 < len(initial) <= element["max_length"]
    return sb.PlainTextInput(
        initial_value=initial, max_length=element["max_length"], **_common(element)
    )


def _select(element: Block) -> sb.StaticSelectMenu:
    initial = element.get("initial_option")
    assert initial is None or initial in element["options"]
    return sb.StaticSelectMenu(
        options=[_option(option) for option in element["options"]],
        initial_option=_option(initial) if initial else None,
        **_common(element),
    )


def _multi_select(element: Block) -> StaticMultiSelectMenu:
    initial = element.get("initial_options", [])
    assert all(option in element["options"] for option in initial)
    return StaticMultiSelectMenu(
        options=[_option(option) for option in element["options"]],
        initial_options=[_option(option) for option in initial] or None,
        **_common(element),
    )


def _users(element: Block) -> UserMultiSelectMenu:
    return UserMultiSelectMenu(
        initial_users=element.get("initial_users"), **_common(element)
    )


def _conversation(element: Block) -> ConversationSelectMenu:
    return ConversationSelectMenu(
        default_to_current_conversation=element["default_to_current_conversation"],
        response_url_enabled=element["response_url_enabled"],
        **_common(element),
    )


def _actions(block: Block) -> sb.ActionsBlock:
    ids = [element["action_id"] for element in block["elements"]]
    assert len(ids) == len(set(ids))
    return sb.ActionsBlock([_button(element) for element in block["elements"]])


def _context(block: Block) -> sb.ContextBlock:
    return sb.ContextBlock([_text(element) for element in block["elements"]])


def _container(block: Block) -> ContainerBlock:
    return ContainerBlock(
        [_block(child) for child in block["child_blocks"]],
        title=_text(block["title"]),
        is_collapsible=block["is_collapsible"],
        default_collapsed=block["default_collapsed"],
    )


def _rich_text(block: Block) -> sb.RichTextBlock:
    return sb.RichTextBlock([_rich(element) for element in block["elements"]])


def _rich(element: Block) -> Any:
    inner = [_rich(child) for child in element.get("elements", [])]
    kind = element["type"]
    if kind == "channel":
        return RichTextChannel(element["channel_id"])
    if kind == "user":
        return RichTextUser(element["user_id"])
    if kind == "text":
        assert element["text"]
        return RichText(element["text"], **element.get("style", {}))
    if kind == "rich_text_list":
        return RichTextList(element["style"], inner)
    boxes = {
        "rich_text_section": RichTextSection,
        "rich_text_quote": RichTextQuote,
        "rich_text_preformatted": RichTextCodeBlock,
    }
    return boxes[kind](inner)


def _data_table(block: Block) -> DataTableBlock:
    rows = [[_cell(cell) for cell in row] for row in block["rows"]]
    assert len(rows) <= 101
    assert sum(len(cell["text"]) for row in block["rows"] for cell in row) <= 10_000
    return DataTableBlock(
        rows,
        caption=block["caption"],
        page_size=block["page_size"],
        row_header_column_index=block["row_header_column_index"],
    )


def _cell(cell: Block) -> RawText | RawNumber:
    if cell["type"] == "raw_number":
        return RawNumber(value=cell["value"], text=cell["text"])
    return RawText(cell["text"])


def _chart(block: Block) -> DataVisualizationBlock:
    chart = block["chart"]
    series = [
        DataSeries(s["name"], [DataPoint(p["label"], p["value"]) for p in s["data"]])
        for s in chart["series"]
    ]
    assert len(series) <= 6
    kind = {"bar": BarChart, "line": LineChart}[chart["type"]]
    axes = AxisConfig(**chart["axis_config"])
    return DataVisualizationBlock(block["title"], kind(series, axes))


_ELEMENTS: dict[str, Callable[[Block], Any]] = {
    "conversations_select": _conversation,
    "multi_static_select": _multi_select,
    "multi_users_select": _users,
    "plain_text_input": _typed,
    "static_select": _select,
}
_BUILDERS: dict[str, Callable[[Block], Any]] = {
    "actions": _actions,
    "context": _context,
    "context_actions": _context_actions,
    "container": _container,
    "data_table": _data_table,
    "data_visualization": _chart,
    "header": _header,
    "input": _input,
    "rich_text": _rich_text,
}
