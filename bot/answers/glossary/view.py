"""What a word means: the sentence, what follows from it, what is often said wrong."""

from collections.abc import Mapping, Sequence

from bot.answers.shared.page import Page
from bot.render.views import AnswerView
from bot.render.words import say
from core.answers.glossary import Correction, Entry, Glossary, Meaning, glossary
from core.reference.coverage import Article, Statement

EXAMPLES = (
    say("glossary.what_is_kv_cache"),
    say("glossary.why_is_inference_memory"),
    say("glossary.ttft_vs_tpot"),
)
MORE_ENTRIES = 2
CORRECTIONS = 3


def glossary_view(found: Meaning, page: Page) -> AnswerView:
    """The best entry as verdict and why, the next as notes, then the corrections."""
    known, (first, *others) = glossary(), found.entries
    said = known.corrections_of(found.entries[: 1 + MORE_ENTRIES], page.text)
    notes = [_entitled(one) for one in others[:MORE_ENTRIES]]
    notes += corrected(said)
    related = [known.entries[key].title for key in first.see]
    sources = dict.fromkeys(source.url for source in first.sources)
    return page.answer(
        verdict=first.short,
        why=first.more,
        notes=tuple(notes),
        small_print=(
            *(
                (say("glossary.see_also", related=", ".join(related)),)
                if related
                else ()
            ),
            *_more_said(said[CORRECTIONS:]),
            say(
                "glossary.sources_checked",
                checked=first.sources[0].checked,
                sources=", ".join(sources),
            ),
        ),
        buttons=("share",),
    )


def _entitled(entry: Entry) -> str:
    """A further entry under its title, unless it begins with that."""
    if entry.short.startswith(entry.title):
        return entry.short
    return f"{entry.title}: {entry.short}"


def corrected(said: Sequence[Correction]) -> list[str]:
    """What is often said wrong, the nearest to the question first, put right."""
    return [
        say("glossary.corrected", said=one.said, holds=one.holds, id=one.id)
        for one in said[:CORRECTIONS]
    ]


def _more_said(rest: Sequence[Correction]) -> tuple[str, ...]:
    """Where the other corrections are found."""
    if not rest:
        return ()
    return (say("glossary.more_said", id=", ".join(one.id for one in rest)),)


def line_view(line: Statement, articles: Mapping[str, Article]) -> AnswerView:
    """One line of the articles, and what the program does about it."""
    named = line.of or (line.article,)
    titles = "; ".join(f"{articles[n].title} ({articles[n].said})" for n in named)
    return AnswerView(
        kind="answer",
        question=line.id,
        verdict=line.says
        or line.reason
        or say("glossary.as_the_article_says", what=line.what),
        why=f"{line.id}: {line.what}." if line.says or line.reason else "",
        small_print=(say("glossary.said_in", titles=titles),),
    )


def unknown_word_view(known: Glossary, question: str) -> AnswerView:
    """A hint with what can be explained."""
    return AnswerView(
        kind="hint",
        question=question,
        verdict=say("glossary.i_do_not_know"),
        why=(
            say("glossary.where_to_find_arithmetic", titles=", ".join(known.titles()))
        ),
        examples=EXAMPLES,
    )
