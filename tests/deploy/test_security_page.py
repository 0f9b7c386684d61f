"""The threat model names tests that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "deploy" / "SECURITY.md").read_text("utf-8")
ATTACKS = PAGE.partition("## Who might attack")[2]
CLAIMS = re.findall(r"^\| (.+?) \| .+? \| (.+?) \|$", ATTACKS, re.MULTILINE)[1:]


@pytest.mark.parametrize(("attack", "held_by"), CLAIMS, ids=lambda c: str(c)[:40])
def test_every_claim_has_its_test(attack: str, held_by: str) -> None:
    """What is said to stop an attack is held by a file of tests that exists."""
    named = re.findall(r"`(tests/[\w/]+\.py)`", held_by)

    assert named
    for name in named:
        assert "def test_" in (ROOT / name).read_text("utf-8")


def test_the_page_says_what_it_does_not_stop() -> None:
    """A threat model without gaps is none."""
    assert "## What does not stop them" in PAGE
    assert len(CLAIMS) > 15
