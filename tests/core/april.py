"""The markets that the articles saw: their own prices of April 2026, as shipped."""

from datetime import UTC, datetime
from typing import Any

from core.answers.media import MediaAnswer, recommend_media
from core.jobs.answer import answer_job
from core.jobs.options import JobAnswer, JobOption
from core.jobs.recommend import Shop
from core.market.recommendation import Option, Recommendation
from core.offers import Catalog, Offer
from core.query import Query
from core.reference.assumed import defaults
from core.reference.load import reference
from core.resolve import Unresolved, resolve
from core.sizing.serving import recommend_serving
from core.workload import InferenceSpec, MediaSpec, Resolved, is_job
from prices.snapshot import datasets, read_poll

THEN = datetime(2026, 4, 30, tzinfo=UTC)
FORM = {"a100-80gb": "a100-80gb-sxm"}
"""The article names no form of its A100 80GB and quotes the SXM card's bandwidth."""


def offers_of(source: str) -> tuple[Offer, ...]:
    """Every price of the sources whose name begins so."""
    polls = [read_poll(one) for one in datasets() if one.source.startswith(source)]
    points = [point.model_dump() for poll in polls for point in poll.points]
    assert points, source
    return tuple(
        Offer.model_validate(point | {"gpu": FORM.get(point["gpu"], point["gpu"])})
        for point in points
    )


SPHERON = offers_of("spheron.network")
FOUR_CLOUDS = offers_of("ozmarx.com")


def only(offers: tuple[Offer, ...], *gpus: str) -> tuple[Offer, ...]:
    """The offers of some GPUs: the columns of one table."""
    return tuple(offer for offer in offers if offer.gpu in gpus)


TABLE = only(SPHERON, "l40s", "h100-80gb-sxm", "h200-sxm", "b200")
"""The four GPUs that the decision tables choose from."""


def resolved(**stated: Any) -> Resolved:
    """A question's workload, gaps filled as they are for anybody."""
    found = resolve(Query(**stated), reference(), defaults())
    assert not isinstance(found, Unresolved), found
    return found


def serving(*offers: Offer, **stated: Any) -> Recommendation:
    """What is recommended for live traffic at these prices."""
    work = resolved(kind="inference", **stated)
    assert isinstance(work.spec, InferenceSpec)
    catalog = Catalog(offers or TABLE, THEN, "april")
    return recommend_serving(work, work.spec, catalog, reference(), THEN)


def served_by(*offers: Offer, **stated: Any) -> Option:
    """The winner for live traffic."""
    found = serving(*offers, **stated)
    assert "ok" == found.status, found.rejections
    return found.options[0]


def job(*offers: Offer, **stated: Any) -> JobAnswer:
    """What is recommended for a batch or a run at these prices."""
    work = resolved(**stated)
    assert is_job(work.spec)
    return answer_job(work, work.spec, shop(*(offers or TABLE)))


def done_by(*offers: Offer, **stated: Any) -> JobOption:
    """The winner for a batch or a run."""
    found = job(*offers, **stated)
    assert found.best is not None, found.rejections
    return found.best


def media(*offers: Offer, **stated: Any) -> MediaAnswer:
    """What is recommended for media work at these prices."""
    work = resolved(**stated)
    assert isinstance(work.spec, MediaSpec)
    return recommend_media(work, work.spec, shop(*(offers or SPHERON)))


def shop(*offers: Offer) -> Shop:
    """These offers, on the day of the articles."""
    return Shop(Catalog(offers, THEN, "april"), reference(), THEN)


def refusal(found: Recommendation | JobAnswer, subject: str) -> str:
    """Why a GPU was left out: rule and arithmetic."""
    (one,) = (r for r in found.rejections if subject in r.subject)
    return f"{one.rule}: {one.why}"
