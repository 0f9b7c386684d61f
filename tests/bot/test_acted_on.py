"""What whoever signs the bill looks for: every run, every way, every limit is told."""

import re

import pytest

from bot.language.account import UNHELD
from bot.language.parse import parse
from bot.render.glance import at_a_glance
from bot.service.answering import Answering
from core.answers.breakeven import BreakEvenAnswer
from core.wording import rate
from tests.conftest import TERMINAL


@pytest.mark.parametrize("many", [12, 40])
@pytest.mark.parametrize(
    ("said", "a_month"),
    [
        ("{} LoRAs a week of 5k samples on llama 8b, what a month?", 365.25 / 7 / 12),
        ("fine-tune {} loras every month on 8b, 5k samples each", 1),
    ],
)
def test_each_adapter_is_a_run(
    answering: Answering, said: str, a_month: float, many: int
) -> None:
    """A month costs as many runs as adapters are made in it."""
    found = answering.answered(said.format(many), TERMINAL)
    assert found.figures is not None
    money = found.figures.ways[0].money
    assert money.month is not None
    assert money.run is not None

    share = float(money.month / money.run) / many / a_month
    assert 0.99 < share < 1.01


@pytest.mark.parametrize(
    "question",
    [
        "gpt-4o at 200M tokens a day vs self hosted llama 70b",
        "llama 8b: groq vs self hosting at 5B tokens a month",
        "claude sonnet costs us $18k a month, would llama 70b of our own be cheaper",
        "self host 70b vs api at 300M tokens a day",
        "deepseek v3 api vs self host 100M tokens a day",
    ],
)
def test_what_is_cheaper_than_the_verdict_is_told_with_its_reason(
    answering: Answering, question: str
) -> None:
    """A row below the starred one is named outside the table, as the outlier it is."""
    view = answering.answered(question, TERMINAL).view
    assert view.table is not None
    first = " ".join(str(getattr(cell, "text", cell)) for cell in view.table.rows[0])
    price = re.search(r"\$[\d,.]+", first)
    assert price is not None

    notes = " ".join(view.notes)
    odd = price[0] in notes and "unusually cheap" in notes
    assert price[0] in view.verdict or odd


@pytest.mark.parametrize("gpu", ["h100", "h200"])
def test_a_term_stands_beside_the_price_by_the_hour(
    answering: Answering, gpu: str
) -> None:
    """Whoever commits sees what the same GPUs cost without."""
    view = answering.answered(f"8 {gpu} reserved for a year", TERMINAL).view

    assert any("On demand, without a term: $" in note for note in view.notes)


@pytest.mark.parametrize(
    "load",
    [
        "resnet50 500 images per second", "yolov8 on 40 cameras at 15 fps",
        "mask r-cnn 100 images a second", "xgboost model 200 rps",
        "random forest, 2000 requests per second", "efficientnet 1M images a day",
    ],
)  # fmt: skip
def test_what_nobody_can_size_is_said_to_be_so(answering: Answering, load: str) -> None:
    """No fleet, no other model, no "something else"."""
    answered = answering.answered(load, TERMINAL)

    assert "cannot size" in answered.view.verdict


@pytest.mark.parametrize("limit", ["p95 80ms", "p99 100 ms"])
def test_a_limit_that_is_met_is_not_left_out_as_well(
    answering: Answering, limit: str
) -> None:
    """One sentence about a limit, not two that contradict each other."""
    view = answering.answered(f"embeddings 200 qps {limit} in total", TERMINAL).view

    assert not view.not_used


@pytest.mark.parametrize("load", ["70b 20 rps", "8b 200 users", "rag 32b 4 rps"])
def test_lengths_that_nobody_stated_stand_among_what_is_assumed(
    answering: Answering, load: str
) -> None:
    """They multiply the bill; what is stated is not assumed."""
    for said, sides in (("", "in/"), (" 1500 in", "out)"), (" 1500 in 150 out", "")):
        told = at_a_glance(answering.answered(load + said, TERMINAL).view).read_as
        assumed = told.partition("Assumed: ")[2]

        assert sides in assumed
        assert ("in/" in assumed) == (sides == "in/")


@pytest.mark.parametrize(
    "load", ["800 users, model not decided yet", "a chatbot at 12 requests per second"]
)
def test_a_load_without_a_model_is_priced_by_size(
    answering: Answering, load: str
) -> None:
    """The model is asked for; what each size costs stands beside the question."""
    view = answering.answered(f"{load}, what will it cost?", TERMINAL).view
    assert view.kind == "clarify"
    assert view.table is not None

    bills = {row[0].text: row[2].value or 0 for row in view.table.rows}
    assert len(bills) >= 4
    assert bills["Llama 3.1 8B"] <= bills["Llama 3.3 70B"] <= bills["DeepSeek V3.1"]
    assert "Which model" in view.verdict


def test_a_budget_without_a_model_says_how_large_a_model_it_serves(
    answering: Answering,
) -> None:
    """Nobody is asked for what the money decides."""
    asked = "what can I do with $5k a month, assistant for 100 people?"

    assert (
        "$5,000 a month serves 100 users"
        in answering.ask(asked, context=TERMINAL).verdict
    )


@pytest.mark.parametrize(
    ("asked", "short", "needed"),
    [
        ("llama 3.3 70b at 8 rps, 1k/300: 4x h100 or 2x h200", "2 × NVIDIA H200", 4),
        ("qwen3-32b 3 rps 2k in 400 out, 2x l40s or 2x h100", "2 × NVIDIA L40S", 8),
    ],
)
def test_too_few_of_a_named_gpu_are_priced_with_as_many_as_it_takes(
    answering: Answering, asked: str, short: str, needed: int
) -> None:
    """Both sides have a bill, and the answer says which count was too small."""
    view = answering.answered(asked, TERMINAL).view
    assert view.table is not None

    assert short in view.verdict
    assert needed in [row[1].value for row in view.table.rows]
    assert len(view.table.rows) == 2


def test_one_s_own_rooms_are_bought_for(answering: Answering) -> None:
    """Rent is told for scale and never starred, however little it costs."""
    asked = "on-prem: buy or rent 2 l40s, busy 10% of the time"
    view = answering.answered(asked, TERMINAL).view
    assert view.table is not None

    assert view.verdict.startswith("Buy 2 × L40S for $")
    assert view.table.winner == 0
    rented = answering.ask(asked.replace("on-prem: ", ""), context=TERMINAL).verdict
    assert rented.startswith("Rent")


