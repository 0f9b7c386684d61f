"""GPUs and makers of them that are ruled out: "no b200", "anything but h100"."""

from functools import cache

from bot.language.reading import Reading
from core.patterns import regex
from core.reference.tables import read_table

_OUT = (
    r"(?:no|not|nothing from|not on|without|w/o|except|excluding|exclude|avoid|never|"
    r"minus|non|other than|(?:anything|everything|all) but|not (?:using|use)|"
    r"don't want|steer clear of|stay away from|kein\w*|ohne|pas de|sans|sin|senza|sem|"
    r"geen|zonder|bez)"
)
_FAMILY = r"hopper|blackwell|ampere|ada lovelace|turing|volta|pascal"
_MAKER = r"(nvidia|amd|intel|google|tpus?)"
_KIND = r"(?: gpus?| cards?| hardware| accelerators?)"
_MAKER_OUT = regex(rf"\b{_OUT}[ -]+(?:any )?(?:{_MAKER}|({_FAMILY}))\b")
_MAKER_ONLY = regex(
    rf"\b(?:only|just|solely|exclusively)(?: on| with)? {_MAKER}\b"
    rf"|\b{_MAKER}{_KIND}?(?: only|{_KIND})\b|\bon {_MAKER}$"
)
_MAKERS = ("nvidia", "amd", "intel", "google")
_NO_EXCLUSION = ("just", "only", "enough")
"""Words after a "not" that rule nothing out: "not only on h100"."""


def excluded(reading: Reading) -> None:
    """Take what is ruled out, so that no later rule reads it as wanted."""
    if reading.has("ALERT", "WHY", "MUTE", "STOPV"):
        return
    named = reading.seen & {"GPU"}
    out = [*_gpus_out(reading), *_makers_out(reading), *_left_behind(reading)]
    if out:
        reading.aside["gpu_exclude"] = tuple(dict.fromkeys(out))
        reading.seen |= named


def _gpus_out(reading: Reading) -> list[str]:
    out: list[str] = []
    for match in reading.find("NOT [A ON]{0,2} GPU (?:[OR AND SLASH]? GPU)*"):
        places = [i for i in range(*match.span()) if reading.items[i].concept == "GPU"]
        start = reading.items[match.start()].start
        words = reading.plain[start : reading.items[places[0]].start].split()
        if "not" in words:
            places = _up_to_the_other(reading, places)
        near = {reading.concept_at(match.start() - back) for back in (1, 2)}
        sold_out = "PROVIDER" in near and _OFFERS.search(reading.plain, 0, start)
        if not (sold_out or any(word in words for word in _NO_EXCLUSION)):
            out += [str(reading.items[index].value) for index in places]
            for index in places:
                reading.become(index, "W", "")
            reading.use(match.start(), places[-1] + 1)
    return out


_OFFERS = regex(r"\b(?:has|have|had|offers?|sells?|with) $")
_THE_OTHER = regex(r"\b(?:but|rather|the|an?)\b")


def _up_to_the_other(reading: Reading, places: list[int]) -> list[int]:
    """Of "not the l4, the l40s" the first: what stands behind it is wanted."""
    if any(
        reading.concept_at(i) in ("OR", "AND") for i in range(places[0], places[-1])
    ):
        return places
    for at, index in enumerate(places[1:], 1):
        if _THE_OTHER.search(reading.between(index)):
            return places[:at]
    return places


_INSTEAD = regex(
    r"\b(?:(?:something|anything|alternatives?|options?|what else)\s+(?:else\s+)?"
    r"(?:(?:cheaper|better|smaller|faster|newer|other)\s+)?(?:than|to)|"
    r"instead of|rather than|other than)\s+(?:an?\s+|the\s+|our\s+)?$"
)
_NEAR = 50


def _left_behind(reading: Reading) -> list[str]:
    """The one GPU of "alternatives to h100 for 70b": what takes its place is asked."""
    places = reading.places("GPU")
    if len(places) != 1 or not reading.has("MODELNAME", "NUMB"):
        return []
    item = reading.items[places[0]]
    before = reading.plain[max(0, item.start - _NEAR) : item.start]
    if not _INSTEAD.search(before):
        return []
    slug = str(item.value)
    reading.become(places[0], "W", "")
    return [slug]


def _makers_out(reading: Reading) -> list[str]:
    """Makers that are ruled out, or all but the one that is asked for."""
    found = list(_MAKER_OUT.finditer(reading.plain))
    for one in found:
        reading.stretch("gpu_exclude", *one.span())
    if found:
        names = [(one[1] or one[2]).split()[0] for one in found]
        out = ["google" if name.startswith("tpu") else name for name in names]
        for index in reading.places("GPU"):  # "told to use H100s, but no Hopper at all"
            if not _made(str(reading.items[index].value)).isdisjoint(out):
                reading.become(index, "W", "")
                reading.use(index, index + 1)
        return out
    only = _MAKER_ONLY.search(reading.plain)
    if only is None or reading.has("GPU"):
        return []
    meant = next(name for name in only.groups() if name)
    return [name for name in _MAKERS if name != meant]


@cache
def _made(slug: str) -> frozenset[str]:
    """The makers and the families of a GPU, or of all that a name may mean."""
    return frozenset(
        row[told]
        for row in read_table("core.reference", "gpus.toml")["gpu"]
        if slug in (row["id"], row["family"]) or row["id"].startswith(f"{slug}-")
        for told in ("vendor", "architecture")
    )


RULES = (excluded,)
