"""One line of `gpucost parse --jsonl`."""

from collections.abc import Mapping
from typing import Any

from bot.language.parse import parse


def parse_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """Parse `{"id", "text"}` into the stated fields and whether to ask back."""
    query = parse(str(row.get("text", "")))
    spec = query.model_dump(mode="json", exclude_none=True, include=set(query.stated()))
    asked = query.clarify
    return {
        "id": row.get("id"),
        "spec": spec,
        "clarify": asked is not None,
        "clarify_about": list(asked.about) if asked else [],
        "clarify_question": asked.question if asked else None,
    }
