"""The image, as far as it can be had without a container engine.

The build stage's own lines are run in an empty folder, with its environment; then the
last stage's command and health check, as another user, on files that nobody can write.
"""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bot.fake_slack import SECRET, fake_slack

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy/Dockerfile"
USER = 10001
Line = tuple[str, str]
"""An instruction, and what follows it."""


def stages() -> list[list[Line]]:
    """Every stage's instructions, continued lines joined, comments left out."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    found: list[list[Line]] = [[]]
    for line in filter(None, lines):
        word, _, rest = line.partition(" ")
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest.strip()))
    return found


def environment(stage: list[Line]) -> dict[str, str]:
    """What a stage sets."""
    pairs = (
        pair for word, rest in stage if word == "ENV" for pair in shlex.split(rest)
    )
    return dict(pair.split("=", 1) for pair in pairs)


BEFORE, BUILD, LAST = stages()


def only(stage: list[Line], word: str) -> str:
    """The one line of an instruction."""
    (found,) = (rest for each, rest in stage if each == word)
    return found


def test_the_base_is_pinned() -> None:
    """One base for both stages, at the version that the tests run on."""
    argument = only(BEFORE, "ARG")

    assert re.fullmatch(r"PYTHON=python:3\.11\.\d+-slim-\w+", argument)
    assert ["${PYTHON} AS build", "${PYTHON}"] == [
        only(stage, "FROM") for stage in (BUILD, LAST)
    ]


def test_it_runs_as_nobody_who_could_do_harm() -> None:
    """A user by number, so that a cluster can tell that it is not root."""
    assert only(LAST, "USER") == f"{USER}:{USER}"
    assert only(LAST, "VOLUME") == '["/data"]'
    assert environment(LAST)["GPUCOST_HOME"] == "/data"
    assert only(LAST, "STOPSIGNAL") == "SIGTERM"


def test_no_build_tool_is_left() -> None:
    """What the last stage takes over is the installed program alone."""
    copied = [rest for word, rest in LAST if word == "COPY"]
    run = only(LAST, "RUN")

    assert ["--from=build /opt/gpucost /opt/gpucost"] == copied
    assert "pip uninstall" in run
    assert not re.search(r"apt-get|gcc|\bgit\b|curl", DOCKERFILE.read_text())


def test_only_what_is_copied_is_sent_to_the_builder() -> None:
    """The list of what may go, and the copies, name the same things."""
    ignored = (ROOT / "deploy/Dockerfile.dockerignore").read_text().splitlines()
    allowed = {line[1:] for line in ignored if line.startswith("!")}
    copied = {
        source for word, rest in BUILD if word == "COPY" for source in rest.split()[:-1]
    }

    assert "*" in ignored
    assert allowed == copied
    assert all((ROOT / name).exists() for name in copied)


def test_the_build_lock_is_part_of_the_development_lock() -> None:
    """The wheel is built by the very versions that are tested here."""

    def pins(name: str) -> set[str]:
        text = (ROOT / "deploy" / name).read_text()
        return set(re.findall(r"^[\w.-]+==\S+", text, re.MULTILINE))

    assert {"hatchling"} < {
        pin.split("==")[0] for pin in pins("requirements-build.lock")
    }
    assert pins("requirements-build.lock") <= pins("requirements-dev.lock")


@pytest.fixture(scope="module")
def image() -> Iterator[Path]:
    """The folder that stands for the image's root, built by the Dockerfile's lines."""
    if not os.environ.get("BUILD_IMAGE"):
        pytest.skip("the image takes half a minute to build: `make image` does it")
    root = Path(tempfile.mkdtemp(prefix="gpucost-image-"))
    root.chmod(0o755)
    try:
        subprocess.run([_interpreter(), "-m", "venv", root / "tools"], check=True)
        _build(root)
        yield root
    finally:
        subprocess.run(["chmod", "-R", "u+w", root], check=False)
        shutil.rmtree(root)


def _interpreter() -> Path:
    """A Python that another user may run too, where this machine has one."""
    known = (Path(sys.base_prefix) / "bin/python3", Path("/usr/bin/python3"))
    for found in known:
        if found.is_file() and _makes_environments(found):
            return found
    pytest.skip("no Python on this machine may be run by another user")


def _makes_environments(python: Path) -> bool:
    script = "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"
    try:
        ran = subprocess.run(
            [python, "-c", script], check=False, cwd="/", **_somebody()
        )  # type: ignore[call-overload]
    except PermissionError:
        return False
    return bool(ran.returncode == 0)


def _somebody() -> dict[str, object]:
    """The image's user, where we may become it."""
    may = os.geteuid() == 0
    return {"user": USER, "group": USER, "extra_groups": []} if may else {}


