"""What `make check` does with a vulnerability, and when nobody answers."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "deploy"))

import check_security  # noqa: E402 - scripts of deploy/ are no package
import sbom  # noqa: E402

LOCK = (ROOT / "deploy" / "requirements.lock").read_text("utf-8")
WEAK = {
    "name": "weak",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}],
}
SOUND = {"name": "sound", "version": "2.0", "vulns": []}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}


def tools(folder: Path, name: str, said: str, complained: str = "") -> Path:
    """A folder with one tool that says what a test wants, and fails."""
    tool = folder / name
    script = f"import sys\nprint({said!r})\nprint({complained!r}, file=sys.stderr)\n"
    tool.write_text(f"#!{sys.executable}\n{script}sys.exit(1)\n")
    tool.chmod(0o755)
    return folder


def test_a_known_vulnerability_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The release, the vulnerability and the release without it are named."""
    report = json.dumps({"dependencies": [WEAK, SOUND, UNKNOWN]})
    found = check_security.check_dependencies(
        tools(tmp_path, "pip-audit", report), "lock"
    )

    assert found == 1
    told = capsys.readouterr().out
    assert "weak 1.0: PYSEC-2026-1 (mended in: 1.1)" in told
    assert "not audited: 1 of 3 not known there" in told


@pytest.mark.parametrize(
    ("complained", "expected"),
    [
        ("ConnectionError: Max retries exceeded", 0),
        ("ServiceError: 503 Service Unavailable", 0),
        ("requirement file lock contains no hashes", 1),
    ],
)
def test_only_silence_of_the_service_is_forgiven(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    complained: str,
    expected: int,
) -> None:
    """What was not audited is said; any other failure of the audit is one."""
    folder = tools(tmp_path, "pip-audit", "", complained)

    assert expected == check_security.check_dependencies(folder, "lock")
    assert ("not audited" in capsys.readouterr().out) == (expected == 0)


def test_insecure_code_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rules of the project find a shell, wherever in the program it is."""
    (tmp_path / "pyproject.toml").write_text(
        ROOT.joinpath("pyproject.toml").read_text()
    )
    for room in check_security.CODE:
        (tmp_path / room).mkdir()
    shell = "import subprocess\nsubprocess.run(input(), shell=True)\n"
    (tmp_path / "core" / "bad.py").write_text(shell)
    monkeypatch.chdir(tmp_path)

    assert check_security.check_code(Path(sys.executable).parent) == 1
    assert "B602" in capsys.readouterr().out


def test_the_bill_of_materials_is_whole() -> None:
    """It is valid CycloneDX, and names every locked release with its hashes."""
    from cyclonedx.model.bom import Bom

    bill = sbom.bill_of(LOCK)
    read = Bom.from_json(bill)

    assert read.validate()
    pins = {f"{one.name}=={one.version}" for one in read.components}
    assert pins == {found["pin"] for found in _pins()}
    assert all(one.hashes and one.purl for one in read.components)
    assert all(one["ref"] for one in bill["dependencies"])
    ours = next(one for one in bill["dependencies"] if one["ref"] == "gpucost")
    assert any("slack-bolt" in ref for ref in ours["dependsOn"])


def _pins() -> list[dict[str, str]]:
    lines = [line for line in LOCK.splitlines() if line[:1].isalnum()]
    return [{"pin": line.split()[0]} for line in lines]