@pytest.mark.parametrize("thousands", [40, 400])
def test_a_sum_for_hardware_is_spent_on_hardware(
    answering: Answering, thousands: int
) -> None:
    """As many GPUs as it buys with their servers; boards of eight stay whole."""
    asked = f"one-off hardware budget of ${thousands}k for a 30b, what should we buy?"
    view = answering.answered(asked, TERMINAL).view
    assert view.table is not None

    assert view.verdict.startswith("Buy ")
    for name, gpus, usd, *_ in view.table.rows:
        assert (usd.value or 0) <= thousands * 1000
        assert (gpus.value or 0) % 8 == 0 or "SXM" not in name.text


def test_terms_are_compared_for_the_fleet_that_a_load_takes(
    answering: Answering,
) -> None:
    """The hour and the term of the same GPUs, not of two kinds of them."""
    asked = "llama 70b 10 rps on h100, compare on demand with 1 year reserved"
    view = answering.answered(asked, TERMINAL).view
    assert view.table is not None

    assert "takes" in view.verdict or len({r[0].text for r in view.table.rows}) > 1
    both = "qwen3 32b 5 rps, cost on-demand vs 1-year reserved"
    assert "Your load with Qwen3 32B" in answering.ask(both, context=TERMINAL).verdict


def test_each_of_several_sellers_is_told_in_the_headline(answering: Answering) -> None:
    """Of three sellers the third costs more than the second."""
    verdict = answering.ask(
        "lambda vs runpod vs aws for 8x h100", context=TERMINAL
    ).verdict

    assert "/month more" in verdict
    assert all(name in verdict for name in ("Lambda", "Runpod", "Amazon"))


def test_spot_never_leads_live_traffic(answering: Answering) -> None:
    """What it would save is told; what cannot stop at minutes' notice is starred."""
    view = answering.answered("70b at 20 rps, spot or on demand?", TERMINAL).view
    assert view.table is not None
    assert view.table.winner == 0

    assert "spot" not in view.table.rows[0][0].text
    assert "Spot costs" in view.verdict


def test_unasked_patience_stays_readable(answering: Answering) -> None:
    """People at once are counted at a pace that they can read along with."""
    view = answering.answered("deepseek v3.2 on 8x h200, how many users", TERMINAL).view
    told = re.search(r"at least (\d+) tokens/s each", f"{view.verdict} {view.why}")
    assert told is not None

    assert int(told[1]) >= 10


def test_the_trend_of_a_price_leads_with_how_it_moved(answering: Answering) -> None:
    """Each seller's first price in the time that is known, and its last."""
    view = answering.ask("h100 price trend last 3 months", context=TERMINAL)

    assert "→" in view.verdict or "no seller change" in view.verdict
    assert not view.not_used


def test_models_that_hardly_anybody_serves_are_not_what_one_runs(
    answering: Answering,
) -> None:
    """By size alone DBRX of 2024 would lead; GPUs in hand show no rent."""
    asked = "we own 4 l40s, what is the biggest model we can serve?"
    view = answering.answered(asked, TERMINAL).view
    assert view.table is not None

    names = [row[0].text for row in view.table.rows]
    assert names
    assert not any("DBRX" in name for name in names)
    assert "$" not in view.verdict


@pytest.mark.parametrize("thousands", [20, 200])
def test_a_budget_for_training_says_how_large_a_model_it_trains(
    answering: Answering, thousands: int
) -> None:
    """A compute-optimal run costs the square of its size: ten times pay for three."""
    asked = f"we have {thousands}k USD, how large a model can we pretrain?"
    view = answering.answered(asked, TERMINAL).view
    size = re.search(r"about ([\d.]+)B parameters", view.verdict)
    assert size is not None
    assert view.table is not None

    paid = [row for row in view.table.rows if (row[3].value or 0) <= thousands * 1000]
    assert (paid[-1][0].value or 0) <= float(size[1])


@pytest.mark.parametrize(
    ("unread", "asked"),
    [
        (True, "minimax m2, 8k in 500 out, 80 devs, about 15 running at once per pod"),
        (False, "minimax m2, 8k in 500 out, 15 requests at once"),
        (False, "70b at 5 rps. we had 4000 users last year"),
    ],
)
def test_a_load_that_is_not_read_is_asked_for_first(
    answering: Answering, unread: bool, asked: str
) -> None:
    """A firm headline over a load that was dropped is a guess; nothing is starred."""
    found = answering.answered(asked, TERMINAL)
    unheld = [one for one in parse(asked).not_used if one.why == UNHELD]
    left = bool(found.view.picks) and found.view.picks is not None
    starred = left and found.view.picks is not None and found.view.picks.winner == 0

    first = found.view.verdict.startswith("Check the load first")
    assert first == (unread and bool(unheld))
    assert not (first and starred)


@pytest.mark.parametrize("country", ["germany", "france", "the netherlands"])
def test_hosting_where_people_are_is_priced_beside_the_cheaper_place(
    answering: Answering, country: str
) -> None:
    """The bill near them leads; what their own country costs stands beside it."""
    near = answering.ask(f"70b 10 rps, users in {country}", context=TERMINAL)
    inside = answering.ask(f"70b 10 rps hosted in {country}", context=TERMINAL)
    bills = [re.findall(r"\$[\d,]+/month", one.verdict)[0] for one in (near, inside)]

    assert bills[0] != bills[1]
    assert any(bills[1] in note and "anywhere in the EU" in note for note in near.notes)


@pytest.mark.parametrize(
    ("load", "stated"),
    [("kimi k2 20 rps", " tpot 50ms"), ("deepseek v3 10 rps", " real-time"),
     ("14b 5 users on l4", " 20 tokens per second per user")],
)  # fmt: skip
def test_a_limit_that_nobody_stated_does_not_double_a_bill_unsaid(
    answering: Answering, load: str, stated: str
) -> None:
    """The verdict names what does for half of it; whoever states a limit gets it."""
    open_to, strict = (
        answering.ask(text, context=TERMINAL).verdict for text in (load, load + stated)
    )
    whole, half = (
        float(usd.replace(",", "")) for usd in re.findall(r"\$([\d,.]+)/month", open_to)
    )

    assert 2 * half <= whole
    assert "(usual: 50 ms)" in open_to
    assert "slower answers" not in strict


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("on demand in the eu", "in the EU, on demand: about"),
        ("in germany or france", "in Germany: about"),
        ("outside the us", "outside the US: about"),
        ("reserved 1 year in the eu", "reserved) in the EU"),
        ("", "at Hyperstack: about"),
    ],
)
def test_the_headline_says_the_terms_that_were_asked_for(
    answering: Answering, said: str, told: str
) -> None:
    """Place and way to pay stand beside the price; unasked, neither does."""
    verdict = answering.ask(f"70b 10 rps {said}", context=TERMINAL).verdict

    assert told in re.sub(r" \(\d × [^)]+\)", "", verdict)


