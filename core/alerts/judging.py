"""Whether a price that moved is news to one watch.

Every watch remembers where the price stood when it was last told, and from that follow
two tripwires, `low` and `high`: between them nothing can be news, so storage finds the
watches that a new price concerns without reading the others.
"""

from datetime import datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

from msgspec import Struct

from core.alerts.conditions import (
    COOLDOWN,
    DISCOUNT_HYSTERESIS,
    HYSTERESIS,
    Condition,
    Move,
    NewLow,
    Threshold,
)
from core.alerts.price_series import Track
from core.alerts.selection import Measure
from core.checked import Checked

Series = Literal["level", "index", "drift"]


class Memory(Checked):
    """What one watch knows of one track from one price to the next."""

    armed: bool = True
    """Whether a threshold's next crossing is news; False until the price came back."""
    base: int | None = None
    """Where the followed chain stood when it was last told, or when watching began."""
    base_at: datetime
    told_at: datetime | None = None
    told_level: int | None = None
    deferred_at: datetime | None = None
    """Since when news waits for a cooldown or a mute to end."""
    wake_at: datetime | None = None
    """When that ends, to look again though nothing may be polled then."""


class Tripwires(Struct, frozen=True):
    """News is possible at or below `low`, and at or above `high`, of one series."""

    series: Series
    low: int | None = None
    high: int | None = None

    def tripped(self, value: int) -> bool:
        """Tell whether a value lies on a wire or beyond it."""
        return self.below(value) or (self.high is not None and value >= self.high)

    def below(self, value: int) -> bool:
        """Tell whether a value lies on the lower wire or beyond it."""
        return self.low is not None and value <= self.low


class Extremes(Struct, frozen=True):
    """Where a series was lowest and highest within a window, its start included."""

    low: int
    high: int


class Reading(Struct, frozen=True):
    """What there is to judge: a track now, and when."""

    track: Track
    at: datetime
    was: int | None = None
    """The level before."""
    explained: bool = True
    """Whether something that was polled accounts for the level."""
    window: Extremes | None = None
    """Of the index, for a move within a window; of the level before, for a new low."""
    muted_until: datetime | None = None


class Judgement(Struct, frozen=True):
    """What a watch knows now, and whether it speaks."""

    memory: Memory
    tells: bool = False
    before: int | None = None
    """What the price is told to have been, in the level's unit; None: unknown."""
    since: datetime | None = None


def begin(condition: Condition, track: Track, at: datetime) -> Memory:
    """Start to watch: what is true already is not news."""
    if isinstance(condition, Threshold):
        beyond = track.level is not None and _crossed(condition, track.level)
        return Memory(armed=not beyond, base_at=at)
    return Memory(base=_chain(condition, track), base_at=at)


def tripwires(
    condition: Condition, memory: Memory, measure: Measure = "price"
) -> Tripwires:
    """Return the values beyond which a watch has to be judged again."""
    if isinstance(condition, Threshold):
        return _threshold_wires(condition, memory.armed, measure)
    if isinstance(condition, Move) and condition.window_hours is None:
        return _move_wires(condition, memory.base)
    return Tripwires("level")


def judge(
    condition: Condition, memory: Memory, reading: Reading, measure: Measure = "price"
) -> Judgement:
    """Decide whether a reading is news; comings and goings are judged elsewhere."""
    match condition:
        case Threshold():
            return _judge_threshold(condition, memory, reading, measure)
        case Move(window_hours=None):
            return _judge_move(condition, memory, reading)
        case Move():
            return _judge_window(condition, memory, reading)
        case NewLow():
            return _judge_low(condition, memory, reading)
    return Judgement(memory)


def quiet_until(memory: Memory, at: datetime, muted: datetime | None) -> datetime:
    """Return until when a watch may not speak; not later than now: it may."""
    told = memory.told_at
    # What was told in the future was told while the clock was ahead.
    cooled = told + COOLDOWN if told and told <= at else at
    return max(cooled, muted or at)


def window_of(
    condition: Move | NewLow, memory: Memory, at: datetime
) -> tuple[datetime, datetime]:
    """Return the time whose extremes a reading of this watch needs.

    A window of moves never reaches behind what was told last: that is known already.
    """
    if isinstance(condition, NewLow):
        until = memory.deferred_at or at
        return until - timedelta(days=condition.days), until
    start = at - timedelta(hours=condition.window_hours or 0)
    return max(start, memory.told_at or memory.base_at), at


def _judge_threshold(
    condition: Threshold, memory: Memory, reading: Reading, measure: Measure
) -> Judgement:
    level = reading.track.level
    if level is None:
        return Judgement(memory)
    if not memory.armed:
        back = _threshold_wires(condition, False, measure).tripped(level)
        return Judgement(memory.model_copy(update={"armed": back}))
    if not _crossed(condition, level):
        return Judgement(_rested(memory))
    if not reading.explained:
        return Judgement(memory)
    return _tell(memory, reading, reading.was, None, armed=False)


