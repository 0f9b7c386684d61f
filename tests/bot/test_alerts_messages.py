"""What is posted: from what to what, since when, from where, and what it means."""

from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from bot.alerts.buttons import ADJUST, HISTORY, SNOOZE, STOP
from bot.alerts.outcomes import outcome_of
from bot.question.asking import AskContext
from bot.render.rendering import Renderer
from core.alerts.letters import DAILY_CAP
from core.alerts.subscription import Wanted
from core.money.pricebook import NegotiatedPrice
from core.offers import PricePoint
from tests.bot.alerts import (
    ANN,
    AWS,
    BOB,
    DAY,
    HOUR,
    NOW,
    AlertHarness,
    checked,
    offers,
    point,
)
from tests.bot.blocks import check_message, of_type


def test_a_move_is_told_with_all_that_belongs_to_it(harness: AlertHarness) -> None:
    """Offer, from, to, per cent, since when, source and age, chart, maker, buttons."""
    harness.say("alert h100 lambda moves 8%")
    for price in ("2.45", "2.40", "2.25"):
        harness.now += 9 * DAY
        harness.poll(*offers(price))
    harness.now += 2 * HOUR

    (view,) = map(checked, harness.posts())
    (chart,) = of_type(Renderer().render_blocks(view).blocks, "data_visualization")

    assert (
        "Lambda lowered H100 SXM on-demand from $2.50 to $2.25 per GPU-hour (−10 %)"
        == view.verdict
    )
    assert view.why.endswith("Since Fri 20 Nov 2026 12:00 UTC.")
    assert "feed, seen 2026-12-17 12:00 UTC (2 hours ago): " in view.small_print[0]
    assert "https://example.com/prices" in view.small_print[0]
    assert [("Alert 1, “alert h100 lambda moves 8%”, by", ANN)] == [
        (credit.text, credit.user_id) for credit in view.credits
    ]
    assert [f"{SNOOZE}:1d", f"{SNOOZE}:1w", ADJUST, HISTORY, STOP] == [
        action.id for action in view.actions
    ]
    values = [point["value"] for point in chart["chart"]["series"][0]["data"]]
    assert (2.5, 2.25) == (values[0], values[-1])
    assert len(values) <= 20


@pytest.mark.parametrize(
    ("command", "polled", "said"),
    [
        (
            "alert h100 lambda < 2.40",
            offers("2.35"),
            "Cheapest H100 now Lambda H100 SXM on-demand: $2.50 → $2.35 per GPU-hour",
        ),
        (
            "alert h100 lambda,voltagepark < 2.40",
            offers("2.50", point("2.10", provider="voltagepark")),
            "That offer is newly listed. No price was cut.",
        ),
        (
            "alert h100 lambda,aws > 2.60",
            offers("2.50")[1:],
            "The cheaper offer is no longer listed. No price was raised. "
            "It was Lambda H100 SXM on-demand.",
        ),
        (
            "alert h100 lambda,scaleway > 2.60",
            offers("2.70"),
            "The provider changed its price.",
        ),
        (
            "alert h100 lambda,vultr listed",
            offers("2.50", point("2.10", provider="vultr")),
            "Newly on offer: Vultr H100 SXM on-demand at $2.10",
        ),
        (
            "alert h100 lambda,aws vanishes",
            offers("2.50")[1:],
            "No longer on offer: Lambda H100 SXM on-demand, last $2.50",
        ),
        (
            "alert h100 lambda,runpod gap > 45%",
            offers("3.00"),
            "H100: spot is 50 % under on-demand, was 40 %",
        ),
    ],
)
def test_what_happened_is_said_as_it_was(
    harness: AlertHarness, command: str, polled: tuple[PricePoint, ...], said: str
) -> None:
    """Crossings, newcomers, departures and gaps, each with its own cause."""
    harness.say(command)
    harness.now += 2 * DAY
    harness.poll(*polled)

    (view,) = map(checked, harness.posts())

    assert said in f"{view.verdict} {view.why}"


def test_a_new_low_says_of_how_long(harness: AlertHarness) -> None:
    """A low names the day since which it was never as cheap."""
    harness.say("alert h100 lambda new low 3d")
    for price in ("2.60", "2.55", "2.45"):
        harness.now += 2 * DAY
        harness.poll(*offers(price))

    (view,) = map(checked, harness.posts())

    assert "its lowest since Mon 23 Nov 2026 12:00 UTC" in view.verdict


