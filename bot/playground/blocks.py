"""Blocks as Slack takes them in: refused when unreadable, each with an id."""

import copy
import secrets
from collections.abc import Iterator
from typing import Any, Final

Block = dict[str, Any]

MESSAGE_BLOCKS: Final = 50
VIEW_BLOCKS: Final = 100
NATIVE: Final = frozenset({"data_table", "data_visualization", "container", "table"})
"""Blocks of 2025 and 2026, which not every workspace takes."""


class RefusedError(Exception):
    """Slack would not do it; the argument is its error code, then the details."""

    def __init__(self, code: str, *details: str) -> None:
        super().__init__(code, *details)
        self.code = code
        self.details = list(details)


def taken_in(blocks: object, most: int, classic: bool = False) -> list[Block]:
    """Check blocks in outline and give ids to those without one."""
    if not isinstance(blocks, list):
        raise RefusedError("invalid_blocks_format")
    if len(blocks) > most:
        raise RefusedError("invalid_blocks", f"{len(blocks)} blocks, at most {most}")
    for number, block in enumerate(blocks):
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            raise RefusedError("invalid_blocks", f"no type [json-pointer:/{number}]")
        if classic and block["type"] in NATIVE:
            raise RefusedError(
                "invalid_blocks",
                f"unsupported type: {block['type']} [json-pointer:/{number}/type]",
            )
    kept: list[Block] = copy.deepcopy(blocks)
    for piece in pieces(kept):
        _name(piece)
    return kept


def pieces(blocks: list[Block]) -> Iterator[Block]:
    """List blocks, those within containers and cards too."""
    for block in blocks:
        yield block
        for key in ("child_blocks", "elements"):
            inner = block.get(key)
            if isinstance(inner, list) and block["type"] in ("container", "carousel"):
                yield from pieces([each for each in inner if isinstance(each, dict)])


def elements(blocks: list[Block]) -> Iterator[tuple[Block, Block]]:
    """List whatever can be pressed or filled in, each after its block."""
    for block in pieces(blocks):
        for element in _own_elements(block):
            if isinstance(element, dict) and "action_id" in element:
                yield block, element


def find_element(blocks: list[Block], block_id: str, action_id: str) -> Block | None:
    """Find an element by the two ids under which Slack reports it."""
    for block, element in elements(blocks):
        if (block.get("block_id"), element["action_id"]) == (block_id, action_id):
            return element
    return None


def _own_elements(block: Block) -> list[Any]:
    found = [block.get("element"), block.get("accessory")]
    for key in ("elements", "actions"):
        inner = block.get(key)
        if isinstance(inner, list) and block["type"] != "carousel":
            found += inner
    return [element for element in found if isinstance(element, dict)]


def _name(block: Block) -> None:
    block.setdefault("block_id", secrets.token_urlsafe(4))
    interactive = block["type"] in ("actions", "context_actions", "input", "card")
    for element in _own_elements(block):
        if interactive or element is block.get("accessory"):
            element.setdefault("action_id", secrets.token_urlsafe(4))
