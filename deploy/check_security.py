"""Fail on insecure code, and on a locked dependency with a known vulnerability.

    python deploy/check_security.py .venv/bin [LOCK]

Where the vulnerability service or the index cannot be reached, it says what was not
audited and lets the check pass: a laptop in a train can still be pushed from.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = "deploy/requirements.lock"
CODE = ("bot", "core", "prices", "templates")
UNREACHED = re.compile(
    r"connection|timed? ?out|resolve|unreachable|proxy|max retries|serviceerror"
    r"|\b(?:403|404|429|5\d\d)\b|service unavailable",
    re.IGNORECASE,
)
SECONDS = 120


def main() -> int:
    """Check code and dependencies; 1 for a finding in either."""
    tools = Path(sys.argv[1])
    lock = sys.argv[2] if len(sys.argv) > 2 else LOCK
    return max(check_code(tools), check_dependencies(tools, lock))


def check_code(tools: Path) -> int:
    """Let bandit read the program; what it excuses stands beside the line."""
    ran = _run([tools / "bandit", "-q", "-c", "pyproject.toml", "-r", *CODE])
    if ran.returncode:
        print(ran.stdout, ran.stderr, sep="\n")
        return 1
    print("bandit: nothing found")
    return 0


def check_dependencies(tools: Path, lock: str) -> int:
    """Ask for known vulnerabilities of every pinned release."""
    ran = audit(tools, lock)
    if ran is None:
        print("pip-audit: not audited: no answer within 2 minutes")
        return 0
    try:
        found = json.loads(ran.stdout)["dependencies"]
    except (ValueError, KeyError):
        said = ran.stderr.strip().splitlines()
        last = said[-1] if said else f"status {ran.returncode}"
        if UNREACHED.search(ran.stderr):
            print(f"pip-audit: not audited: no vulnerability service reached ({last})")
            return 0
        print(f"pip-audit failed: {last}")
        return 1
    return verdict(found)


def verdict(found: list[dict[str, Any]]) -> int:
    """Say what is vulnerable, and of how many nothing is known; 1 for any."""
    bad = [(one, fault) for one in found for fault in one.get("vulns") or ()]
    for one, fault in bad:
        mended = ", ".join(fault.get("fix_versions") or ()) or "no release yet"
        print(f"{one['name']} {one['version']}: {fault['id']} (mended in: {mended})")
    unknown = [str(one["name"]) for one in found if "skip_reason" in one]
    known = len(found) - len(unknown)
    print(f"pip-audit: {len(bad)} known vulnerabilities in {known} releases")
    if unknown:
        print(f"pip-audit: not audited: {len(unknown)} of {len(found)} not known there")
    return 1 if bad else 0


def audit(tools: Path, lock: str) -> "subprocess.CompletedProcess[str] | None":
    """Run pip-audit on a lock alone: nothing is resolved, nothing installed."""
    command = [tools / "pip-audit", "-r", lock, "--disable-pip", "--require-hashes"]
    wanted = ["-f", "json", "--progress-spinner", "off", "--timeout", "10"]
    try:
        return _run([*command, *wanted])
    except subprocess.TimeoutExpired:
        return None


def _run(command: list[Any]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 - the project's own tools
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


if __name__ == "__main__":
    sys.exit(main())
