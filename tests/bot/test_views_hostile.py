"""No text from outside breaks a form or a page, or becomes markup there."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.render.form_submission import read_submission
from bot.render.form_views import FormField, FormView, Option
from bot.render.home_views import HomeRow, HomeSection, HomeView
from bot.render.view_rendering import ViewRenderer
from bot.render.views import Action, Cell, Chip, Table
from bot.slack.modals.form import Origin, question_form
from core.query import Query
from core.reference.load import reference
from tests.bot.blocks import check_home, check_modal, of_type
from tests.bot.test_rendering_hostile import HOSTILE, texts

VIEWS = ViewRenderer()
KINDS = ("text", "one", "many", "users", "conversation")


def check_inert(view: dict[str, Any]) -> None:
    """Assert that nothing in a view could be read as markup."""
    for kind in ("mrkdwn", "user", "usergroup", "broadcast", "link"):
        assert not of_type(view, kind)
    # Where an alert speaks is named by the bot itself.
    assert {c["channel_id"] for c in of_type(view, "channel")} <= {"C1"}


def form_of(text: str) -> FormView:
    """Put one text into everything that a form shows."""
    options = (Option(value=text, label=text), Option(value="known", label=text))
    fields = tuple(
        FormField(
            name=f"{kind}{n}",
            label=text,
            kind=kind,
            initial=(text,) if kind in ("text", "one", "many") else (),
            options=options if kind in ("one", "many") else (),
            placeholder=text,
            hint=text,
            focus=n == 0 and kind == "text",
        )
        for n in range(2)
        for kind in KINDS
    )
    return FormView(
        callback="c", metadata="{}", title=text, submit=text, intro=text, fields=fields
    )


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_in_a_form_stays_text(text: str) -> None:
    """Whatever an option, a hint or an initial value holds, Slack takes the form."""
    view = VIEWS.render_form(form_of(text))

    check_modal(view)
    check_inert(view)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_words_in_a_question_stay_words(text: str) -> None:
    """A query whose every word came from outside has a valid form."""
    query = Query(
        model=text or None,
        gpu=(text,),
        provider=(text, text),
        region=text or None,
        method=(text,),
        budget_amount=1,
        budget_currency=text or None,
    )
    chip = Chip(field="model", label=text, value=text, why=text)

    view = VIEWS.render_form(question_form(query, Origin(), (chip,), "model"))

    check_modal(view)
    check_inert(view)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_words_typed_into_a_form_are_read_or_refused(text: str) -> None:
    """No submission raises; what it says is short enough for Slack to show."""
    state = {
        name: {"value": {"value": text}} for name in ("model", "load", "budget", "more")
    } | {"gpu": {"value": {"selected_options": [{"value": text}]}}}

    read = read_submission(state, reference())

    assert all(0 < len(problem) <= 3000 for problem in read.errors.values())


sections = st.builds(
    HomeSection,
    title=texts,
    rows=st.lists(
        st.builds(
            HomeRow,
            text=texts,
            channel_id=st.sampled_from(["C1", "D1", ""]) | texts,
            detail=texts,
            actions=st.lists(
                st.builds(Action, id=texts, label=texts, value=texts), max_size=2
            ).map(tuple),
        ),
        max_size=8,
    ).map(tuple),
    table=st.one_of(
        st.none(),
        st.builds(
            Table,
            caption=texts,
            columns=st.just(("a", "b")),
            rows=st.lists(
                st.tuples(*[st.builds(Cell, text=texts)] * 2), max_size=4
            ).map(tuple),
        ),
    ),
    empty=texts,
)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    parts=st.lists(sections, max_size=5).map(tuple), intro=texts, native=st.booleans()
)
def test_any_page_is_valid_and_inert(
    parts: tuple[HomeSection, ...], intro: str, native: bool
) -> None:
    """However much a page holds, Slack takes it."""
    home = HomeView(
        intro=intro,
        actions=(Action(id="a", label="A", value="1"),),
        sections=parts,
        small_print=intro,
    )

    view = VIEWS.render_home(home, native)

    check_home(view)
    check_inert(view)
