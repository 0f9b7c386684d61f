"""When a price is news: lines, moves, lows, cooldowns and mutes."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alerts.conditions import (
    COOLDOWN,
    Condition,
    Direction,
    Move,
    NewLow,
    Presence,
    Threshold,
)
from core.alerts.judging import (
    Extremes,
    Judgement,
    Memory,
    Reading,
    begin,
    judge,
    tripwires,
)
from core.alerts.price_series import INDEX_SCALE, Track

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def track(level: int | None, index: int | None = None) -> Track:
    """Make a track at a level, its chain in step with it unless it is given."""
    if level is None:
        return Track()
    return Track(level, level * INDEX_SCALE if index is None else index, level)


def follow(
    condition: Condition, *levels: int | None, every: timedelta = DAY
) -> list[int | None]:
    """Judge one level after another; return those that were told."""
    memory = begin(condition, track(levels[0]), NOON)
    told = []
    for number, level in enumerate(levels[1:], 1):
        reading = Reading(track(level), NOON + number * every, was=levels[number - 1])
        judged = judge(condition, memory, reading)
        told += [level] if judged.tells else []
        memory = judged.memory
    return told


BELOW = Threshold(op="below", amount=900_000)
ABOVE = Threshold(op="above", amount=3_000_000)


@pytest.mark.parametrize(
    ("condition", "levels", "expected"),
    [
        (BELOW, (950_000, 890_000), [890_000]),
        (BELOW, (950_000, 900_000, 899_999), [899_999]),
        (BELOW, (890_000, 880_000), []),
        (BELOW, (950_000, 890_000, 850_000, 800_000), [890_000]),
        (BELOW, (950_000, 890_000, 910_000, 890_000), [890_000]),
        (BELOW, (950_000, 890_000, 917_999, 890_000), [890_000]),
        (BELOW, (950_000, 890_000, 918_000, 890_000), [890_000, 890_000]),
        (BELOW, (950_000, None, 890_000), [890_000]),
        (BELOW, (890_000, None, 880_000), []),
        (ABOVE, (2_900_000, 3_000_000, 3_000_001), [3_000_001]),
        (ABOVE, (3_100_000, 3_200_000, 2_950_000, 3_100_000), []),
        (ABOVE, (3_100_000, 2_940_000, 3_100_000), [3_100_000]),
    ],
)
def test_a_line_is_told_once_until_the_price_came_back(
    condition: Condition, levels: tuple[int | None, ...], expected: list[int]
) -> None:
    """A crossing is news; another one only after 2 % on the near side of the line."""
    assert expected == follow(condition, *levels)


@pytest.mark.parametrize(
    ("direction", "levels", "expected"),
    [
        ("any", (2_500_000, 2_700_000), [2_700_000]),
        ("any", (2_500_000, 2_699_999), []),
        ("any", (2_500_000, 2_300_000), [2_300_000]),
        ("any", (2_500_000, 2_600_000, 2_690_000, 2_705_000), [2_705_000]),
        ("any", (2_500_000, 2_700_000, 2_500_000), [2_700_000]),
        ("any", (2_500_000, 2_700_000, 2_480_000), [2_700_000, 2_480_000]),
        ("down", (2_500_000, 2_700_000, 2_484_000), [2_484_000]),
        ("down", (2_500_000, 2_700_000, 2_500_000), []),
        ("up", (2_500_000, 2_300_000, 2_484_000), [2_484_000]),
        ("up", (2_500_000, 2_690_000), []),
    ],
)
def test_a_move_is_measured_from_what_was_told_last(
    direction: Direction, levels: tuple[int, ...], expected: list[int]
) -> None:
    """8 % is told at 8 % exactly; one-way watches follow the other way in silence."""
    condition = Move(percent=Decimal(8), direction=direction)

    assert expected == follow(condition, *levels)


def test_a_move_in_dollars_follows_the_drift() -> None:
    """Ten cents are ten cents wherever the price stands."""
    condition = Move(micro_usd=100_000)

    assert [1_100_000, 1_000_000] == follow(
        condition, 1_000_000, 1_050_000, 1_100_000, 1_000_000
    )


def test_a_cheaper_newcomer_is_no_move_of_the_price() -> None:
    """Where only the level falls and the like-for-like chain stays, nobody moved."""
    condition = Move(percent=Decimal(8))
    memory = begin(condition, track(2_500_000), NOON)
    reading = Reading(track(1_500_000, 2_500_000 * INDEX_SCALE), NOON + DAY)

    assert not judge(condition, memory, reading).tells


def test_the_told_price_is_like_for_like() -> None:
    """After a cheaper newcomer, a move is told of what is on offer now."""
    condition = Move(percent=Decimal(10))
    memory = begin(condition, track(2_000_000), NOON)
    now = track(1_650_000, 2_200_000 * INDEX_SCALE)

    judged = judge(condition, memory, Reading(now, NOON + DAY))

    assert judged.tells
    assert 1_500_000 == judged.before


def test_a_level_that_nothing_explains_is_not_told() -> None:
    """A source displaced by a fresher one moves the level, and nobody's price."""
    memory = begin(BELOW, track(950_000), NOON)

    judged = judge(BELOW, memory, Reading(track(800_000), NOON, explained=False))

    assert not judged.tells
    assert judged.memory.armed


