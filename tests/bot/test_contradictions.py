"""The sources' sixty contradictions: each has an answer, by id and by its matter."""

import pytest

from bot.answers.glossary.view import CORRECTIONS, MORE_ENTRIES, corrected
from bot.commands.sources import sources_command
from bot.service.answering import Answering
from core.answers.glossary import glossary
from core.reference.coverage import coverage, line_named
from tests.conftest import TERMINAL
from tests.each import each

LINES = tuple(one for one in coverage().statements.values() if one.article == "X")
ASKED = {
    "X-001": "how is the throughput of 4 or 5 H100 estimated and priced",
    "X-002": "quantisation: does 70B in INT8 take two H100 or one",
    "X-003": "does 70B in fp8 fit one 80 GB H100",
    "X-004": "does quantisation to INT8 halve the cost",
    "X-005": "bf16: are two H100 enough or are four needed",
    "X-006": "what does a gpu-hour of an H100 cost, $2.01 or $5.00",
    "X-007": "what does a gpu-hour of an A100 cost, $1.07 or $2.50",
    "X-008": "how much does reserved capacity save, 20 % or 30-50 %",
    "X-009": "how far below on-demand is H100 spot",
    "X-010": "is spot of no use for inference",
    "X-011": "how much more hbm bandwidth has an H100 than an A100, 68 % or 67 %",
    "X-012": "how many more tflops has an H100 than an A100, 3.2 or 3",
    "X-013": "throughput of 70B on an H100: 50, 2,000 or 3,066 tokens/s",
    "X-014": "cost per 1M tokens or per 1K tokens",
    "X-015": "cost per token: is the H100 20-30 % cheaper or 8 % dearer",
    "X-016": "is decode 40 % faster at 42 ms than at 70 ms",
    "X-017": "decode floor of 140 GB of weights on one card",
    "X-018": "does prefill of long prompts favour the A100",
    "X-019": "how do you estimate for whoever cannot afford an H100",
    "X-020": "cost per token of H100 spot, $0.093 or $0.095",
    "X-021": "fp4 on B200: $0.130 or $0.044 on-demand",
    "X-022": "fp4 on B200 spot: $0.047",
    "X-023": "fp8 on B200: $0.239 or $0.2398",
    "X-024": "cost per token of 8B on an L40S: $0.59 or $0.60",
    "X-025": "where do you get prices from: RTX 5090 at $0.99 or $0.76",
    "X-026": "hbm bandwidth of the B300: 8 or 10 TB/s",
    "X-027": "form factor: does H100 mean SXM or PCIe",
    "X-028": "sxm or pcie: is the H100 PCIe $0.182 per 1M",
    "X-029": "cost per token: is B200 FP4 spot slightly lower than H100",
    "X-030": "batching: is an L40S as fast as an H100 at 1-4 requests",
    "X-031": "does the L40S have fp8 in a Transformer Engine",
    "X-032": "gpu memory: L40S for 7B-13B or 34B in INT4",
    "X-033": "how do you estimate 13B and 70B that stand in two rows",
    "X-034": "how do you estimate interactive 70B: H200 or H100 in FP8",
    "X-035": "bf16: does 70B in 16 bit fit one H200",
    "X-036": "kv cache: are 10 GB enough for 70B at 128K on an H100",
    "X-037": "batching: does real time mean 1-8 or 1-4 requests",
    "X-038": "cost per token: $0.59 for 8B at batch 8 beside $0.227 for 70B offline",
    "X-039": "does speculative decoding improve ttft",
    "X-040": "does ttft follow bandwidth or compute",
    "X-041": "full fine-tune of a 7B with gradients and optimiser in 80 GB",
    "X-042": "full fine-tune of 70B on one H100 in 8-12 h",
    "X-043": "qlora for 2-4 h at $0.99-1.07: $2-5",
    "X-044": "batching: do two clips at once halve the price",
    "X-045": "gpu memory: is the RTX 5090 for models under 48 GB",
    "X-046": "fp4: is a B200 2.9 times an H200",
    "X-047": "training vs inference: is inference two thirds or 70-90 %",
    "X-048": "training vs inference: which is bound by bandwidth",
    "X-049": "gpu-hour: does an H100 draw 700 or 600 W",
    "X-050": "sxm or pcie: B200 against SXM in bandwidth, against PCIe in price",
    "X-051": "utilisation: does every cost per 1M assume a full GPU",
    "X-052": "throughput: offline and production rates 1.5 x apart on one GPU",
    "X-053": "how many tokens are a word",
    "X-054": "training vs inference: four months until serving passes $78M",
    "X-055": "batching: is 32 at once 32 times cheaper",
    "X-056": "decode: one pass per request or one per token",
    "X-057": "kv cache: does serving need memory for one pass",
    "X-058": "is a month 720 or 730 gpu-hours",
    "X-059": "where do you get prices from: Azure, RunPod recommended unpriced",
    "X-060": "prefill: are prompts left out of the sizing",
}
"""A question about each matter, in the words of somebody who has read both figures."""


def test_every_contradiction_is_here() -> None:
    """Sixty lines, sixty questions."""
    assert [line.id for line in LINES] == list(ASKED)
    assert 60 == len(LINES)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.id)
def test_an_id_is_answered_with_what_the_product_does(
    answering: Answering, line: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """In Slack and the terminal, and by `gpucost sources`, dashes and zeros or not."""
    found = coverage().statements[getattr(line, "id", "")]
    short = f"x{int(found.id[2:])}"

    view = answering.ask(f"explain {short}", context=TERMINAL)
    code = sources_command([short])

    assert found == line_named(found.id) == line_named(found.id.replace("-", ""))
    assert found.says == view.verdict
    assert "Said in: " in view.small_print[0]
    assert 0 == code
    assert found.id in capsys.readouterr().out


@each(ASKED.items())
def test_its_matter_is_answered_with_it(line: str, question: str) -> None:
    """Among the few corrections that an explanation shows, for it is what was asked."""
    known = glossary()
    entries = known.find(question)
    first = known.corrections_of(entries[: 1 + MORE_ENTRIES], question)[:CORRECTIONS]

    assert line in [one.id for one in first]
    assert any(line in note for note in corrected(first))


@pytest.mark.parametrize(
    "question",
    ["what does reserved capacity save?", "does speculative decoding improve ttft?",
     "how many tokens are a word?", "what is spot"],
)  # fmt: skip
def test_a_question_of_words_is_never_asked_for_a_model(
    answering: Answering, question: str
) -> None:
    """A term without a workload is explained."""
    view = answering.ask(question, context=TERMINAL)

    assert "answer" == view.kind
    assert any("In fact: " in note for note in view.notes)


@each(["X-061", "x-0", "S9-001", "x-1000", "x8", "what about x8"])
def test_a_line_that_is_none_is_no_line(text: str) -> None:
    """Numbers that no line has are read as a question."""
    assert line_named(text) is None
