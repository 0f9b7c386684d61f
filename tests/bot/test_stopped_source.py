"""A source that stops: said once where the bot's owner is, and no alert rests on it."""

from datetime import timedelta
from pathlib import Path

from bot.slack.home.board import price_table
from core.reference.load import reference
from prices.history.store import Store
from tests.bot.alerts import AWS, BOB, DAY, AlertHarness, point


def test_a_stopped_source_is_told_once_and_pins_no_alert(tmp_path: Path) -> None:
    """Its prices expire by their tier; what others ask is watched from then on."""
    harness = AlertHarness(tmp_path)
    for _ in range(3):
        harness.now += DAY
        harness.poll(point("1.80"))
        harness.poll(point("2.80", **AWS), source="other")
    harness.say("alert h100 < 1.00")
    harness.say("alert mi300x < 1.00", BOB, "C2")

    for _ in range(4):
        harness.later(DAY)
        harness.poll(point("2.80", **AWS), source="other")
    told = [m for m in harness.waiting() if m.letter.kind == "trouble"]

    assert ["C1"] == [message.address.channel_id for message in told]
    assert "feed" in told[0].letter.text
    begun = str(harness.say("alert h100 < 0.90"))
    assert "$1.80" in begun
    assert "source stopped" in begun

    harness.now += timedelta(days=200)
    harness.poll(point("2.80", **AWS), source="other")
    harness.later(DAY)

    (track,) = harness.book.current_state(1)
    assert track.track.level == 2_800_000
    assert "AWS" in str(harness.say("alert h100 < 0.80")) or "Amazon" in str(
        harness.say("alert h100 < 0.70")
    )
    assert not [m for m in harness.waiting() if m.letter.kind == "alerts"]
    assert Store.open(harness.settings.database).last_successes()["feed"] < harness.now


def test_every_surface_says_that_a_source_stopped(tmp_path: Path) -> None:
    """Its price still counts; who reads it learns that nobody confirms it."""
    harness = AlertHarness(tmp_path)
    once = point("2.20", provider="coreweave")
    harness.poll(once, source="a file that was loaded once")
    for _ in range(3):
        harness.now += DAY
        harness.poll(point("1.80"))
        harness.poll(point("2.80", **AWS), source="other")
    harness.say("digest h100 daily 16:00 utc")
    told = harness.say("price h100")
    assert "stopped" not in f"{told} {home(harness)}"

    for _ in range(4):
        harness.later(DAY)
        harness.poll(point("2.80", **AWS), source="other")

    answer = harness.say("price h100")
    assert "its source stopped, last read on 23 Nov" in answer.prices
    assert answer.table is not None
    ages = {row[0].text.split()[0]: row[-1].text for row in answer.table.rows}
    stopped = [name for name, age in ages.items() if "source stopped" in age]
    assert stopped == ["Lambda"]
    assert "its source stopped" in harness.say("8b chat 20rps on h100").prices
    assert "source stopped" in home(harness)
    digests = [view for view in harness.posts() if view.table is not None]
    assert "source stopped" in str(digests[-1].table)
    harness.poll(point("1.80"))
    assert "stopped" not in f"{harness.say('price h100')} {home(harness)}"


def home(harness: AlertHarness) -> str:
    """What Home lists of H100."""
    catalog = harness.answering.store.catalog(harness.now)
    return str(price_table(["h100"], catalog, reference(), harness.now))
