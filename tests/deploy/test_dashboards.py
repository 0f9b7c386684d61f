"""Dashboard and alert rules speak of metrics that exist, with labels that exist."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.config.settings import Settings
from bot.operate.operations import operations
from bot.run.composition import compose
from tests.each import each

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = re.compile(r"\b(?:gpucost|process)_\w+")
SELECTOR = re.compile(r"\b((?:gpucost|process)_\w+)\{([^}]*)\}")
SCRAPED = {"job", "instance"}
"""Labels that Prometheus itself adds."""


def rules() -> list[dict[str, Any]]:
    """Every alert rule."""
    found = yaml.safe_load((DEPLOY / "prometheus/alerts.yaml").read_text())
    return [rule for group in found["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    """Every panel that draws something."""
    found = json.loads((DEPLOY / "grafana/gpucost.json").read_text())
    return [panel for panel in found["panels"] if panel["type"] != "row"]


def expressions() -> Iterator[str]:
    """Everything that Prometheus is asked."""
    for rule in rules():
        yield rule["expr"]
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """Every metric of the program, with its labels."""
    home = tmp_path_factory.mktemp("home")
    compose(Settings(home=home))
    metrics = operations(Settings(home=home)).metrics
    found: dict[str, set[str]] = {}
    for family in metrics.registry.collect():
        ends = {
            "counter": ("_total",),
            "histogram": ("_bucket", "_count", "_sum"),
        }.get(family.type, ("",))
        for end in ends:
            labels = {label for s in family.samples for label in s.labels}
            found[f"{family.name}{end}"] = labels
    for own in vars(metrics).values():
        for name in found if hasattr(own, "_labelnames") else ():
            if name.startswith(own._name):
                found[name] |= {*own._labelnames, "le"}
    return found


@pytest.mark.sqlite_alone
@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_an_expression_names_metrics_that_exist(
    expression: str, known: dict[str, set[str]]
) -> None:
    """A metric that was renamed is missed here, and not on the day it is needed."""
    named = set(NAME.findall(expression))

    assert named or expression.startswith("up")
    assert named <= known.keys()
    for metric, selector in SELECTOR.findall(expression):
        labels = set(re.findall(r"(\w+)\s*[=!]", selector))
        assert labels <= known[metric] | SCRAPED


@each(sorted(set(expressions())))
def test_an_expression_is_balanced(expression: str) -> None:
    """promtool is not asked here: brackets are what breaks most often."""
    for opening, closing in ("()", "{}", "[]"):
        assert expression.count(opening) == expression.count(closing)


def test_every_rule_says_what_to_do() -> None:
    """An alert without an action is noise."""
    for rule in rules():
        assert rule["annotations"].keys() == {"summary", "action"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert re.fullmatch(r"Gpucost[A-Z]\w+", rule["alert"])
    assert len({rule["alert"] for rule in rules()}) == len(rules())


def test_a_rule_names_commands_that_exist() -> None:
    """What an action says to type can be typed."""
    from bot.commands.cli import COMMANDS

    said = " ".join(rule["annotations"]["action"] for rule in rules())

    named = set(re.findall(r"`gpucost ([a-z]+)\b", said))

    assert named
    assert named <= set(COMMANDS)


def test_panels_do_not_overlap() -> None:
    """Every panel has a place and an id of its own."""
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not taken & cells, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in panels()}) == len(panels())


def test_what_is_measured_is_drawn(known: dict[str, set[str]]) -> None:
    """No metric of ours is collected for nobody."""
    drawn = set(NAME.findall(" ".join(expressions())))
    ours = {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in known
            if name.startswith("gpucost_")}  # fmt: skip
    seen = {re.sub(r"_(bucket|sum|count|total)$", "", name) for name in drawn}

    assert ours - seen <= {"gpucost_store_schema_version"}