@pytest.mark.parametrize("load", ["code agents 2 rps 32b", "70b chat 10 rps"])
def test_a_cache_that_is_ruled_out_is_neither_counted_on_nor_offered(
    answering: Answering, load: str
) -> None:
    """Without it the bill is no lower, and no lever is a cache."""
    cached, bare = (
        answering.answered(f"{load}{said}", TERMINAL)
        for said in ("", ", no prompt caching")
    )
    assert cached.figures is not None
    assert bare.figures is not None
    with_it, without = (one.figures.ways[0].money.month for one in (cached, bare))

    assert without >= with_it
    assert not any("aching" in lever.text for lever in bare.view.levers)
    assert not bare.view.not_used


@pytest.mark.parametrize("hardware", ["8 h100", "16 h200", "8 l40s"])
def test_unless_the_use_is_stated_buying_is_weighed_by_it(
    answering: Answering, hardware: str
) -> None:
    """Nothing is advised that rests on an assumed use; stated, one side wins."""
    unsaid = answering.ask(f"buy or rent {hardware}", context=TERMINAL)
    stated = answering.ask(f"buy or rent {hardware} at 90% use", context=TERMINAL)
    decides = "only if they are in use more than" in unsaid.verdict

    assert decides or "costs more at any use" in unsaid.verdict
    assert unsaid.table is not None
    assert (unsaid.table.winner is None) == decides
    assert "always on" in unsaid.verdict.lower()
    assert "in use more than" not in stated.verdict


@pytest.mark.parametrize(
    ("load", "said", "advice"),
    [
        ("70b 20 rps", "without autoscaling", "Autoscale"),
        ("8b 5 rps", "a single server is fine", "its failure stops the service"),
        ("8b 5 rps", "no redundancy needed", "its failure stops the service"),
        ("8b 5 rps", "test environment", "its failure stops the service"),
        ("70b 50 rps", "in bf16 only", "instead of BF16"),
        ("405b 3 rps", "no external apis", "Serverless"),
    ],
)
def test_nobody_is_advised_what_the_question_rules_out(
    answering: Answering, load: str, said: str, advice: str
) -> None:
    """Unsaid, the same load gets the advice; ruled out, it is used and not given."""
    plain = answering.ask(load, context=TERMINAL)
    ruled_out = answering.ask(f"{load}, {said}", context=TERMINAL)
    told, kept = (
        " ".join((*view.notes, *(lever.text for lever in view.levers)))
        for view in (plain, ruled_out)
    )

    assert advice in told or "bf16" in said
    assert advice not in kept
    assert not ruled_out.not_used


@pytest.mark.parametrize(
    "asked", ["is one gpu enough for {}", "would autoscaling help {}"]
)
def test_what_is_asked_about_is_not_ruled_out(asked: str) -> None:
    """A question is no waiver."""
    assert parse(asked.format("8b 5 rps")).declined is None


def test_spot_that_costs_more_than_on_demand_is_said_to(answering: Answering) -> None:
    """A machine of eight for four GPUs: whoever asks for spot wants to save."""
    dear = answering.ask("4 x b200 for 6 weeks, spot if possible", context=TERMINAL)
    fair = answering.ask("8 b200 on spot for 6 weeks", context=TERMINAL)
    told = [
        any(note.startswith("On demand is cheaper: $") for note in view.notes)
        for view in (dear, fair)
    ]

    assert [True, False] == told


@pytest.mark.parametrize(
    ("where", "used"),
    [("in our vpc", "rent"), ("in our azure tenant", "rent"), ("in the cloud", "api")],
)
def test_what_stays_in_a_cloud_of_ones_own_is_no_api(
    answering: Answering, where: str, used: str
) -> None:
    """An API of others stands outside of it."""
    asked = f"mistral small for 150 employees {where}"
    verdict = answering.ask(asked, context=TERMINAL).verdict

    assert (used == "api") == ("an API" in verdict)


def test_developers_of_a_code_model_write_code(answering: Answering) -> None:
    """Their requests are those of a code assistant, not of a chat."""
    told = [
        at_a_glance(answering.ask(text, context=TERMINAL)).read_as
        for text in ("qwen2.5 coder 32b for 120 people", "8b for 120 people")
    ]

    assert ["chat" in text for text in told] == [False, True]


@pytest.mark.parametrize(
    ("text", "fabric"),
    [
        ("64 h100 with InfiniBand for six weeks", "infiniband"),
        ("16 b200 on demand, infiniband between all nodes is mandatory", "infiniband"),
        ("an InfiniBand cluster of 128 H100, monthly", "infiniband"),
        ("train 13b on 200b tokens on 64 h100 with infiniband", "infiniband"),
        ("32 h100 with RDMA networking, 10 days", "any"),
        ("32 B200 with fast interconnect for 3 weeks", "any"),
        ("16 a100 without infiniband for a week", None),
        ("70b 50rps, no infiniband needed", None),
        ("is infiniband needed for 70b inference?", None),
        ("what is infiniband", None),
    ],
)
def test_a_network_between_machines_is_a_limit(text: str, fabric: str | None) -> None:
    """Sellers who publish none fall away; who only asks about it limits nothing."""
    assert fabric == parse(text).fabric


def test_only_sellers_who_join_machines_rent_a_cluster(answering: Answering) -> None:
    """InfiniBand hangs on whole boards, not on cards in slots."""
    found = answering.answered("64 h100 with infiniband for a month", TERMINAL)

    assert found.figures is not None
    known = answering.reference
    for way in found.figures.ways:
        assert way.offer is not None
        seller, gpu = known.provider(way.offer.provider), way.offer.gpu
        assert seller is not None
        assert seller.infiniband
        assert gpu not in ("h100-80gb-pcie", "h100-nvl")


@pytest.mark.parametrize(
    ("text", "owned"),
    [
        ("we've got 8x RTX 6000 Ada sitting in a rack, glm-4.5-air?", True),
        ("we've got four A100 80GB lying around, llama 70b?", True),
        ("two 4090s collecting dust on a shelf, qwen3 14b for 10 devs?", True),
        ("2x RTX 5090 under the desk for gpt-oss-20b, 25 users?", True),
        ("I have got 2 L40S, mistral small for 30 people?", True),
        ("4 h100 rented at lambda sitting idle 60% of the time", None),
        ("we got a quote for 8 h100 at $2.50, fair?", None),
        ("cost of 4x h100 idle at night", None),
        ("we need 8 h100 for llama 70b at 20 rps", None),
    ],
)
def test_what_stands_about_is_in_hand(text: str, owned: bool | None) -> None:
    """Whoever has the cards pays no rent for them."""
    assert owned == parse(text).owned


