"""What time it is at Slack, by the Date of its answers; no signature is judged by it.

Between two answers it is counted on by a clock that nobody sets, so that a jump of the
machine's own is known before Slack signs the next request.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from threading import Event, Thread
from typing import Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import HttpRequest, HttpResponse, RetryHandler, RetryState

from prices.database.connection import counted_seconds

log = logging.getLogger("gpucost")

LOOK_S: Final = 15.0
REST_S: Final = 1.0
FRESH_S: Final = 4 * LOOK_S
"""How long Slack's word stands against the machine's clock: where they differ, it is
asked for again in less."""
ASKED_AGAIN_S: Final = 3600.0
"""A clock that nobody sets drifts by less than a second in that time."""


class SlackTime:
    """Hears the Date of whatever Slack answers."""

    def __init__(self, counted: Callable[[], float] = counted_seconds) -> None:
        self._counted = counted
        self._heard: tuple[float, float] | None = None
        """What Slack said, and what was counted then."""
        self._wanted = Event()
        """Set where its word is waited for."""

    def now(self) -> float | None:
        """Seconds since 1970 at Slack; None: it never said."""
        if self._heard is None:
            return None
        said, then = self._heard
        return said + self._counted() - then

    def denies(self, stamp: float, by: float) -> bool:
        """Whether Slack said lately that it is another time than that."""
        heard = self._heard
        fresh = heard is not None and self._counted() - heard[1] < FRESH_S
        return fresh and self.is_apart(stamp, by)

    def doubt(self) -> None:
        """Have Slack asked soon: what was counted since its word may be wrong too."""
        self._wanted.set()

    def is_apart(self, ours: float, by: float) -> bool:
        """Whether a time is further from Slack's than that, as far as is known."""
        theirs = self.now()
        return theirs is not None and abs(ours - theirs) > by

    def hear(self, date: str) -> None:
        """Take an answer's Date."""
        try:
            said = parsedate_to_datetime(date).timestamp()
        except (TypeError, ValueError):
            return
        self._heard = said, self._counted()

    @contextmanager
    def kept(self, client: WebClient, by: float) -> Iterator[None]:
        """Hear every answer of a client until the block ends, and ask where none came.

        `by`: how far apart the clocks have to be for another look at once.
        """
        client.retry_handlers.insert(0, _Dates(self))
        over = Event()
        looking = Thread(
            target=self._look, args=(client, by, over), name="slack time", daemon=True
        )
        looking.start()
        try:
            yield
        finally:
            over.set()
            self._wanted.set()

    def _look(self, client: WebClient, by: float, over: Event) -> None:
        while not over.is_set():
            known = self._heard
            old = known is None or self._counted() - known[1] > ASKED_AGAIN_S
            if old or self._wanted.is_set() or self.is_apart(time.time(), by):
                self._wanted.clear()
                try:
                    client.api_test()
                except (SlackApiError, OSError) as fault:
                    log.info("Slack did not say the time: %s", type(fault).__name__)
                over.wait(REST_S)
            self._wanted.wait(LOOK_S)


class _Dates(RetryHandler):
    """Sees every answer, and asks for no other."""

    def __init__(self, at_slack: SlackTime) -> None:
        super().__init__(max_retry_count=0)
        self._at_slack = at_slack

    def can_retry(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        """Hear, and leave the decision to the others."""
        for name, values in (response.headers if response else {}).items():
            if name.lower() == "date":
                self._at_slack.hear(str(values[0]))
        return False
