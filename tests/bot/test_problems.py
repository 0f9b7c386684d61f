"""What to try instead of a name that no table knows."""

import pytest

from bot.answers.shared.problems import unresolved_view
from core.query import Query, Unknown
from core.resolve import Unresolved


@pytest.mark.parametrize(
    ("text", "name", "examples"),
    [
        ("llama 8b on an rtx 4060", "rtx4060",
         ("llama 8b on an rtx4090", "llama 8b on an l4")),
        ("8b on RTX-4060 5 rps", "rtx4060", ("8b on rtx4090 5 rps", "8b on l4 5 rps")),
        ("70b at foo (cloud)", "foo (cloud)", ("70b at rtx4090", "70b at l4")),
    ],
)  # fmt: skip
def test_the_nearest_names_stand_where_the_unknown_one_did(
    text: str, name: str, examples: tuple[str, ...]
) -> None:
    """However the asker spaced it; the refused question itself is no example."""
    unknown = Unknown(kind="gpu", text=name, nearest=("rtx4090", "l4"))
    problem = Unresolved(reason="I don't know it.", unknown=(unknown,))

    assert examples == unresolved_view(Query(text=text), problem).examples


def test_a_name_that_stands_nowhere_leaves_the_usual_examples() -> None:
    """A name that was mended on the way is not found again."""
    unknown = Unknown(kind="gpu", text="rtx4060", nearest=("rtx4090",))
    problem = Unresolved(reason="I don't know it.", unknown=(unknown,))
    text = "llama 8b on that card"

    assert text not in unresolved_view(Query(text=text), problem).examples
