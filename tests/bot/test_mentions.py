"""Reading a message as it was typed."""

import pytest

from bot.slack.listeners.mentions import said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<@UBOT> 70b inference 50rps", "70b inference 50rps"),
        ("hey <@UBOT>, 70b", "hey , 70b"),
        ("<@UBOT|gpucost> ttft &lt; 300ms &amp; int8", "ttft < 300ms & int8"),
        ("<@UBOT> see <https://hf.co/a/b|hf.co/a/b>", "see hf.co/a/b"),
        ("<@UBOT> <https://hf.co/a/b>", "https://hf.co/a/b"),
        ("<@UBOT> ask <#C1|infra> <!here>", "ask infra"),
        ("<@UBOT>", ""),
    ],
)
def test_markup_is_read_as_what_was_typed(text: str, expected: str) -> None:
    """Mentions go, links keep what is shown, entities are the characters again."""
    assert expected == said(text)