def test_one_providers_moves_are_one_message(harness: AlertHarness) -> None:
    """Two GPUs that Lambda reprices are a table in one message, with every maker."""
    harness.say("alert h100 lambda moves 8%", ANN)
    harness.say("alert mi300x moves 8%", BOB)
    harness.now += DAY
    harness.poll(point("2.00"), point("2.80", **AWS), point("1.90", "mi300x"))

    (view,) = map(checked, harness.posts())

    assert (
        "Lambda lowered H100 SXM on-demand from $2.50 to $2.00 per GPU-hour (−20 %), "
        "and 1 more change"
    ) == view.verdict
    assert view.table is not None
    assert [("$2.50", "$2.00", "−20 %"), ("$2.20", "$1.90", "−13.6 %")] == [
        tuple(cell.text for cell in row[1:4]) for row in view.table.rows
    ]
    assert {ANN, BOB} == {credit.user_id for credit in view.credits}
    assert "1,2 1d" == view.actions[0].value


def test_every_button_of_an_alert_does_something(harness: AlertHarness) -> None:
    """Snooze, adjust, history and stop each have a handler."""
    harness.say("alert h100 lambda moves 8%")
    harness.now += DAY
    harness.poll(*offers("2.00"))
    (view,) = harness.posts()
    bound = harness.service.for_slack().buttons

    assert {a.id.partition(":")[0] for a in view.actions} <= bound.keys()


def test_a_channel_above_its_cap_gets_a_summary(harness: AlertHarness) -> None:
    """A few messages a day, then one that says how many more there were."""
    names = ["lambda", "aws", "gcp", "azure", "oci", "vultr"]
    for name in names:
        harness.poll(point("2.00", provider=name), source=name)
        harness.say(f"alert h100 {name} moves 8%")
    harness.now += HOUR
    for name in names:
        harness.poll(point("1.50", provider=name), source=name)

    views = [checked(view) for view in harness.posts()]

    assert DAILY_CAP + 3 == len(names)
    assert DAILY_CAP + 1 == len(views)
    assert views[-1].verdict.startswith("3 more alerts of 20 November")
    assert views[-1].table is not None
    assert 3 == len(views[-1].table.rows)


def test_a_price_says_what_it_means_for_watched_workloads(
    harness: AlertHarness,
) -> None:
    """A watched plan that moved by less than it asks for stands beside the price."""
    harness.say("watch 70b inference 50rps on h100 at lambda 50%")
    harness.say("alert h100 lambda moves 8%")
    harness.now += DAY
    harness.poll(*offers("2.00"))
    harness.later(timedelta(minutes=1))

    (view,) = map(checked, harness.posts())

    assert view.verdict.startswith("Lambda lowered H100 SXM on-demand from $2.50 to $2")
    assert view.table is not None
    plan = [cell.text for cell in view.table.rows[1]]
    before, after = (float(plan[n].strip("$/month").replace(",", "")) for n in (1, 2))
    assert plan[0] == "70b inference 50rps on h100 at lambda, alert 1"
    assert after == pytest.approx(0.8 * before, rel=0.01)
    assert plan[3] == "−20 %"


def test_a_poll_is_one_message_to_a_channel(harness: AlertHarness) -> None:
    """Price and plan, judged together; nothing is posted before both are."""
    harness.say("watch 70b inference 50rps on h100 at lambda 10%")
    harness.say("alert h100 lambda moves 8%")
    harness.now += DAY
    harness.poll(*offers("2.00"))

    assert 0 == harness.service.courier.deliver_all()
    harness.later(timedelta(minutes=1))

    (message,) = harness.waiting()
    assert ["price", "workload"] == [one.kind for one in message.letter.alerts]
    (view,) = map(checked, harness.posts())
    assert "as before" not in str(view)


def test_a_workload_that_got_cheaper_is_told(harness: AlertHarness) -> None:
    """The message has the answer before and now, by how much, and a Why? button."""
    harness.say("watch 70b inference 50rps on h100 at lambda 10%")
    harness.now += DAY
    harness.poll(*offers("2.00"))
    harness.later(timedelta(minutes=1))
    harness.later(timedelta(minutes=1))

    (view,) = map(checked, harness.posts())
    why = view.actions[-1]

    (chart,) = view.charts
    bills = chart.series[0].values

    assert "the cost moved (−20 %)" in view.verdict
    assert "$/month" in chart.title
    assert bills[-1] == pytest.approx(0.8 * bills[-2], rel=0.01)
    assert "H100 SXM at Lambda" in view.why
    assert "why" == why.id
    assert "There is no answer" not in harness.say(f"why {why.value}").verdict


