"""What a matched pattern is worth: the fields that it would state, in which unit.

Every function takes the reading and a match, and returns the fields with their values
(the key "" is the field of the pattern), or nothing where the match means something
else. `fields.toml` names them.
"""

from collections.abc import Mapping

from bot.language.reading import Match, Reading
from bot.language.values import (
    hardware,
    learning,
    lengths,
    limits,
    money,
    piles,
    rates,
    times,
)
from bot.language.values.units import Converter, Fields, plain

CONVERTERS: Mapping[str, Converter] = {
    convert.__name__: convert
    for convert in (
        piles.audio_hours, piles.drawn_over_time, rates.average, limits.bare_wait,
        rates.at_times, rates.between_times, rates.interval, rates.crowd, rates.of_each,
        rates.of_the_usual, rates.highest, rates.rising,
        rates.share_of_users, rates.some_of_all, rates.visitors, rates.beats,
        lengths.longest, lengths.words_over_time,
        rates.repeated,
        piles.recordings, hardware.billions,
        hardware.each_node, hardware.small_model, times.hours_and_days,
        times.busy_hours,
        hardware.billions_active, lengths.both_sides, lengths.prompts_of,
        rates.billed, rates.each_once, rates.of_the_time, rates.both_ways, rates.burst,
        hardware.busy, rates.chain, lengths.condensed, hardware.copies,
        learning.data_tokens, learning.per_parameter,
        times.duration, rates.of_daily_users, rates.each_beat, rates.each_every,
        rates.elided,
        rates.elided_people,
        lengths.embedded, lengths.filled_context, rates.flow,
        hardware.gpus, rates.half,
        times.hours, times.hours_of_a_pile, times.hours_of_one, times.hours_used,
        times.hours_within,
        times.hours_keyed, piles.numbered, hardware.millions,
        limits.milliseconds,
        money.money, money.money_of_a_run, times.months, hardware.nodes_of,
        limits.one_unit, times.one_year,
        learning.open_samples, learning.pace, learning.pair_of_answers, lengths.made,
        lengths.other_side, lengths.brought_to, lengths.pair,
        lengths.passages, lengths.requests_of, lengths.retrieved, lengths.system_prompt,
        lengths.token_long, limits.percentile_of_the_time,
        limits.percentile_of_a_limit,
        rates.paid_for, rates.people, rates.people_each, rates.paid_both_ways,
        rates.per_day, piles.per_minute, rates.per_second,
        limits.percentile, piles.pile, piles.pile_of, piles.pile_of_tokens,
        piles.pile_both_ways, piles.rollouts_counted, lengths.length_of_sequences,
        lengths.pile_of_words, piles.pile_product, plain, lengths.plus, lengths.product,
        rates.product_rate, rates.rate, rates.ratio, rates.rest, piles.rollouts_of,
        lengths.round_thousands, lengths.fitted_thousands, lengths.sized_sessions,
        learning.sample_length, learning.samples_of,
        limits.service_level, rates.share, lengths.side, learning.small_batch,
        learning.steps, rates.streams, lengths.total_of, money.unit_price,
        lengths.whole, learning.whole_number, limits.within, limits.in_total,
        lengths.with_colon,
        lengths.words_of_an_answer, lengths.words_of_a_prompt,
        lengths.sequences, lengths.trained_length, hardware.year,
    )
}  # fmt: skip


def convert(name: str, field: str, reading: Reading, match: Match) -> Fields:
    """Return what a match would state of a field."""
    found = CONVERTERS[name](reading, match)
    return {key or field: value for key, value in found.items()} if found else found
