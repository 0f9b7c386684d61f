"""The systemd units: what systemd itself finds in them, and how much they keep shut."""

import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[2] / "deploy/systemd"
SERVICES = sorted(UNITS.glob("*.service"))
MOST_EXPOSED = 2.0
"""On systemd's scale of 0 (sealed) to 10 (open); most services of a system have 9."""

analysed = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None,
    reason="systemd-analyze is not on this machine: the units are not verified",
)


def unit(path: Path) -> ConfigParser:
    """Read a unit; the last of several lines of one name counts."""
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment]
    parser.read(path)
    return parser


def analyse(*words: str) -> str:
    """Ask systemd-analyze, and give everything that it says."""
    ran = subprocess.run(
        ["systemd-analyze", *words], capture_output=True, text=True, check=False
    )
    return ran.stdout + ran.stderr


@analysed
@pytest.mark.parametrize("path", sorted(UNITS.iterdir()), ids=lambda path: path.name)
def test_systemd_finds_nothing_wrong(path: Path) -> None:
    """But that the program is not installed where the unit expects it."""
    said = [
        line
        for line in analyse("verify", str(path)).splitlines()
        if "/opt/gpucost/bin/gpucost is not executable" not in line
    ]

    assert [] == [line for line in said if path.name in line]


@analysed
@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_service_keeps_most_of_the_machine_shut(path: Path) -> None:
    """What it does not need, it cannot reach."""
    said = analyse("security", "--offline=yes", "--no-pager", str(path))
    exposure = next(line for line in said.splitlines() if "Overall exposure" in line)

    assert float(exposure.split(":")[1].split()[0]) <= MOST_EXPOSED


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.name)
def test_a_service_starts_a_command_that_exists(path: Path) -> None:
    """`serve`, with the flag that its name says, and time enough to stop."""
    from bot.commands.cli import COMMANDS
    from bot.config.settings import Settings

    service = unit(path)["Service"]
    words = service["ExecStart"].split()

    assert words[1] in COMMANDS
    assert ("--http" in words) == ("http" in path.name)
    assert int(service["TimeoutStopSec"]) > Settings(home=Path()).stop_seconds


def test_the_two_services_differ_in_the_door_alone() -> None:
    """What hardens one hardens the other."""
    first, second = (dict(unit(path)["Service"]) for path in SERVICES)
    for service in (first, second):
        del service["ExecStart"]

    assert first == second


def test_a_service_can_measure_itself() -> None:
    """Without /proc/stat no process_… metric is made: the rule on memory was blind."""
    for path in SERVICES:
        assert "ProcSubset" not in unit(path)["Service"]


def test_a_restart_under_systemd_takes_the_way_that_is_tested() -> None:
    """`systemctl reload` sends SIGHUP, and hears of the process that follows."""
    for path in SERVICES:
        service = unit(path)["Service"]
        assert service["ExecReload"] == "/bin/kill -HUP $MAINPID"
        assert (service["Type"], service["NotifyAccess"]) == ("notify", "all")
