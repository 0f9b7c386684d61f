"""A source that stops: said once where the bot's owner is, and no alert rests on it."""

from datetime import timedelta
from pathlib import Path

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
    assert "$1.80" in str(harness.say("alert h100 < 0.90"))

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
