"""What the articles say, line by line, and where each line is in the program."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct, field

from core.frozen import Frozen
from core.patterns import regex
from core.reference.tables import read_table

KINDS = ("rule", "formula", "default", "reference", "prices", "field", "test")
"""What a place can be; the word before its colon."""


class Article(Frozen, frozen=True):
    """One of the sources, by the letters that its lines begin with."""

    id: str
    title: str
    by: str
    said: str
    """When, as far as the article says."""
    url: str = ""


class Statement(Frozen, frozen=True):
    """One line of an article: its point, and what became of it."""

    id: str
    what: str
    places: tuple[str, ...] = field(default=(), name="in")
    """kind:name, as the head of the file explains."""
    reason: str = field(default="", name="not")
    """Why it is nowhere."""
    says: str = ""
    """What the program does where the line does not hold as it stands."""
    of: tuple[str, ...] = ()
    """The articles that a contradiction is found in."""
    about: tuple[str, ...] = ()
    """The terms of the glossary that it belongs to, where it has no entry there."""

    @property
    def article(self) -> str:
        """The letters before the dash."""
        return self.id.partition("-")[0]

    @property
    def covered(self) -> bool:
        """Whether the program has it."""
        return bool(self.places)

    def __post_init__(self) -> None:
        if self.covered == bool(self.reason):
            raise ValueError(f"{self.id} is either somewhere or nowhere with a reason")
        if unknown := [p for p in self.places if p.partition(":")[0] not in KINDS]:
            raise ValueError(f"{self.id} names places of no kind: {unknown}")


class Coverage(Struct, frozen=True):
    """Every article and every line, in order."""

    articles: Mapping[str, Article]
    statements: Mapping[str, Statement]

    def found(self, word: str) -> tuple[Statement, ...]:
        """The lines whose id begins with a word, else those that hold it anywhere."""
        plain = _as_id(word.lower())
        by_id = [s for s in self.statements.values() if s.id.lower().startswith(plain)]
        held = (s for s in self.statements.values() if plain in _text(s))
        return tuple(by_id or held)


_LOOSE_ID = regex(r"(s[0-4]|x)-?0*(\d{1,3})")


def _as_id(word: str) -> str:
    """An id as people type it, x12 or s1-7, in its full form; other words as is."""
    found = _LOOSE_ID.fullmatch(word)
    return f"{found[1]}-{int(found[2]):03d}" if found else word


def _text(line: Statement) -> str:
    parts = (line.id, line.what, *line.places, line.reason, line.says)
    return " ".join(parts).lower()


@cache
def coverage() -> Coverage:
    """Read the packaged file, once."""
    table = read_table("core.reference", "coverage.toml")
    articles = {
        k: Article.model_validate(row | {"id": k})
        for k, row in table["article"].items()
    }
    statements = {
        k: Statement.model_validate(row | {"id": k})
        for k, row in table["statement"].items()
    }
    return Coverage(articles, statements)


_NAMED = regex(
    r"(?:(?:explain|why|sources?) (?P<asked>(?:s[0-4]-|x-?)\d{1,3})"
    r"|(?P<alone>(?:s[0-4]|x)-\d{1,3}|x\d{3}))\??"
)
"""Alone it takes a dash or three digits: "x8" in a thread means eight GPUs."""


def line_named(text: str) -> Statement | None:
    """The line that a text is the id of, such as "X-012" or "explain x12"."""
    found = _NAMED.fullmatch(text.strip().lower())
    named = (found["asked"] or found["alone"]) if found else ""
    return coverage().statements.get(_as_id(named).upper())