def _build(root: Path) -> None:
    place = root / "build"
    place.mkdir()
    path = f"{root}/tools/bin:/usr/bin:/bin"
    own = {"PATH": path, "HOME": str(root)} | environment(BUILD)
    # The machine's own index and cache, as a builder's would be.
    machine = {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "SSL_"))}
    # Saves half a minute, and changes nothing that is looked at here.
    own["PIP_NO_COMPILE"] = "1"
    for word, rest in BUILD:
        if word == "COPY":
            *sources, target = rest.split()
            _copy(sources, place / target)
        elif word == "RUN":
            command = rest.replace("/opt/gpucost", f"{root}/opt/gpucost")
            ran = subprocess.run(
                ["sh", "-ec", command.replace("/build", str(place))],
                cwd=place, env=machine | own, capture_output=True, text=True,
                check=False,
            )  # fmt: skip
            if re.search(r"NewConnectionError|Temporary failure in name", ran.stderr):
                pytest.skip("no package index can be reached: nothing is built")
            assert ran.returncode == 0, ran.stderr[-2000:]


def _copy(sources: list[str], target: Path) -> None:
    for source in map(ROOT.joinpath, sources):
        if source.is_dir():
            skipped = shutil.ignore_patterns("__pycache__", "*.sqlite3*")
            shutil.copytree(source, target, ignore=skipped)
        else:
            target.mkdir(exist_ok=True)
            shutil.copy(source, target)


def test_what_is_built_serves_and_is_healthy(image: Path, tmp_path: Path) -> None:
    """As an ordinary user, on a root that cannot be written, until told to stop."""
    home = image / "data"
    home.mkdir(mode=0o700)
    subprocess.run(["chmod", "-R", "a-w,a+rX", image / "opt"], check=True)
    who = _somebody()
    if who:
        os.chown(home, USER, USER)
    with fake_slack() as slack, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings = environment(LAST) | {
            "PATH": f"{image}/opt/gpucost/bin:/usr/bin:/bin",
            "HOME": str(home),
            "GPUCOST_HOME": str(home),
            "GPUCOST_HOST": "127.0.0.1",
            "GPUCOST_PORT": "0",
            "GPUCOST_HEALTH_PORT": str(free.getsockname()[1]),
            "GPUCOST_FEEDS": "off",
            "SLACK_BOT_TOKEN": "xoxb-test",
            "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": f"{slack.url}/api/",
        }
        free.close()
        _serve_and_probe(settings, home, who)


def _serve_and_probe(
    settings: dict[str, str], home: Path, who: dict[str, object]
) -> None:
    check = _words(only(LAST, "HEALTHCHECK").partition("CMD ")[2])
    command = [*_words(only(LAST, "ENTRYPOINT")), *_words(only(LAST, "CMD")), "--http"]

    def healthy() -> bool:
        probe = subprocess.run(
            check, env=settings, cwd=home, capture_output=True, check=False, **who
        )  # type: ignore[call-overload]
        return bool(probe.returncode == 0)

    assert not healthy()
    bot = subprocess.Popen(command, env=settings, cwd=home, **who)  # type: ignore[call-overload]
    try:
        end = time.monotonic() + 30
        while not healthy() and time.monotonic() < end:
            assert bot.poll() is None
            time.sleep(0.2)
        assert healthy()
    finally:
        bot.terminate()
        assert bot.wait(40) == 0


def _words(form: str) -> list[str]:
    """The words of an instruction in its exec form."""
    return re.findall(r'"([^"]*)"', form)


def test_the_image_holds_no_installer(image: Path) -> None:
    """Nobody installs anything into what runs."""
    installed = {
        path.name.split("-")[0] for path in image.glob("opt/gpucost/lib/*/*/*")
    }

    assert "gpucost" in installed
    assert not installed & {"pip", "setuptools", "wheel", "hatchling", "hatch"}