def test_a_price_of_the_workspace_is_not_told_as_the_sellers(
    harness: AlertHarness,
) -> None:
    """Who set a price, changed it, or let it go is the workspace, not Lambda."""
    harness.say("watch 70b inference 50rps on h100 at lambda 5%")
    book = harness.answering.team_context.book
    told = []
    for usd in ("2.00", "1.80", ""):
        harness.now += DAY
        if usd:
            book.set("T1", own_price(usd, harness.now))
        else:
            (price,) = book.valid_on("T1", harness.now).values()
            book.remove("T1", price, ANN, harness.now)
        harness.poll(*offers("2.50"))
        harness.later(timedelta(minutes=1))
        told.append(harness.posts()[-1].verdict)

    assert [line.partition(". ")[0] for line in told] == [
        "This workspace set its own price of Lambda H100 SXM on-demand",
        "This workspace changed its own price of Lambda H100 SXM on-demand by 10 %",
        "This workspace's own price of Lambda H100 SXM on-demand no longer holds",
    ]


def own_price(usd: str, at: datetime) -> NegotiatedPrice:
    """A price per hour that the team says it pays Lambda."""
    return NegotiatedPrice(
        provider="lambda",
        gpu="h100-80gb-sxm",
        pricing="on_demand",
        usd_per_gpu_hour=Decimal(usd),
        set_by=ANN,
        set_at=at,
    )


def test_a_workload_is_not_told_of_small_change(harness: AlertHarness) -> None:
    """Under its size nothing is posted, and the next move counts from the told one."""
    harness.say("watch 70b inference 50rps on h100 at lambda 10%")
    for price, expected in (("2.40", 0), ("2.30", 0), ("2.20", 1)):
        harness.now += DAY
        harness.poll(*offers(price))
        harness.later(timedelta(minutes=1))

        assert expected == len(harness.waiting())


@pytest.mark.parametrize(
    "question",
    ["70b inference 50rps on h100", "lambda vs hyperstack for 70b 50rps on h100"],
)
def test_another_winner_is_told(harness: AlertHarness, question: str) -> None:
    """When somebody else becomes the best answer, that is news below the size too."""
    both = offers("2.50", point("2.80", provider="hyperstack"))
    harness.now += HOUR
    harness.poll(*both)
    harness.say(f"watch {question} 50%")
    harness.now += DAY
    harness.poll(*both[:-1], point("2.20", provider="hyperstack"))
    harness.later(timedelta(minutes=1))

    (view,) = map(checked, harness.posts())

    assert "another best offer" in view.verdict
    assert "Hyperstack" in view.verdict


def test_a_break_even_is_watched(harness: AlertHarness) -> None:
    """A price change that moves a saved break-even is told in requests per second."""
    question = "break-even llama-3.1-70b 1B tokens/month vs gpt-4o on h100 at lambda"
    made = harness.say(f"watch {question} 15%")
    harness.now += DAY
    harness.poll(*offers("1.90"))
    harness.later(timedelta(minutes=1))

    (view,) = map(checked, harness.posts())

    assert "its break-even moves by 15 %" in made.verdict
    assert "the break-even with the API moved (−24 %)" in view.verdict


def test_what_nobody_watches_any_more_is_not_posted(harness: AlertHarness) -> None:
    """An alert whose subscription was removed before it went out stays unsaid."""
    harness.say("alert h100 lambda moves 8%")
    harness.now += DAY
    harness.poll(*offers("2.00"))
    harness.say("remove 1")

    assert 1 == len(harness.waiting())
    assert [] == harness.posts()


def test_an_answers_outcome_is_its_best_bill(harness: AlertHarness) -> None:
    """What a watched answer comes down to is what its verdict names."""
    query = harness.service.commands.read("70b inference 50rps on h100 at lambda")
    context = AskContext(surface="command", team_id="T1")
    outcome = outcome_of(harness.answering.again(query, context))

    assert outcome is not None
    assert outcome.amount == outcome.bills[outcome.winner]
    assert "lambda h100-80gb-sxm on_demand 0 standard" == outcome.winner
    assert outcome.amount % (Decimal("2.50") * 720) == 0


@pytest.mark.parametrize("text", ["<!channel>", "*_`~", "a" * 3000, "\u202e\x00"])
def test_hostile_words_stay_words(harness: AlertHarness, text: str) -> None:
    """What was typed comes back in messages as text, cut to what Slack takes."""
    harness.say("alert h100 lambda moves 8%", channel="C9")
    (made,) = harness.book.of_channel("T1", "C9")
    fields = made.model_dump(include=set(Wanted.model_fields)) | {"typed": text}
    harness.book.remove([made.id])
    harness.book.add(Wanted.model_validate(fields), NOW)
    harness.now += DAY
    harness.poll(*offers("2.00"))

    (view,) = harness.posts()
    drawn = Renderer().render_blocks(view)

    check_message(drawn.blocks, drawn.text)
    assert "<!channel>" not in drawn.text
