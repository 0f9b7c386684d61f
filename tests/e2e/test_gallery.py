"""The pictures that the documents show."""

import re
import struct
from pathlib import Path

import pytest

from tests.e2e.screenshots import ON_A_PHONE, PHONE, SCENES, WIDTH

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy/screenshots"
MOST_BYTES = 150_000
SHOWN_FIRST = 1, 2
"""On the front page, at least and at most."""
PICTURE = re.compile(r"!\[([^\]]+)\]\(([^)]+)\)")


def pictures(document: Path) -> dict[Path, str]:
    """The pictures of a document, with the words for who cannot see them."""
    found = PICTURE.findall(document.read_text("utf-8"))
    return {(document.parent / where).resolve(): words for words, where in found}


def size(file: Path) -> tuple[int, int]:
    """Read a PNG's width and height from its header."""
    head = file.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def test_the_gallery_shows_every_picture() -> None:
    """Each scene once, none that nobody takes any more."""
    names = {*SCENES, "phone"}

    assert len(SCENES) >= 10
    assert {FOLDER / f"{name}.png" for name in names} == set(FOLDER.glob("*.png"))
    assert set(pictures(FOLDER / "README.md")) == set(FOLDER.glob("*.png"))


@pytest.mark.parametrize("name", [*SCENES, "phone"])
def test_a_picture_is_small_and_of_its_screen(name: str) -> None:
    """Nobody waits for it, and a phone's is as wide as a phone."""
    file = FOLDER / f"{name}.png"

    assert file.stat().st_size <= MOST_BYTES
    expected = PHONE[0] if name not in SCENES else WIDTH
    assert size(file)[0] == expected
    assert ON_A_PHONE <= SCENES.keys()


def test_the_readme_shows_a_few_and_links_the_rest() -> None:
    """Each with words, so that nobody scrolls past pictures to the first step."""
    shown = pictures(ROOT / "README.md")

    assert SHOWN_FIRST[0] <= len(shown) <= SHOWN_FIRST[1]
    assert set(shown) <= set(FOLDER.glob("*.png"))
    assert all(len(words) > 5 for words in shown.values())
    assert "(deploy/screenshots/README.md)" in (ROOT / "README.md").read_text("utf-8")