def test_electricity_of_a_load_stands_beside_what_the_cards_carry(
    answering: Answering,
) -> None:
    """Whether they are enough is the question; the power bill alone answers none."""
    asked = "2x rtx 5090 for gpt-oss-20b with 25 users, electricity included"
    view = answering.ask(asked, context=TERMINAL)

    assert view.verdict.startswith("Yes")
    assert any("Electricity" in note and "$3,998" in note for note in view.notes)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("does INT4 let us drop from 4 A100s to 2 for llama 70b, 30 users", (4, 2)),
        ("can we go from 8 H100 to 4 for llama 70b fp8 at 20 rps?", (8, 4)),
        ("cut from four L40S to two with qwen3 14b in int4, 40 users?", (4, 2)),
        ("reduce 4 A100 80GB to 1 for mistral small, 5 rps, possible?", (4, 1)),
        ("downsizing from 16 to 8 h100 for deepseek v3 at 5 rps", (16, 8)),
        ("from 2 to 4 l40s, llama 8b at 30 rps?", (None, 4)),
        ("4 a100 to serve 2 models of 8b", (None, 4)),
        ("train llama 8b on 4 h100 with 2 epochs on 50M tokens", (None, 4)),
        ("llama 70b at 5 rps on 4 h100, 2k tokens in", (None, 4)),
    ],
)
def test_fewer_of_the_same_gpus_are_what_is_asked(
    text: str, counts: tuple[int | None, int]
) -> None:
    """Of two counts the smaller is looked at, and what it saves against the other."""
    query = parse(text)

    assert counts == (query.count_before, query.count)


def test_what_fewer_gpus_save_stands_in_the_verdict(answering: Answering) -> None:
    """2 of 4 at the same price each: half of the bill."""
    asked = "does INT4 let us drop from 4 A100s to 2 for llama 70b, 25 users at once"
    verdict = answering.ask(asked, context=TERMINAL).verdict

    assert verdict.startswith("Yes")
    assert "2 in place of 4 save $" in verdict


@pytest.mark.parametrize(
    ("text", "sellers"),
    [
        ("moving from A10G on AWS to L4 on GCP for qwen2.5 7b", ("aws", "gcp")),
        ("switch from H100 at CoreWeave to B200 at Hyperstack, llama 70b 20 rps",
         ("coreweave", "hyperstack")),
        ("from 4 x A100 on Azure to 2 x H100 on Lambda, what's the saving?",
         ("azure", "lambda")),
        ("replace H200 on AWS with MI300X on Azure for deepseek v3 at 3 rps",
         ("aws", "azure")),
        ("L40S at Runpod instead of A100 at AWS for mistral small 5 rps",
         ("runpod", "aws")),
        ("H100 on AWS and L40S on Runpod, llama 8b 5 rps", None),
        ("H100 on AWS or Runpod for llama 8b 5 rps", None),
    ],
)  # fmt: skip
def test_a_move_has_a_seller_on_either_side(
    text: str, sellers: tuple[str, ...] | None
) -> None:
    """What is left and what is gone to are two offers, not four."""
    assert sellers == parse(text).sold_by


def test_a_saving_is_against_what_is_left(answering: Answering) -> None:
    """The two bills that are named, not the cheapest of all four."""
    asked = "what would we save moving from A10G on AWS to L4 on GCP, qwen2.5 7b 6 rps"
    view = answering.ask(asked, context=TERMINAL)

    assert view.verdict.startswith("The difference is $")
    assert "A10G" in view.verdict.split("less than")[1]
    assert not any("Makes no difference" in note for note in view.notes)


@pytest.mark.parametrize(
    ("rps", "told"),
    [
        (5.0, "5 requests/s"),
        (1.0, "1 request/s"),
        (0.5, "0.5 requests/s (30 a minute)"),
        (0.107, "0.107 requests/s (6.4 a minute)"),
        (0.002, "0.002 requests/s (7.2 an hour)"),
    ],
)
def test_few_requests_are_told_by_the_minute(rps: float, told: str) -> None:
    """Nobody counts a seventh of a request."""
    assert told == rate(rps)


def test_people_at_once_count_more_than_an_assumed_day(answering: Answering) -> None:
    """5 % of 4,000 are 200, whatever a day of 4,000 people is taken for."""
    told = answering.ask(
        "assistant for 4,000 employees, 5% online at once, qwen3-32b on L40S",
        context=TERMINAL,
    )

    assert "200 requests at once" in told.why


@pytest.mark.parametrize(
    ("model", "coding"),
    [("qwen3-coder-480b", True), ("devstral-small", True), ("llama 70b", False)],
)
def test_a_code_model_is_asked_about_code(
    answering: Answering, model: str, coding: bool
) -> None:
    """Its answers are as long as code is, and agents fill far longer prompts."""
    view = answering.ask(f"how many devs can 8 h100 serve on {model}", context=TERMINAL)

    assert coding == any("coding agents" in note for note in view.notes)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("QLoRA on Llama 3.3 70B, 10k examples of 2k tokens, one GPU enough?", "Yes, "),
        ("is one A100 80GB enough for a LoRA of qwen2.5 14b on 30k samples?", "Yes, "),
        ("are two H100 sufficient to fully fine-tune llama 3.1 8b on 100M tokens?",
         "Yes, "),
        ("reicht eine A100 für QLoRA von Mistral 7B mit 50k Beispielen?", "Yes, "),
        ("full fine-tune of llama 70b on 50M tokens, is a single H100 enough?", "No: "),
        ("qlora of llama 70b on 10k samples of 2k tokens on one GPU", "1 × "),
        ("cheapest way to serve Qwen3-30B-A3B for 100M tokens a day", "Rent GPUs: "),
        ("most cost-effective way to run llama 3.3 70b at 5 rps", "Use serverless"),
        ("cheapest option for mistral small, 2,000 users", "Use an API"),
        ("günstigste Möglichkeit, mistral small mit 2 rps zu nutzen", "Use an API"),
        ("cheapest way to serve llama 70b at 40 rps on H100", "14 × H100"),
        ("cheapest way to self-host llama 70b at 10 rps", "2 × B200"),
        ("70b 10 rps, doubles by year two", "2 × B200"),
    ],
)  # fmt: skip
def test_what_was_asked_comes_first(
    answering: Answering, text: str, start: str
) -> None:
    """A yes or no, or the cheapest of all ways, where that is the question."""
    assert answering.ask(text, context=TERMINAL).verdict.startswith(start)


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("a three-year budget: 70B, 10 rps today, 40 rps by year three", 36),
        ("llama 8b, 5 rps now, 20 rps by year 2", 24),
        ("3-year plan for llama 70b: 10 rps growing 5% a month", 36),
        ("70b at 10 rps, growing 10% a month, for 2 years", 24),
        ("70b at 10 rps, growing 10% a month", None),
        ("a 3-year budget for 8 h100", None),
        ("buy or rent 8 h100 over three years", None),
    ],
)
def test_years_of_growth_are_looked_at_whole(text: str, months: int | None) -> None:
    """A horizon is one of a load that grows, not of a rental."""
    assert months == parse(text).growth_months


