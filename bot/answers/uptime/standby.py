"""What the same GPUs in a second place add."""

from msgspec.structs import replace

from bot.answers.prices.decide import bill
from bot.answers.shared.page import Page
from bot.answers.shared.workload import load_stated
from bot.answers.uptime.view import explain_second_place, second_place_view
from bot.question.question import Answered, Question
from core.answers.second_place import SecondPlace
from core.market.board import Bill, PriceBoard
from core.query import UPTIME

NO_PART_OF_IT = (
    "asks_difference", "wanted", "clarify", "model", "params_b", "redundant",
)  # fmt: skip


def standby(question: Question) -> Answered | None:
    """What the same GPUs in a second place add; None: a load decides how many."""
    query = question.query
    if not query.gpu or load_stated(query) or query.modality:
        return None
    alone = dict.fromkeys((*UPTIME, *NO_PART_OF_IT)) | {
        "intent": "cost",
        "count": query.count or 1,
    }
    told = bill(replace(question, query=query.model_copy(update=alone)))
    board = told.figures
    if not isinstance(board, PriceBoard) or not board.picks:
        return told
    first, covered = (
        pick.way.of if pick.way and isinstance(pick.way.of, Bill) else None
        for pick in board.picks[:2]
    )
    if first is None:
        return told
    wanted = query.uptime or query.sla
    found = SecondPlace(first, covered, wanted if isinstance(wanted, float) else None)
    return Page(question).drawn(found, second_place_view, explain_second_place)
