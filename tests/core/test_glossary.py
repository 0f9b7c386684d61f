"""What words mean: found by their own words, sourced, and put right where needed."""

from core.answers.glossary import glossary
from tests.each import each

KNOWN = glossary()


@each(
    [
        ("what is KV cache", "kv-cache"),
        ("why is inference memory bound", "memory-bound"),
        ("what does ttft mean?", "ttft"),
        ("explain tensor parallelism", "tensor-parallel"),
        ("is awq good", "quantisation"),
        ("what's a spot instance", "spot"),
        ("MFU?", "mfu"),
        ("how do you estimate this", "estimate"),
        ("what is speculative decoding", "speculative"),
        ("mixture of experts, explain", "moe"),
        ("why is fp8 cheaper than bf16", "fp8"),
        ("how is $/1M tokens computed?", "cost-per-token"),
        ("difference between spot and reserved", "spot"),
        ("where do you get lambda prices from?", "price-sources"),
    ]
)
def test_a_question_finds_its_entry(question: str, first: str) -> None:
    """The entry that a question names first is what it is answered with."""
    assert first == KNOWN.find(question)[0].id


@each(KNOWN.entries.values())
def test_every_entry_is_found_by_each_of_its_words(entry: object) -> None:
    """No word of an entry is shadowed by another entry."""
    for word in getattr(entry, "words", ()):
        assert entry in KNOWN.find(f"what is {word}?")


def test_words_match_whole() -> None:
    """ "spotless" is not about spot, "tips" not about IB."""
    assert () == KNOWN.find("a spotless tip")


def test_every_statement_has_a_source_and_a_date() -> None:
    """Entries and corrections cite https pages, checked on a day."""
    for one in (*KNOWN.entries.values(), *KNOWN.corrections.values()):
        assert one.sources or getattr(one, "articles", ())
        assert all(source.url.startswith("https://") for source in one.sources)
        assert all(source.checked for source in one.sources)


@each(
    [
        ("X-003", "fp8", "−1.4 GiB"),
        ("X-014", "cost-per-token", "$23.15"),
        ("X-016", "decode", "67 %"),
        ("X-017", "decode", "21 ms"),
        ("X-020", "spot", "$0.0933"),
        ("X-021", "fp4", "$0.1302"),
        ("X-030", "batching", "3.9 ×"),
        ("X-036", "kv-cache", "42.9 GB"),
        ("X-041", "lora", "112 GB"),
        ("X-051", "utilisation", "$0.755"),
    ]
)
def test_corrections_carry_the_right_figure(line: str, about: str, figure: str) -> None:
    """What the sources got wrong stands beside the term, with what holds."""
    correction = KNOWN.corrections[line]

    assert figure in correction.holds
    assert correction in KNOWN.corrections_of([KNOWN.entries[about]])