def test_what_each_year_of_growth_costs_is_told(answering: Answering) -> None:
    """The years make up all months."""
    asked = "70b, 10 rps today, 40 rps by year three"
    notes = answering.ask(asked, context=TERMINAL).notes
    told = next(note for note in notes if "Year 3" in note)
    found = re.findall(r"(?:Year \d: |cost )\$([\d,]+)", told)
    *years, total = (int(usd.replace(",", "")) for usd in found)

    assert abs(sum(years) - total) <= len(years)


def test_redundancy_has_its_price(answering: Answering) -> None:
    """The same uptime in one place and in two, of which one may fail."""
    verdict = answering.ask(
        "99.9% uptime for llama 3.3 70b at 20 rps: how many replicas, and what does "
        "redundancy add to the bill?",
        context=TERMINAL,
    ).verdict

    assert "replicas in two zones" in verdict
    assert "Redundancy adds $" in verdict


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("MI300X vs H200 for DeepSeek-V3, which gives better $/Mtok?", True),
        ("h100 vs b200 $ per Mtok for llama 70b", True),
        ("cost per Mtok of llama 70b on h100", True),
        ("USD/Mtok: L40S vs A100 for llama 8b", True),
        ("€/Mtok of mistral small on l40s", True),
        ("price per million tokens of qwen3 32b on h200", True),
        ("api at $0.88/Mtok vs our own h100 for llama 70b", False),
        ("we pay 0.6 $/Mtok for llama 70b, self host 2B tokens a month?", False),
        ("llama 70b api price $/Mtok", False),
        ("llama 70b at 2 Mtok a day", False),
    ],
)
def test_dollars_a_million_tokens_are_a_unit(text: str, wanted: bool) -> None:
    """No sum stands before it, and no API is asked for."""
    assert wanted == (parse(text).wanted == "usd_per_million")


@pytest.mark.parametrize(
    "text",
    ["int4 vs bf16 for llama 3.1 70b at {} rps", "fp16 or int4, llama 3.3 70b, {} rps"],
)
@pytest.mark.parametrize("rps", [25, 40])
def test_a_comparison_stars_no_crowd_of_small_cards(
    answering: Answering, text: str, rps: int
) -> None:
    """Whoever leaves the GPU open operates no 48 of them."""
    found = answering.answered(text.format(rps), TERMINAL).figures

    assert found is not None
    assert all(way.gpus <= 32 for way in found.ways[:2])


@pytest.mark.parametrize(
    ("text", "daily"),
    [
        ("40 LoRA adapters of an 8B on one A10G, per adapter 200 calls a day", 8000),
        ("30 LoRA adapters on llama 8b, 50 requests a day per adapter", 1500),
        ("llama 8b with 20 adapters, 3,000 requests a day", 3000),
        ("llama 8b with 20 adapters, 3,000 requests a day in all", 3000),
    ],
)
def test_calls_of_each_adapter_add_up(text: str, daily: float) -> None:
    """The base serves all of them."""
    assert daily == parse(text).requests_per_day


@pytest.mark.parametrize(
    ("text", "said"),
    [
        # 8 × $2.20 × 720 h and 8 × $6.98 × 720 h
        ("coreweave offers H100 at $2.20/h, azure at $6.98/h: 8 gpus", "$12,672/month"),
        ("coreweave offers H100 at $2.20/h, azure at $6.98/h: 8 gpus", "$40,205"),
        # a machine of eight: $98.32 × 720 h
        ("Azure quotes an ND H100 v5 at $98.32/h, CoreWeave offered $49.24 for the "
         "node", "$70,790"),
        ("64 GPUs, wait for B300 or sign the H200 deal at $2.35/h?", "$108,288"),
        ("70b 20 rps, prefer aws but open to others if much cheaper", "Elsewhere"),
        ("4x H100 at lambda vs coreweave, SLA 99.95", "no SLA of 99.95 %"),
        ("2x H100 at vast vs lambda", "no price for Vast.ai H100 SXM. 2 ×"),
        ("fine-tune llama 70b on 2B tokens, b200 vs gaudi3", "Intel Gaudi 3. We know"),
        ("time to fine-tune llama 8b on 50M tokens on 8 h100", "It takes "),
        ("70b 20 rps on coreweave with 5 TB egress a month", "nothing for egress"),
    ],
)  # fmt: skip
def test_what_else_was_said_is_answered(
    answering: Answering, text: str, said: str
) -> None:
    """Quotes, wishes, promises that nobody makes, sellers and GPUs without a price."""
    view = answering.ask(text, context=TERMINAL)
    cells = [c.text for row in (view.table.rows if view.table else ()) for c in row]
    assert said in " ".join((view.verdict, view.why, *view.notes, *cells))


@pytest.mark.parametrize(
    ("text", "start", "housed"),
    [
        ("what gpu should I buy for the office so 10 people can play with 30b models",
         "Buy 1 × RTX PRO 6000", False),
        ("welche GPU kaufen wir fürs Büro für 10 Leute mit 30b Modellen",
         "Buy 1 × RTX PRO 6000", False),
        ("on-prem only, which gpus to buy for a 70b with 50 users", "Buy 2 ×", False),
        ("buy or rent 4 h100 for two years", "Rent", True),
    ],
)  # fmt: skip
def test_an_office_buys_cards_for_desks_and_uses_them_by_day(
    answering: Answering, text: str, start: str, housed: bool
) -> None:
    """No server card and no colocation; whoever has a data centre buys as before."""
    told = answering.ask(text, context=TERMINAL)

    assert told.verdict.startswith(start)
    assert housed == ("colocation" in told.why)
    assert ("office hours" in told.verdict) == ("RTX" in start)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (
            "deepseek r1 internal only, 20 people, cheapest way",
            "If your data may leave, ",
        ),
        ("llama 70b für 30 Mitarbeiter intern", "If your data may leave, "),
        ("qwen3 32b chatbot, 40 customers a day", "Use an API: "),
    ],
)
def test_an_api_for_internal_use_is_advised_on_a_condition(
    answering: Answering, text: str, start: str
) -> None:
    """Nobody knows whether what stays inside may be sent to a seller."""
    assert answering.ask(text, context=TERMINAL).verdict.startswith(start)


@pytest.mark.parametrize(
    ("asked", "leads"),
    [
        ("our two A100s sit at 15% use, what could we downsize to for an 8b?",
         "1 × RTX 6000 Ada can do the work of your 2 × A100 80GB SXM at 15%"),
        ("4 h100 at 30% use with a 32b, what is the right size", "2 × GH200"),
        ("something smaller than our 2 H200 at 18% use for llama 70b", "1 × GH200"),
    ],
)  # fmt: skip
def test_a_fleet_with_little_work_shrinks_to_what_holds_the_model(
    answering: Answering, asked: str, leads: str
) -> None:
    """The load is what it does today; the price is held against what it costs."""
    assert answering.ask(asked, context=TERMINAL).verdict.startswith(leads)


