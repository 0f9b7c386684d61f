"""Hardware that was bought to train on, where it is to serve now."""

from bot.language.reading import Reading, needs
from core.patterns import regex

_HARDWARE = r"(?:cluster|fleet|farm|rig|hardware|pool|machines?|servers?|nodes?|gpus?)"
_TRAINING = r"(?:(?:pre|post)-?\s?)?train(?:ing)?|fine-?\s?tuning"
_IN_HAND = regex(
    r"\b(?:our|my|the|this|that|existing|current|idle|spare|old|reus\w+|repurpos\w+)\s+"
    rf"(?:[\w-]+\s+){{0,4}}?(?P<t>{_TRAINING})\s+"
    rf"(?:[\w-]+\s+){{0,2}}?{_HARDWARE}\b"
)
_STILL_TRAINS = ("LIFE", "MIXED", "METHOD", "SFT", "EPOCH", "SAMPLE", "CADENCE")


@needs("SERVE INFER", "TRAIN FINETUNE")
def training_hardware(reading: Reading) -> None:
    """ "Our training cluster" that is to serve is hardware; nothing is trained."""
    if not reading.has("SERVE", "INFER") or reading.has(*_STILL_TRAINS):
        return
    found = _IN_HAND.search(reading.plain)
    runs = reading.places("TRAIN", "FINETUNE")
    if found is None or len(runs) != 1:
        return
    if found.start("t") <= reading.items[runs[0]].start < found.end("t"):
        reading.become(runs[0], "W", "")
        reading.seen -= {"TRAIN", "FINETUNE"}


RULES = (training_hardware,)