def _judge_move(condition: Move, memory: Memory, reading: Reading) -> Judgement:
    value = _chain(condition, reading.track)
    if value is None or memory.base is None:
        base = value if memory.base is None else memory.base
        return Judgement(memory.model_copy(update={"base": base}))
    wires = _move_wires(condition, memory.base)
    if not wires.tripped(value):
        return Judgement(_rested(memory))
    wanted = "up" if condition.direction == "up" else "down"
    fell = "down" if wires.below(value) else "up"
    if condition.direction != "any" and wanted != fell:
        moved = {"base": value, "base_at": reading.at}
        return Judgement(_rested(memory).model_copy(update=moved))
    before = _like_for_like(condition, memory.base, value, reading.track.level)
    return _tell(memory, reading, before, memory.base_at, base=value)


def _judge_window(condition: Move, memory: Memory, reading: Reading) -> Judgement:
    index, window = reading.track.index, reading.window
    if index is None or window is None:
        return Judgement(memory)
    moved = []
    if condition.direction != "down" and _rose(condition, window.low, index):
        moved.append(window.low)
    if condition.direction != "up" and _fell(condition, window.high, index):
        moved.append(window.high)
    if not moved:
        return Judgement(_rested(memory))
    base = max(moved, key=lambda base: abs(index - base) / base)
    before = _like_for_like(condition, base, index, reading.track.level)
    since, _ = window_of(condition, memory, reading.at)
    return _tell(memory, reading, before, since, base=index)


def _rose(condition: Move, base: int, value: int) -> bool:
    high = _move_wires(condition, base).high
    return high is not None and value >= high


def _fell(condition: Move, base: int, value: int) -> bool:
    return _move_wires(condition, base).below(value)


def _judge_low(condition: NewLow, memory: Memory, reading: Reading) -> Judgement:
    level, window = reading.track.level, reading.window
    if level is None or window is None or level >= window.low:
        return Judgement(_rested(memory))
    if not reading.explained or _hardly_lower(condition, memory, reading.at, level):
        return Judgement(memory)
    since, _ = window_of(condition, memory, reading.at)
    return _tell(memory, reading, window.low, since)


def _hardly_lower(condition: NewLow, memory: Memory, at: datetime, level: int) -> bool:
    """Tell whether a low is within the hysteresis of one told in the same days."""
    if memory.told_at is None or memory.told_level is None:
        return False
    recent = at - memory.told_at < timedelta(days=condition.days)
    return recent and level > memory.told_level * (1 - HYSTERESIS)


def _rested(memory: Memory) -> Memory:
    """Return the memory with nothing waiting: the price came back by itself."""
    if memory.deferred_at is None:
        return memory
    return memory.model_copy(update={"deferred_at": None, "wake_at": None})


def _tell(
    memory: Memory,
    reading: Reading,
    before: int | None,
    since: datetime | None,
    **update: object,
) -> Judgement:
    """Speak, or wait until this watch may."""
    until = quiet_until(memory, reading.at, reading.muted_until)
    if until > reading.at:
        deferred = memory.deferred_at or reading.at
        waiting = {"deferred_at": deferred, "wake_at": until}
        return Judgement(memory.model_copy(update=waiting))
    told = {
        "told_at": reading.at,
        "told_level": reading.track.level,
        "base_at": reading.at,
        "deferred_at": None,
        "wake_at": None,
    }
    after = memory.model_copy(update=told | update)
    return Judgement(after, True, before, since)


def _crossed(condition: Threshold, level: int) -> bool:
    if condition.op == "below":
        return level < condition.amount
    return level > condition.amount


def _threshold_wires(condition: Threshold, armed: bool, measure: Measure) -> Tripwires:
    below = condition.op == "below"
    if armed:
        line = condition.amount + (-1 if below else 1)
    elif measure == "spot_discount":
        line = condition.amount + DISCOUNT_HYSTERESIS * (1 if below else -1)
    else:
        line = _shifted(condition.amount, HYSTERESIS if below else -HYSTERESIS)
    if armed == below:
        return Tripwires("level", low=line)
    return Tripwires("level", high=line)


def _move_wires(condition: Move, base: int | None) -> Tripwires:
    if condition.micro_usd is not None:
        if base is None:
            return Tripwires("drift")
        size = condition.micro_usd
        return Tripwires("drift", base - size, base + size)
    if base is None:
        return Tripwires("index")
    part = (condition.percent or Decimal(0)) / 100
    return Tripwires("index", _shifted(base, -part), _shifted(base, part))


def _shifted(amount: int, part: Decimal) -> int:
    """Return the integer at which a move of that part has been made in full."""
    rounding = ROUND_CEILING if part > 0 else ROUND_FLOOR
    return int((amount * (1 + part)).to_integral_value(rounding))


def _chain(condition: Condition, track: Track) -> int | None:
    """Return where the series stands that a condition follows."""
    if not isinstance(condition, Move) or track.index is None:
        return None
    return track.drift if condition.micro_usd is not None else track.index


def _like_for_like(
    condition: Move, base: int, value: int, level: int | None
) -> int | None:
    """Return the earlier price of what is on offer now."""
    if level is None:
        return None
    if condition.micro_usd is not None:
        return level - (value - base)
    return round(Decimal(level) * base / value)
