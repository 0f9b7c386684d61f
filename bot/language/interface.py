"""One line of `gpucost parse --jsonl`."""

from collections.abc import Mapping
from typing import Any

from bot.language.parse import parse
from core.query import Query


def parse_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """Parse `{"id", "text"}` into the stated fields and whether to ask back."""
    query = parse(str(row.get("text", "")))
    stated, asked = query.stated(), query.clarify
    written = query.model_dump(exclude_none=True)
    return {
        "id": row.get("id"),
        "spec": {name: written[name] for name in stated},
        "spans": {name: spans for name, spans in query.spans.items() if name in stated},
        "not_used": [
            {"start": one.start, "end": one.end, "text": one.text, "why": one.why}
            for one in query.not_used
        ]
        + _beside(query, stated),
        "clarify": asked is not None,
        "clarify_about": list(asked.about) if asked else [],
        "clarify_question": asked.question if asked else None,
    }


def _beside(query: Query, stated: Mapping[str, object]) -> list[dict[str, Any]]:
    """What the answer takes into account and the fields of a line do not hold."""
    return [
        {"start": a, "end": b, "text": query.text[a:b], "why": f"no field: {name}"}
        for name, spans in query.spans.items()
        if name not in stated
        for a, b in spans
    ]
