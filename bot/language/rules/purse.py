"""What a sum of money buys, where nothing else is said."""

from bot.language.reading import Reading

_BESIDE_MONEY = frozenset(
    "what whats how far long get gets got buy buys bring brings best most rent do use "
    "with for in on out kind sort setup go goes bekomme bekommen kriege kriegen kaufen "
    "obtenir acheter comprar conseguir".split()
)
"""Words that ask what money buys, and name no goods."""
_ASKS = frozenset(
    "W CANI DUR CUR NUM GRAND PER TIME BUDGET SPEND HAVE EXPLAIN HOWMUCH NEED IN UNDER "
    "A OK SLASH EQ WHEN MUL PRICE REGION PRICING RESERVED".split()
)


def buys_unnamed(reading: Reading) -> bool:
    """Whether it is asked what money buys, with no goods beside: GPUs are meant."""
    if "budget_amount" not in reading.fields or not reading.seen <= _ASKS:
        return False
    said = (reading.plain[one.start : one.end].split() for one in reading.all("W"))
    return all(_BESIDE_MONEY.issuperset(words) for words in said)
