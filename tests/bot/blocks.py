"""An independent opinion on block lists: slackblocks' constructors, then a comparison.

Its parser reads few block types back, so each block is rebuilt here through the
constructors, which hold Slack's limits, and must come out as it went in.
"""

from collections.abc import Callable
from typing import Any

import slackblocks as sb
from slackblocks.blocks import ContainerBlock, DataTableBlock, DataVisualizationBlock
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
    RichTextCodeBlock,
    RichTextList,
    RichTextQuote,
    RichTextSection,
    RichTextUser,
)

Block = dict[str, Any]
_DEFAULTS = {"emoji", "offset", "border", "width", "has_header_divider", "block_id"}


def check_message(blocks: list[Block], text: str) -> None:
    """Raise unless Slack's limits hold for each block and for the whole message."""
    rebuilt = [_block(block) for block in blocks]
    Message(channel="C1", text=text, blocks=rebuilt)
    assert [_bare(block) for block in blocks] == [
        _bare(block._resolve()) for block in rebuilt
    ]
    assert len(text) <= 4000
    assert _shown(blocks) <= 13_000


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


_BUILDERS: dict[str, Callable[[Block], Any]] = {
    "actions": _actions,
    "context": _context,
    "container": _container,
    "data_table": _data_table,
    "data_visualization": _chart,
    "rich_text": _rich_text,
}
