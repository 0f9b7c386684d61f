"""A harness with alerts: a store of hand-made prices, channels, people, a clock."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from slack_sdk import WebClient

from bot.alerts.service import AlertService, alert_service
from bot.config.settings import Settings
from bot.preferences.team_context import TeamContext
from bot.question.asking import AskContext
from bot.question.role import Role
from bot.render.rendering import Renderer
from bot.render.views import AnswerView
from bot.service.answering import Answering
from bot.service.conversation import Conversation
from core.alerts.letters import Address
from core.offers import PricePoint
from core.reference.assumed import defaults
from core.reference.load import reference
from prices.alerts import outbox
from prices.alerts.alerting import evaluate
from prices.alerts.outbox import Queued
from prices.history.poll import Poll
from prices.history.store import Store
from prices.records.answers import AnswerBook
from prices.records.threads import Threads
from tests.bot.blocks import check_message
from tests.engines import copied, engine_of

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ANN, BOB, ADA = "UANN00001", "UBOB00001", "UADA00001"


class SignedClient:
    """A channel_access that a test opens and closes."""

    def __init__(self) -> None:
        self.closed = ""
        self.notices: list[AnswerView] = []
        self.gone: set[str] = set()
        self.archived: dict[str, str] = {}

    def knock(self, address: Address, view: AnswerView) -> str:
        """Take a notice, or say why not."""
        if not self.closed:
            self.notices.append(view)
        return self.closed

    def is_gone(self, team_id: str, user_id: str) -> bool:
        """Tell who left."""
        return user_id in self.gone

    def is_archived(self, address: Address) -> str:
        """Tell which channels are closed."""
        return self.archived.get(address.channel_id, "")


def answering(settings: Settings, clock: Callable[[], datetime]) -> Answering:
    """Make what answers questions, without the prices that ship."""
    settings.home.mkdir(parents=True, exist_ok=True)
    file = settings.database
    return Answering(
        reference=reference(),
        defaults=defaults(),
        store=Store.open(engine_of(file), after_poll=evaluate),
        book=AnswerBook(engine_of(file)),
        team_context=TeamContext.open(engine_of(file)),
        conversation=Conversation(Threads(engine_of(file))),
        clock=clock,
    )


class AlertHarness:
    """The whole program but Slack, at a time that a test sets."""

    def __init__(self, home: Path, slack_url: str = "http://127.0.0.1:9") -> None:
        self.now = NOW
        self.settings = Settings(home=home)
        self.answering = answering(self.settings, lambda: self.now)
        client = WebClient(
            token="xoxb-test",  # noqa: S106 - the fake Slack takes any
            base_url=f"{slack_url}/api/",
            timeout=2,
            retry_handlers=[],
        )
        service = alert_service(self.settings, self.answering, lambda team: client)
        self.door = SignedClient()
        commands = replace(service.commands, channel_access=self.door)
        cleaning = replace(service.cleaning, channel_access=self.door)
        courier = replace(service.courier, pace_s=0.0, now=lambda: self.now.timestamp())
        self.service: AlertService = replace(
            service,
            commands=commands,
            cleaning=cleaning,
            courier=courier,
            answering=replace(service.answering, alerts=commands.spoken),
        )
        self.book = service.commands.book

    def say(self, text: str, user: str = ANN, channel: str = "C1") -> AnswerView:
        """Let somebody type a command, or a question, in a channel."""
        context = AskContext(
            surface="command",
            team_id="T1",
            channel_id=channel,
            user_id=user,
            role=Role.ADMIN if user == ADA else Role.MEMBER,
        )
        verbs = self.service.for_slack().verbs
        verb, _, rest = text.partition(" ")
        if verb in verbs:
            return verbs[verb](rest, context)
        return self.service.answering.ask(text, context=context)

    def poll(self, *points: PricePoint, source: str = "feed") -> None:
        """Let a feed say what it sells now."""
        told = {"observed_at": self.now, "source": source}
        seen = [p.model_copy(update=told) for p in points]
        self.answering.store.record(Poll(source, self.now, seen, complete=True))

    def later(self, span: timedelta) -> None:
        """Let time pass, and whatever is due happen."""
        self.now += span
        self.service.watching.look(self.now)

    def waiting(self) -> list[Queued]:
        """Return what waits to be posted."""
        with self.settings.database.reading() as connection:
            return outbox.waiting(connection)

    def posts(self) -> list[AnswerView]:
        """Compose what waits to be posted by now."""
        composer = self.service.courier.composer
        found = [
            composer.view(message.address, message.letter, self.now)
            for message in self.waiting()
        ]
        return [view for view in found if view is not None]


def make_home(template: Path, home: Path) -> Path:
    """Give a copy of a home whose store is filled already."""
    home.mkdir()
    copied(Settings(home=template).database, Settings(home=home).database)
    return home


def point(price: str, gpu: str = "h100-80gb-sxm", **more: Any) -> PricePoint:
    """Make an offer of one GPU at Lambda, which its API rents at that price."""
    stated = {
        "evidence": "api",
        "min_gpus": 1,
        "provider": "lambda",
        "gpu": gpu,
        "gpu_count": 1,
        "pricing": "on_demand",
        "raw_total": Decimal(price),
        "micro_usd_per_gpu_hour": int(Decimal(price) * 1_000_000),
        "observed_at": NOW,
        "source": "feed",
        "source_url": "https://example.com/prices",
    }
    return PricePoint.model_validate(stated | more)


AWS = {"provider": "aws"}
SPOT = {"provider": "runpod", "pricing": "spot"}


def offers(price: str, *more: PricePoint) -> tuple[PricePoint, ...]:
    """Return what the feed sells, an H100 at Lambda at a price among it."""
    spot = point("1.50", **SPOT)
    return point(price), point("2.80", **AWS), spot, point("2.20", "mi300x"), *more


def checked(view: AnswerView) -> AnswerView:
    """Return a view that Slack takes, in native blocks and in plain ones."""
    for native in (True, False):
        drawn = Renderer().render_blocks(view, native=native)
        check_message(drawn.blocks, drawn.text)
    return view
