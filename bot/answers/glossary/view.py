"""What a word means: the sentence, what follows from it, what is often said wrong."""

from collections.abc import Mapping, Sequence

from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from core.answers.glossary import Correction, Glossary, Meaning, glossary
from core.reference.coverage import Article, Statement

EXAMPLES = ("what is KV cache", "why is inference memory bound", "ttft vs tpot")
MORE_ENTRIES = 2
CORRECTIONS = 3


def glossary_view(found: Meaning, page: Page) -> AnswerView:
    """The best entry as verdict and why, the next as notes, then the corrections."""
    known, (first, *others) = glossary(), found.entries
    said = known.corrections_of(found.entries[: 1 + MORE_ENTRIES], page.text)
    notes = [f"{one.title}: {one.short}" for one in others[:MORE_ENTRIES]]
    notes += corrected(said)
    related = [known.entries[key].title for key in first.see]
    sources = dict.fromkeys(source.url for source in first.sources)
    return page.answer(
        verdict=first.short,
        why=first.more,
        notes=tuple(notes),
        small_print=(
            *((f"See also: {', '.join(related)}.",) if related else ()),
            *_more_said(said[CORRECTIONS:]),
            f"Sources (checked {first.sources[0].checked}): {', '.join(sources)}",
        ),
        buttons=("share",),
    )


def corrected(said: Sequence[Correction]) -> list[str]:
    """What is often said wrong, the nearest to the question first, put right."""
    return [
        f"Often said: “{one.said}” In fact: {one.holds} ({one.id})"
        for one in said[:CORRECTIONS]
    ]


def _more_said(rest: Sequence[Correction]) -> tuple[str, ...]:
    """Where the other corrections are found."""
    if not rest:
        return ()
    return (f"Also put right: {', '.join(one.id for one in rest)}; ask by the id.",)


def line_view(line: Statement, articles: Mapping[str, Article]) -> AnswerView:
    """One line of the articles, and what the program does about it."""
    named = line.of or (line.article,)
    titles = "; ".join(f"{articles[n].title} ({articles[n].said})" for n in named)
    return AnswerView(
        kind="answer",
        id="",
        question=line.id,
        verdict=line.says or line.reason or f"As the article says: {line.what}.",
        why=f"{line.id}: {line.what}." if line.says or line.reason else "",
        small_print=(f"Said in: {titles}.",),
    )


def unknown_word_view(known: Glossary, question: str) -> AnswerView:
    """A hint with what can be explained."""
    return AnswerView(
        kind="hint",
        id="",
        question=question,
        verdict="I do not know that word.",
        why=(
            "For the arithmetic of an answer: why, and the id in its small print. "
            f"Words: {', '.join(known.titles())}."
        ),
        examples=EXAMPLES,
    )