@pytest.mark.parametrize("muted", [False, True])
def test_news_waits_for_a_cooldown_or_a_mute(muted: bool) -> None:
    """What crosses while a watch may not speak is told when it may, if still so."""
    told = NOON - timedelta(hours=1)
    memory = Memory(base_at=told, told_at=None if muted else told)
    until = NOON + timedelta(hours=30) if muted else told + COOLDOWN
    mute = until if muted else None

    waiting = judge(BELOW, memory, Reading(track(890_000), NOON, muted_until=mute))
    later = judge(BELOW, waiting.memory, Reading(track(890_000), until))

    assert not waiting.tells
    assert until == waiting.memory.wake_at
    assert later.tells
    assert later.memory.wake_at is None


def test_news_that_passed_by_itself_is_not_told_late() -> None:
    """A price that came back during the cooldown leaves nothing to tell."""
    told = NOON - timedelta(hours=1)
    memory = Memory(base_at=told, told_at=told)
    waiting = judge(BELOW, memory, Reading(track(890_000), NOON)).memory

    back = judge(BELOW, waiting, Reading(track(950_000), NOON + timedelta(hours=1)))

    assert not back.tells
    assert back.memory.wake_at is None
    assert back.memory.armed


def low(level: int, before: int, memory: Memory) -> Judgement:
    """Judge a level against the lowest of thirty days."""
    window = Extremes(before, before)
    return judge(NewLow(days=30), memory, Reading(track(level), NOON, window=window))


def test_a_low_is_lower_than_every_day_before() -> None:
    """Equal to the lowest is no new low; unknown days are no low either."""
    memory = Memory(base_at=NOON - 40 * DAY)
    unknown = judge(NewLow(days=30), memory, Reading(track(1), NOON))

    assert low(990_000, 1_000_000, memory).tells
    assert not low(1_000_000, 1_000_000, memory).tells
    assert not unknown.tells


def test_a_slide_is_not_told_cent_by_cent() -> None:
    """Within the same days, a further low is news only 2 % lower."""
    memory = Memory(base_at=NOON, told_at=NOON - DAY, told_level=1_000_000)

    assert not low(990_000, 1_000_000, memory).tells
    assert low(980_000, 1_000_000, memory).tells


@pytest.mark.parametrize(
    ("direction", "index", "expected"),
    [
        ("any", 105, True),
        ("any", 104, False),
        ("any", 85, True),
        ("down", 106, False),
        ("up", 94, False),
        ("down", 104, False),
        ("down", 104.5, True),
    ],
)
def test_a_window_compares_with_its_own_extremes(
    direction: Direction, index: float, expected: bool
) -> None:
    """A move within a week is from any price of that week, in the wanted direction."""
    condition = Move(percent=Decimal(5), window_hours=168, direction=direction)
    memory = Memory(base_at=NOON - 9 * DAY)
    scaled = int(index * INDEX_SCALE)
    highest = 110 if index == 104.5 else 105
    window = Extremes(100 * INDEX_SCALE, highest * INDEX_SCALE)

    judged = judge(condition, memory, Reading(track(1, scaled), NOON, window=window))

    assert expected == judged.tells


prices = st.integers(min_value=10_000, max_value=20_000_000)
moves = st.builds(
    Move,
    percent=st.decimals(min_value="0.5", max_value=60, places=1),
    direction=st.sampled_from(["any", "down", "up"]),
)
lines = st.builds(Threshold, op=st.sampled_from(["below", "above"]), amount=prices)


@given(st.one_of(moves, lines), st.lists(prices, min_size=2, max_size=30))
def test_nothing_happens_between_the_wires(
    condition: Condition, levels: list[int]
) -> None:
    """A watch whose tripwires a price does not touch is left as it was."""
    memory = begin(condition, track(levels[0]), NOON)
    for number, level in enumerate(levels[1:], 1):
        wires = tripwires(condition, memory)
        value = level if wires.series == "level" else level * INDEX_SCALE
        judged = judge(condition, memory, Reading(track(level), NOON + number * DAY))
        if not wires.tripped(value):
            assert memory == judged.memory
            assert not judged.tells
        memory = judged.memory


@given(st.one_of(moves, lines), st.lists(prices, min_size=2, max_size=30))
def test_a_price_that_stands_still_is_told_at_most_once(
    condition: Condition, levels: list[int]
) -> None:
    """However a price got somewhere, staying there is never news again."""
    memory = begin(condition, track(levels[0]), NOON)
    at = NOON
    for level in levels[1:]:
        at += DAY
        memory = judge(condition, memory, Reading(track(level), at)).memory
    again = judge(condition, memory, Reading(track(levels[-1]), at + DAY))

    assert not again.tells


@given(lines, st.lists(prices, min_size=2, max_size=40))
def test_two_crossings_have_the_way_back_between_them(
    condition: Threshold, levels: list[int]
) -> None:
    """Between two alerts of one line the price was 2 % on the near side."""
    told = [place for place, level in _told(condition, levels) if level is not None]
    for first, second in pairwise(told):
        between = levels[first:second]
        if condition.op == "below":
            assert max(between) * 100 >= condition.amount * 102
        else:
            assert min(between) * 100 <= condition.amount * 98


def _told(condition: Condition, levels: list[int]) -> list[tuple[int, int]]:
    memory = begin(condition, track(levels[0]), NOON)
    found = []
    for number, level in enumerate(levels[1:], 1):
        judged = judge(condition, memory, Reading(track(level), NOON + number * DAY))
        found += [(number, level)] if judged.tells else []
        memory = judged.memory
    return found


def test_comings_and_goings_are_not_judged_here() -> None:
    """A presence watch never speaks of a level."""
    memory = begin(Presence(event="listed"), track(None), NOON)

    assert not judge(Presence(event="listed"), memory, Reading(track(1), NOON)).tells