def test_half_of_a_fleet_is_off_at_night(answering: Answering) -> None:
    """What mostly comes by day comes at night as well: one of three stays off."""
    asked = "24b, 600k requests a day, mostly between 8am and 6pm, half off at night?"
    view = answering.answered(asked, TERMINAL).view

    assert view.verdict.startswith("3 × GH200 96GB at Lambda: about $4,946/month")
    assert "With 1 of 3 GPUs off" in view.notes[0]
    assert "$3,985/month" in view.notes[0]


@pytest.mark.parametrize(
    ("text", "named", "own"),
    [
        ("gpt-4.1-mini or our own gpt-oss-20b, 12M requests a month", 200, 1527),
        ("o4-mini or our own llama 3.3 70b, 2M requests a month", 1527, 200),
        ("gpt-4o or our own llama 3.3 70b, 2M requests a month", 0, 200),
        ("gpt-4.1-mini or our own gpt-oss-20b, 2M requests a month 900 out", 0, 900),
    ],
)
def test_who_does_not_think_is_billed_no_thinking(
    answering: Answering, text: str, named: int, own: int
) -> None:
    """Lengths that nobody stated are those of each side's own model."""
    found = answering.answered(text, TERMINAL).figures
    assert isinstance(found, BreakEvenAnswer)
    other = found.as_named.output_tokens if found.as_named else 0

    assert (named, own) == (other, found.spec.output_tokens)


@pytest.mark.parametrize(
    ("load", "told"),
    [
        ("translate 400M words with a 12b", False),
        ("translate 3M texts with a 12b", True),
    ],
)
def test_shorter_texts_cost_less_only_where_texts_are_counted(
    answering: Answering, load: str, told: bool
) -> None:
    """Of so many words, shorter texts are only more."""
    notes = answering.answered(load, TERMINAL).view.notes

    assert told == any("half as long" in note for note in notes)


def short_form(answering: Answering, text: str) -> str:
    """Everything that the short form of an answer says."""
    view = at_a_glance(answering.answered(text, TERMINAL).view)
    rows = [cell.text for one in (view.table, view.picks) if one for r in one.rows
            for cell in r]  # fmt: skip
    return "\n".join((view.verdict, view.why, *view.notes, view.read_as, *rows))


