"""What is refused is never read as wanted, however it is said."""

import pytest

from bot.language.parse import parse

WAYS = {
    "en": """leave {x} out of it|please leave {x} out|keep {x} out of this|rule {x} out|
        ruling out {x}|we can't use {x}|we cannot use {x}|{x} is not available to us|
        not {x}|no {x}|anything but {x}|skip {x}|we no longer use {x}|
        we stopped using {x}|we are done with {x}|{x} is not an option|
        {x} isn't an option|don't show me {x}|we don't want {x}|do not include {x}|
        without {x}|except {x}|excluding {x}|steer clear of {x}|avoid {x}|ban {x}|
        {x} is banned|{x} not allowed|{x} forbidden|our CFO hates {x}|never {x}|
        moving away from {x}|we left {x}|other than {x}|{x} need not apply|
        nobody wants {x}|{x} is off the table|{x} got vetoed|anything other than {x}""",
    "de": """verzichten auf {x}|bitte nicht {x}|{x} ist raus|{x} ist tabu|ohne {x}|
        {x} kommt nicht in Frage|{x} ist ausgeschlossen|lass {x} weg|kein {x}""",
    "fr": "sans {x}|{x} est interdit|laisse {x} de côté|évitez {x}|{x} est exclu",
    "es": "sin {x}|ya no usamos {x}|{x} queda fuera|deja {x} fuera|evita {x}",
    "pt": "sem {x}|não usamos {x}|{x} fica de fora|deixa {x} de fora|evite {x}",
    "it": "senza {x}|non usiamo più {x}|{x} è escluso|lascia {x} fuori",
    "nl": "zonder {x}|laat {x} weg|{x} valt af|{x} is geen optie",
    "pl": "bez {x}|{x} odpada|nie używamy {x}|unikamy {x}",
    "ru": "без {x}|больше не используем {x}|{x} нельзя",
    "tr": "{x} yasak|{x} olmasın|{x} kullanmıyoruz",
    "ja": "{x}は不可|{x}は使わない|{x}以外",
    "ko": "{x} 제외|{x} 금지|{x} 말고",
    "zh": "不用{x}|{x}不行|不考虑{x}",
}
NAMES = (("provider", "lambda"), ("gpu", "l40s"), ("pricing", "spot"))
REST = "70b at 10 rps, 1k in 200 out"


def ways() -> list[tuple[str, str]]:
    """Every way in every language."""
    return [
        (language, way.strip())
        for language, said in WAYS.items()
        for way in said.split("|")
    ]


@pytest.mark.parametrize(("field", "name"), NAMES)
def test_what_is_refused_is_not_wanted(field: str, name: str) -> None:
    """In front of the load and behind it, alone and in a list of two."""
    wanted = []
    for language, way in ways():
        said = way.format(x=name)
        for text in (f"{REST}; {said}.", f"{said.capitalize()}. {REST}"):
            if name in (getattr(parse(text), field) or ()):
                wanted.append((language, text))
    assert not wanted


@pytest.mark.parametrize(
    "way",
    ["leave {x} out", "steer clear of {x}", "{x} are not an option", "we left {x}"],
)
def test_a_list_is_refused_whole(way: str) -> None:
    """ "leave Lambda and Vast out of it" speaks of both."""
    query = parse(f"{REST}; {way.format(x='lambda and vast')}")
    assert set(query.provider_exclude) == {"lambda", "vast"}
    assert not query.provider


@pytest.mark.parametrize(
    "text",
    [
        "is lambda not an option for 70b at 10 rps?",
        "70b at 10 rps on lambda, don't show me azure",
        "lambda instead of azure, 70b at 10 rps",
        "azure is out, so lambda it is: 70b at 10 rps",
    ],
)
def test_what_is_asked_about_stays_wanted(text: str) -> None:
    """A refusal reaches the names beside it alone."""
    assert parse(text).provider == ("lambda",)
