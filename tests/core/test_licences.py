"""Weights that a business may not simply use."""

import pytest

from core.reference.licences import licence_of, licences


@pytest.mark.parametrize(
    ("model", "limited"),
    [
        ("mistral-large-123b", True),
        ("Mistral Large 2411", True),
        ("mistral-large-3-675b-a41b", False),
        ("FLUX.1 dev", True),
        ("flux.1-schnell", False),
        ("command-r-plus", True),
        ("llama-3.3-70b", False),
        ("qwen2.5-32b", False),
        ("exaone-4.0-32b", False),  # its terms changed: nothing is claimed
    ],
)
def test_a_family_is_told_from_its_free_members(model: str, limited: bool) -> None:
    """The beginning of a name says whose weights they are."""
    assert limited is (licence_of(model) is not None)


def test_every_licence_has_a_source() -> None:
    """No limit is claimed without a page that states it."""
    assert all(one.source.startswith("https://") for one in licences())