@pytest.mark.parametrize(
    ("text", "told", "untold"),
    [
        # CoreWeave promises 99.9 % over regions, and nothing of zones.
        ("32b 8 rps, 99.9% sla, two zones", "99.99 % if split over 2 zones", "99 %"),
        ("70b fp8 20rps production us-east", "its failure stops the service", "?"),
        ("kimi k2 for our coding team, 60 developers, up to 64k", "Two: $", "?"),
        ("70b 5 rps in the EU, not with a US company", "sold by 4", "of the 4"),
        ("how much do we save with spot a100s", "on demand at Microsoft Azure", "?"),
        (
            "spot vs on-demand h200, what are the savings",
            "How often it is stopped: unknown",
            "?",
        ),
        ("what does spot vs on-demand mean?", "take back at short notice", "saves"),
        (
            "extract fields from 2M pages with a 7b vision model",
            "Qwen2.5-VL",
            "Mistral",
        ),
        ("classify 300k photos a night with an 8b VLM", "of 1,222 tokens in", "?"),
        ("classify 300k invoices a night, 7b VLM", "tokens in, 3 out", "300 out"),
        ("OCR 2M scanned invoices with a 7b vlm", "tokens in, 991 out", "300 out"),
        ("caption 2M photos with an 8b vision-language model", "Qwen3-VL 8B", "?"),
        ("embedding model for 10M texts of 500 tokens: cost?", "bge-large", "?"),
        (
            "GRPO on a 7b with 8 H100, budget 5k dollars: enough?",
            "Yes, within your budget of $5,000: 8 × H100",
            "It costs",
        ),
        ("GRPO of qwen3 8b on 20k prompts", "20k prompts × 8 answers × (1,000 in", "?"),
        (
            "API or self-hosting, 20,000 messages a day?",
            "An API costs less than",
            "Renting",
        ),
        ("4 H100s idle over weekends: can we scale to zero?", "Scaled to zero: $", "?"),
        ("4 H200 idle 60% of the time, scale to zero?", "4 × H200 SXM at Hyper", "?"),
        (
            "8b, launching with 100 users but could be 10k by spring",
            "at 100 × the",
            "?",
        ),
        (
            "we have 200 users today and expect 5,000 in a year, 70b",
            "in 12 months",
            "?",
        ),
        ("qwen3 32b from 2 rps, growing to 50 rps in six months", "in 6 months", "?"),
        ("launching an 8b with 100 users, budget 5k by march", "Within your", "× the"),
        (
            "kimi k2 for a team of 60 engineers, how many b200",
            "coding assistant (20k in/446 out)",
            "?",
        ),
        (
            "glm-4.5-air for 500 employees, 25 of them active at the same time",
            "(25 at once, 78.3 s each)",
            "over average",
        ),
        (
            "gemma 3 12b, 4 photos per second with short captions, how many l4s",
            "(306 in/40 out), tokens per image 256",
            "per request 1.6",
        ),
        ("qwen2.5-vl-7b, 3 images a second", "(1,222 in/130 out)", "1.6"),
        ("gemma 3 27b with image input, 2 requests/s", "images per request 1.6", "?"),
        (
            "coding agent, 2000 tasks a day of 40 llm calls each, glm-4.6",
            "peak over average 2.5 ×",
            "?",
        ),
        ("coding agent with glm-4.6 for 900 developers", "900 users", "2.5 ×"),
        ("flux dev images for the ads tool, 30k images a day", "switched off", "Not t"),
        (
            "cost per minute of generated video with wan 2.2 on h100",
            "per minute at full load · 1 × H100",
            "Not t",
        ),
        ("price per second of video, wan 2.2 on h200", "per second at full", "spot ("),
        (
            "budget is $25k for the quarter, can we get a 70b with two replicas?",
            "The load needs 1 of the 2 servers",
            "Not t",
        ),
        ("8k a month for a 70b, what can it serve?", "For $8,000 a month: 4", "Not t"),
        ("rerank 100 qps, 50 docs each", "bge-reranker-v2-m3", "?"),
        ("real-time tts for 40 simultaneous calls", "text to speech kokoro", "?"),
        (
            "real-time tts for 40 simultaneous calls",
            "for 14.4k hours of audio, the lines 50% busy",
            "?",
        ),
        ("transcribe 10,000 hours of calls", "for 10k hours of audio", "?"),
        (
            "would going from bf16 to fp8 on our 4x H100 70b halve the bill?",
            "FP8 handles 2.5 × as many",
            "?",
        ),
        (
            "what do we save if qwen3 32b goes from bf16 to fp8, 40 users",
            "It saves",
            "Use an API",
        ),
        (
            "does fp8 instead of bf16 save us anything on llama 70b for 60 users?",
            "It saves",
            "No saving",
        ),
        (
            "what changes if we go from 8k to 32k context, llama 70b on 4x h100?",
            "requests at once instead of",
            "It saves",
        ),
        (
            "our 4 h100s are 60% busy with llama 70b, what happens if prompts double?",
            "60% busy today would be",
            "Not taken",
        ),
        (
            "coreweave invoice: 41,300 usd for 16 h100 in october, does it look right?",
            "16 × $3.4694 × 744 h",
            "your price",
        ),
        ("runpod charged us 3,100 usd last month for 2 h100, ok?", "By the price", "?"),
        ("99.9% uptime for our bot: how many extra gpus?", "(n + 1)", "Already in"),
        ("what would 99.9% availability add to our bill", "of one replica", "SLA"),
        ("flux dev, 20k images a day on 4090s or L40S?", "nobody has timed it", "?"),
        ("gpt-oss-120b on one h100, fits?", "Yes: gpt-oss 120B in FP4", "quality"),
        ("llama 70b on one h100, fits?", "but only in INT4 (4 bits), so test", "?"),
        ("24b on 2 a10g, 2 rps", "2 × A10G can handle about 1.", "your limits"),
        ("24b on 2 a10g, 2 rps", "later and come slower than is usual", "limits"),
        ("llama 70b on 2 h100, 20 rps", "Not with 2 × H100. Nearest", "slower"),
        (
            "we have 2 rps now and expect 25 rps in december, llama 70b",
            "at 12.5 × the load",
            "at once (0.95/s)",
        ),
        (
            "500k docs by friday with an 8b",
            "Due Friday, 18:00 UTC: 6.75 days",
            "Not tak",
        ),
        ("budget 25k for the quarter, 70b at 5 rps", "$8,333", "$25,000 a month"),
        ("is an h100 cheaper in the us than in europe?", "In the EU $3.58", "NVL is"),
        ("70b 10 rps: us or europe, cheaper where?", "/month (+", "price known"),
        (
            "a100: us-east vs frankfurt",
            "In Frankfurt $4.78 per GPU-hour (+30%)",
            "TB/s",
        ),
        ("2 h100: 1 year reserved vs on demand?", "by the hour at Google", "must st"),
        (
            "llama 70b at 2 rps, reserved for 1 year",
            "/month by the hour. ",
            "any known",
        ),
        ("h100 in germany or the netherlands, must be gdpr ok", "we know these", "EU"),
        ("l4 or a10g for an 8b at low traffic", "than 1 × A10G BF16", "4,084"),
        ("4 l40s, 24/7 for a year?", "$33,989 a year", "such months"),
        ("can we use spot l4s for serving?", "% off)", "TB/s"),
        ("is spot on h100s for inference a bad idea?", "For live traffic: 1", "TB/s"),
        ("buy or rent 8 b200 for 3 years, incl. power and colo", "of colocation", "?"),
        # A yes, a no or what to do stands first.
        ("is an h200 worth it over an h100 for gpt-oss-120b?", "No, by cost.", "?"),
        ("mi300x instead of h200 for r1, good idea?", "Yes, by cost. 4 × MI300X", "?"),
        ("worth moving a 70b from h100 to mi300x? 9 rps", "Yes, by cost. 4", "?"),
        ("worth moving a 70b from mi300x to h100? 9 rps", "No, by cost. 4", "?"),
        ("h100 or h200 for a 70b, 5 rps?", "less than", "by cost"),
        ("rtx pro 6000 vs h100 for a 27b, worth paying more?", "Not by the pr", "Yes"),
        ("do we get away with t4s for a 3b, 20 rps, 200 in 5 out?", "Yes. ", "?"),
        ("is hyperstack cheaper than lambda for 4 h100?", "Yes, by cost. 4 ×", "No"),
        (
            "70b, 3 rps on average, 25 at peak: size for the peak?",
            "Size for the p",
            "?",
        ),
        ("b200 or h100 for mid size models, which?", "B200, by what it writes", "?"),
        ("is $1.40 an hour for an l40s too expensive?", "Yes, you pay 44% more", "?"),
        (
            "runpod billed us 6,480 usd for 4 a100 80gb in october, plausible?",
            "No, y",
            "?",
        ),
        ("can you size an 8b for 20 people?", "", "Yes."),
        # The unit, the count and the wait that are asked for.
        (
            "how many h100 do we save with fp8 instead of bf16, 70b, 25 rps",
            "12 GPUs f",
            "?",
        ),
        ("price per image for sdxl on a 4090?", "$0.00254 per image", "?"),
        (
            "8 h100 per month on demand vs 1 year reserved?",
            "A month costs $18,086",
            "?",
        ),
        ("24b at 5 rps, ttft under 1 s", "(p95, limit 1 s)", "?"),
        ("llama 70b at 12k tok/s on h100, how many tok/s per h100?", "About 6", "?"),
        ("2 h100 on weekdays 8 to 18, how much less than always on?", "$3,176/mo", "?"),
        ("2 h100, traffic grows 12% a month, when is the next due?", "3 from m", "?"),
        ("mixtral 8x7b at 8 rps, are 2 x a100 80gb fine?", "Otherwise 4 ×", "?"),
        # like with like: what the question does not vary is held equal
        ("l4 or a10g for an 8b at low traffic", "All else equal (INT8, Amazon", "?"),
        (
            "qwen3 32b in fp8 instead of bf16 at 10 rps, how many gpus do we save?",
            "It saves 4 GPUs and $",
            "?",
        ),
        (
            "99.9% uptime for the 70b that runs on 2 h100s, what does that add to "
            "the cost?",
            "You need 2 × H100 SXM more",
            "(SLA",
        ),
        (
            "is spot a good idea for our nightly embedding job, how much is saved",
            "L4 on-demand ($0.805/GPU-h)",
            "A4000",
        ),
        # each side that is named has its figure, or none is known
        (
            "compare aws, lambda and coreweave for 16 h200s on a 6 month term",
            "No price is known for Lambda",
            "Not taken",
        ),
        (
            "price difference between us-east and eu-west for p5 instances?",
            "No price known in the western EU",
            "that word",
        ),
        ("gcp vs azure for 4 a100 80gb, us east", "4 × A100 80GB PCIe: $", "?"),
        ("h200 in the eu, which sellers?", "outside the EU: ask", "any"),
        # a machine's price by the hour is that of all its GPUs
        ("azure quoted us $98/hr for an H200 node, good or bad?", "8 × $12.25", "Not"),
        ("coreweave offers $49/h for an H100 box, fair?", "8 × $6.125 ", "Not taken"),
        ("lambda quoted us $3.10/hr per h100, good or bad?", "1 × $3.10 ", "Not taken"),
        ("we pay coreweave $42/h for a gb200 node, too much?", "4 × $10.50", "Not"),
        ("we pay $40/h for 2 h100 nodes, too much?", "16 × $2.50", "Not taken"),
        # money in hand, and the span that it is asked for
        (
            "our credits are 50k on aws, how long do they last with one p5.48xlarge?",
            "$50,000 pays for 9",
            "Not taken",
        ),
        (
            "llama 8b for 400 students, cost per semester?",
            "a semester of 15 w",
            "Not t",
        ),
        # as many at once as are stated, or that memory holds fewer
        (
            "tokens per second of mistral small 3.2 on an h200 at batch 32?",
            "with 32 requests at once",
            "Not taken",
        ),
        (
            "tokens per second of llama 3.1 8b on 2xh100 at batch 5000?",
            "no batch of 5,000",
            "Not taken",
        ),
        # what is counted is not called left out
        ("qwen3 4b, 10 rps of 600 tokens, outputs a single label", "A30", "Not taken"),
        ("power and cooling for a rack of 4 hgx b200 a year", "cooling incl", "Not t"),
        (
            "how much extra for a second replica in another zone for 99.9% on 2xh100?",
            "You need 2 × H100 SXM more",
            "Not taken",
        ),
        (
            "qwen3-coder 30b for 250 engineers, latency matters, what size of setup?",
            "Instant is read as",
            "Not taken",
        ),
        ("70b at 50 rps on h100, how many servers?", "2 nodes of", "Not tak"),
        ("llama 70b, 40 tok/s for each of 50 users, which gpus?", "50 requests", "Not"),
        ("gpu or cpu for vector search on 200M embeddings?", "CPUs usually do", "Not"),
        # the first line says what the table and the arithmetic say
        (
            "4 h100 run llama 70b, what if our context goes from 4k to 16k, cost?",
            "takes 8 after: $18,086",
            "It costs the same",
        ),
        (
            "from bf16 to fp8 on 2 h100 with llama 70b, how much more traffic?",
            "In BF16 the weights fill",
            "takes",
        ),
        (
            "4 l40s at 50% load, traffic grows 20% a month, when full?",
            "give up none",
            "At most",
        ),
        ("6 h100 75% busy, growing 5% monthly, full when?", "order more now", "0.0"),
        ("8 h100 at 10% load, traffic grows 2% a month", "At most 70%", "give up none"),
        (
            "llama 8b for 1500 employees plus a reranker, does one l4 do it?",
            "Llama 3.1 8B: Not with 1 × L4. Nearest",
            "We know no price",
        ),
        (
            "qwen3 8b at 5 rps on one a10g, would it cope?",
            "in servers of 2",
            "at once than",
        ),
        (
            "qwen3 30b-a3b: 6 rps usually, 80 rps at peak. static or autoscaling?",
            "Autoscale: $",
            "Fixed",
        ),
        ("qwen3 30b-a3b at 6 rps, 80 rps at peak", "9 ×", "Autoscale: $"),
        (
            "are 3 years of h100 worth locking in or will prices fall?",
            "Pay by the hour",
            "It costs",
        ),
        (
            "spot h100 for a nightly batch of 4 hours, cheapest?",
            "1 × H100 NVL",
            "for 4 h",
        ),
        (
            "from which volume is our own llama 3.3 70b cheaper than an api?",
            "is never cheaper. Against",
            "?",
        ),
        (
            "8k a month for a chatbot for 500 people, which model would you take?",
            "We would take ",
            "?",
        ),
        (
            "what do we save by turning off our 4 A100s on weekends",
            "It saves $1,1",
            "?",
        ),
        (
            "going rate for an a100 80gb, still worth using?",
            "per GPU-hour",
            "holds models",
        ),
        (
            "is openai's api cheaper than our own 2 h100s at 400M tokens a month?",
            "With Llama 3.3 70B as the open model",
            "holds models",
        ),
        # what one person needs is a card, and what a few feel is their speed
        (
            "cheapest card that can hold a 32b model at q4 for one developer",
            "Cheapest in INT4 (4 bits): 1 × RTX A6000, $252/month",
            "Use an API",
        ),
        (
            "cheapest gpu that can hold a 14b model in fp8 for a single engineer",
            "No single GPU that we know costs less",
            "10 requests at once",
        ),
        ("cheapest gpu that fits 70b at 50 rps", "6 × B200", "smallest"),
        (
            "is a dgx spark good enough for demoing gpt-oss-120b to five people?",
            "Each gets 32 tokens/s alone, 15 with all 5 waiting at once",
            "1.5 tokens/s",
        ),
        (
            "npc dialogue with qwen3 8b, 2000 players online and each talks maybe once "
            "a minute, how many L4s is that",
            "As you asked: 24 × L4 at JarvisLabs",
            "169 ms",
        ),
        (
            "full fine-tune of qwen3 14b, 20k examples of 2k tokens, 3 epochs. does a "
            "single H200 do?",
            "Only just, with 1 GPU",
            "Yes",
        ),
        ("what can an H200 do?", "$3.99 on-demand", "Yes"),
        ("gpt-oss-20b on a dgx spark for one user", "One person gets 47", "no offer"),
        ("dgx spark for llama 70b fp8, 5 users", "Only if people may wait", "Yes"),
        # a fit with a few gigabytes left says so where the length is a guess
        (
            "agent workflow with qwen3 235b, 25 tool calls per task, 800 tasks a day, "
            "what gpus",
            "leaves only 7.1 of the GPU's 247 GB",
            "?",
        ),
        ("qwen3 235b 0.5rps 3000in/100out", "24% busy", "leaves only"),
        # what is sold by the server is weighed as whole servers
        (
            "llama 70b on-prem for 200 lawyers, 20 at once, what hardware do we buy?",
            "Buy 4 × H100 PCIe for",
            "sold with",
        ),
        (
            "buy or rent for llama 70b at 10 rps",
            "hard to buy, and 8 cost about $432,000",
            "PCIe",
        ),
        (
            "can a dgx spark serve gpt-oss-120b to 60 people",
            "Probably enough",
            "waiting at once",
        ),
    ],
)
def test_what_was_asked_is_answered_whole(
    answering: Answering, text: str, told: str, untold: str
) -> None:
    """The short form says what one would ask back for."""
    said = short_form(answering, text)

    assert told in said
    assert untold not in said.replace("99.99 %", "")
