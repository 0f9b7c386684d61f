"""Write down the real words that look like a slip in one of ours.

    python -m tests.bench.lookalikes

"The basement" is no misspelt Baseten and "tracking" no training: what stands in a
dictionary and is near one of our words is never mended into it. The words come from
the frequency lists of seven languages in pyspellchecker (MIT), which nothing else here
needs and which is read where it is installed. Of other languages only what is near a
proper name counts: "proces" near "prices" means nearly the same or nothing.
"""

import gzip
import json
import textwrap
import unicodedata
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from bot.language.names import names
from bot.language.typos import nearest, proper_names
from bot.language.vocabulary import vocabulary

COMMON = 300
"""Times that a word stands in its list; below it, misspelt words do as well."""
TABLE = Path("bot/language/words/lookalikes.toml")
HEAD = "# Written by tests/bench/lookalikes.py: real words that are no slips in ours."
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")


def main() -> None:
    """Write the table of words."""
    words = " ".join(sorted(set(lookalikes(dictionary()))))
    table = "\n".join(textwrap.wrap(words, 118))
    TABLE.write_text(f'{HEAD}\n\nwords = """\n{table}\n"""\n')


def dictionary() -> dict[str, str]:
    """Every common word without accents, and the first language that has it."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        packed = files("spellchecker").joinpath("resources", f"{language}.json.gz")
        for word, times in json.loads(gzip.decompress(packed.read_bytes())).items():
            letters = unicodedata.normalize("NFD", word.lower().replace("ß", "ss"))
            plain = "".join(c for c in letters if not unicodedata.combining(c))
            if times >= COMMON and plain.isascii() and plain.isalpha():
                found.setdefault(plain, language)
    return found


def lookalikes(words: Mapping[str, str]) -> Iterator[str]:
    """The words of a dictionary that would be mended, and mean something else."""
    proper = {name for group in proper_names().values() for name in group}
    words_of_ours = vocabulary().phrases, vocabulary().numbers, names().senses
    known = proper.union(*words_of_ours, names().weak, vocabulary().ordinary)
    known |= {name.removesuffix("ai") for name in proper}
    for word, language in words.items():
        meant = nearest(word) if 4 <= len(word) <= 20 and word not in known else None
        if meant in proper or (meant and language == "en" and not _bent(word, meant)):
            yield word


def _bent(word: str, meant: str) -> bool:
    """Whether a word is another form of ours: "compares", "transcribed"."""
    shorter = min(len(word), len(meant)) - 1
    return shorter >= 5 and word[:shorter] == meant[:shorter]


if __name__ == "__main__":
    main()
