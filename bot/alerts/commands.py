"""The alerts of every channel: what people ask of them, answered."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from fnmatch import fnmatchcase

from msgspec import Struct

from bot.alerts import views
from bot.alerts.baseline import Baseline
from bot.alerts.channel_access import ChannelAccess
from bot.alerts.current_state import current_state_words
from bot.alerts.messages import Composer
from bot.alerts.series import current_price
from bot.alerts.trial import trial_letter
from bot.language.alerts.commands import read_request, read_watch
from bot.language.alerts.requests import (
    Adopt,
    Create,
    Mute,
    Problem,
    Remove,
    Request,
    Resume,
    Show,
    Try,
    WatchQuestion,
    Which,
)
from bot.language.alerts.sentences import read_spoken
from bot.question.asking import AskContext
from bot.question.role import Role
from bot.render.views import AnswerView
from bot.slack.authority import refused_view
from bot.slack.settings.settings import overheard_view
from core.alerts.letters import Address
from core.alerts.selection import Selection
from core.alerts.subscription import PriceWatch, Subscription, Wanted, Watch
from core.offers import Offer
from core.patterns import regex
from core.query import Query
from prices.alerts.subscriptions import SubscriptionBook

MOST_OF_CHANNEL = 100
_LEAD = regex(r"^(?:(?:me|us|here)\s+)?(?:(?:when|if|once)\s+)?", re.IGNORECASE)
Read = Callable[[str], Query]


class AlertCommands(Struct, frozen=True):
    """Takes commands and sentences about alerts; every answer is a view."""

    book: SubscriptionBook
    composer: Composer
    baseline: Baseline
    channel_access: ChannelAccess
    read: Read
    """The question parser, for what is not written as a command."""

    def answer(self, text: str, context: AskContext, now: datetime) -> AnswerView:
        """Answer a command that begins with one of the verbs."""
        return self._done(self.request(text, now), text, context, now)

    def adjusted(
        self, number: int, text: str, context: AskContext, now: datetime
    ) -> AnswerView:
        """Watch what a command says in place of an alert; 0: besides all others."""
        before = {s.id for s in self.matching(Which(), context)}
        view = self.answer(text, context, now)
        made = {s.id for s in self.matching(Which(), context)} - before
        old = self.matching(Which((number,)), context) if made else []
        if not old:
            return view
        own = old[0].user_id == context.user_id or context.role >= Role.DELEGATE
        if own:
            self.book.remove([number], context.user_id, context.place)
        note = views.replaced_note(number, own)
        return view.model_copy(update={"notes": (note, *view.notes)})

    def spoken(self, query: Query, context: AskContext, now: datetime) -> AnswerView:
        """Answer a sentence that the question parser took for one about alerts."""
        request = read_spoken(query, self.composer.reference, now)
        return self._done(request, query.text, context, now)

    def request(self, text: str, now: datetime) -> Request:
        """Read a command; where it is none, the sentence that it may be."""
        known = self.composer.reference
        request = read_request(text, known, now)
        if not isinstance(request, Problem):
            return request
        if question := self._workload(text):
            return question
        query = self.read(text)
        if query.alert is not None and not query.unknown:
            spoken = read_spoken(query, known, now)
            if not isinstance(spoken, Problem):
                workload = isinstance(spoken, WatchQuestion)
                return spoken if workload or not request.unknown else request
        return request

    def _workload(self, text: str) -> WatchQuestion | None:
        """Read a question behind `alert`, where it ends on a move: 70b 50rps 10%."""
        try:
            request = read_watch(_LEAD.sub("", text.partition(" ")[2]))
        except ValueError:
            return None  # an amount that is none: the command's own words say so
        if not isinstance(request, WatchQuestion) or not request.sized:
            return None
        query = self.read(request.question)
        workload = query.model is not None or query.params_b is not None
        return request if workload and query.clarify is None else None

    def matching(self, which: Which, context: AskContext) -> list[Subscription]:
        """Return what is meant of the channel's, or of one's own outside of any."""
        team_id, channel_id = context.team_id, context.channel_id
        if channel_id:
            found = self.book.of_channel(team_id, channel_id)
        else:
            found = self.book.of_user(team_id, context.user_id)
        return [s for s in found if which.every or _meant(which, s)]

    def _done(
        self, request: Request, typed: str, context: AskContext, now: datetime
    ) -> AnswerView:
        if context.role < Role.UNRANKED:
            return refused_view(Role.UNRANKED)
        if context.overheard and not isinstance(
            request, Create | WatchQuestion | Problem
        ):
            return overheard_view(typed)
        return self._carried_out(request, typed, context, now)

    def _carried_out(
        self, request: Request, typed: str, context: AskContext, now: datetime
    ) -> AnswerView:
        match request:
            case Problem():
                return views.problem_view(request, typed)
            case Create():
                watch, notes = request.watch, request.notes
                return self._create(watch, notes, typed, context, now)
            case WatchQuestion():
                return self._watch(request, typed, context, now)
            case Show():
                found = self.book.of_channel(context.team_id, context.channel_id)
                return views.list_view(found, self.composer.reference, now)
            case Remove():
                return self._remove(request, typed, context)
            case Mute():
                return self._mute(request, context)
            case Try():
                return self._try(request.number, context, now)
            case Resume():
                return self._resume(request.number, context, now)
            case Adopt():
                return self._adopt(request.number, context)

    def _watch(
        self, request: WatchQuestion, typed: str, context: AskContext, now: datetime
    ) -> AnswerView:
        started = self.baseline.question(request, context)
        if isinstance(started, AnswerView):
            return started
        return self._create(started.watch, started.notes, typed, context, now)

    def _create(
        self,
        watch: Watch,
        notes: Sequence[str],
        typed: str,
        context: AskContext,
        now: datetime,
    ) -> AnswerView:
        """Write a subscription down, unless the channel has it or may not be told."""
        channel = self.book.of_channel(context.team_id, context.channel_id)
        known = self.composer.reference
        same = next((s for s in channel if s.watch == watch), None)
        if same is not None:
            return views.known_view(same, known)
        if refused := self.baseline.refused(watch):
            return views.problem_view(refused, typed)
        if len(channel) >= MOST_OF_CHANNEL:
            return views.full_view(MOST_OF_CHANNEL)
        told = self.baseline.told(watch, context, now)
        wanted = Wanted(
            team_id=context.team_id,
            channel_id=context.channel_id,
            user_id=context.user_id,
            typed=typed,
            watch=watch,
        )
        made = self.book.add(wanted, now, told, context.place)
        code = self.channel_access.knock(
            _place(context), views.notice_view(made, known)
        )
        if code:
            self.book.remove([made.id], place=context.place)
            return views.unpostable_view(code, typed)
        return views.created_view(made, known, notes, self._standing(made, now))

    def _standing(self, subscription: Subscription, now: datetime) -> str:
        watch = subscription.watch
        if not isinstance(watch, PriceWatch):
            return ""
        found = self.book.current_state(subscription.id)
        known = self.composer.reference

        def standing(selection: Selection) -> Offer | None:
            return current_price(self.composer.store, selection, known, now)

        return current_state_words(found, watch.condition, known, standing, now)

    def _remove(self, request: Remove, typed: str, context: AskContext) -> AnswerView:
        """Remove one's own; an admin, once asked again, removes others' too."""
        found, known = self.matching(request.which, context), self.composer.reference
        if not found:
            return views.missing_view(_named(request.which))
        others = [s for s in found if s.user_id != context.user_id]
        mine = [s for s in found if s.user_id == context.user_id]
        if others and context.role >= Role.DELEGATE:
            if not request.confirmed:
                command = f"alert remove {','.join(str(s.id) for s in found)}"
                return views.confirm_view(others, command, known)
            mine, others = found, []
        self.book.remove([s.id for s in mine], context.user_id, context.place)
        return views.removed_view(mine, others, known)

    def _mute(self, request: Mute, context: AskContext) -> AnswerView:
        found = self.matching(request.which, context)
        if not found:
            return views.missing_view(_named(request.which))
        numbers = [s.id for s in found]
        self.book.mute(numbers, request.until, context.user_id, context.place)
        return views.muted_view(found, request.until, self.composer.reference)

    def _try(self, number: int, context: AskContext, now: datetime) -> AnswerView:
        found = self.matching(Which((number,)), context)
        if not found:
            return views.missing_view(str(number))
        letter = trial_letter(found[0], self.book, self.baseline, now)
        view = self.composer.view(_place(context), letter, now) if letter else None
        return views.trial_view(number, view)

    def _resume(self, number: int, context: AskContext, now: datetime) -> AnswerView:
        found = self.matching(Which((number,)), context)
        if not found:
            return views.missing_view(str(number))
        known = self.composer.reference
        code = self.channel_access.knock(
            _place(context), views.notice_view(found[0], known)
        )
        if code:
            return views.unpostable_view(code, f"alert resume {number}")
        self.book.resume([number], now, context.user_id, context.place)
        return views.created_view(found[0], known, (), self._standing(found[0], now))

    def _adopt(self, number: int, context: AskContext) -> AnswerView:
        found = self.matching(Which((number,)), context)
        if not found:
            return views.missing_view(str(number))
        gone = self.channel_access.is_gone(context.team_id, found[0].user_id)
        if gone or context.role >= Role.DELEGATE:
            self.book.hand_over(number, context.user_id, context.place)
            return views.adopted_view(found[0], self.composer.reference)
        return views.looked_after_view(found[0])


def _place(context: AskContext) -> Address:
    return Address(team_id=context.team_id, channel_id=context.channel_id)


def _meant(which: Which, subscription: Subscription) -> bool:
    if subscription.id in which.numbers:
        return True
    if which.pattern is None:
        return False
    return any(fnmatchcase(name, which.pattern) for name in _names(subscription))


def _names(subscription: Subscription) -> list[str]:
    """Return what a pattern may match: the GPUs as typed and by id, and the words."""
    watch, typed = subscription.watch, subscription.typed.lower()
    names = [typed, typed.partition(" ")[2]]
    if isinstance(watch, PriceWatch):
        names += [name for s in watch.selections for name in (s.label, *s.gpus)]
    names += [name.lower() for name in getattr(watch, "labels", ())]
    return names


def _named(which: Which) -> str:
    if which.numbers:
        return ", ".join(map(str, which.numbers))
    return f"“{which.pattern}”" if which.pattern else ""
