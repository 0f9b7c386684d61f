"""Write the bill of materials of the runtime: CycloneDX JSON, from the lock.

    python deploy/sbom.py dist/sbom.json [LOCK]

Every pinned release with the hashes that may be installed, its licence and what it
depends on; licences and dependencies are those of the releases installed here.
"""

import json
import re
import sys
import uuid
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import Any

PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
NAME = re.compile(r"^[A-Za-z0-9._-]+")


def main() -> None:
    """Write it, and say how much it holds."""
    target = Path(sys.argv[1])
    lock = Path(sys.argv[2] if len(sys.argv) > 2 else "deploy/requirements.lock")
    bill = bill_of(lock.read_text("utf-8"))
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(bill, indent=2) + "\n", "utf-8")
    print(f"{target}: {len(bill['components'])} components")


def bill_of(lock: str) -> dict[str, Any]:
    """Turn a hashed lock into CycloneDX 1.6."""
    components = list(map(_component, re.split(r"\n(?=[A-Za-z0-9])", lock.strip())))
    known = {one["name"] for one in components}
    refs = {one["name"]: one["bom-ref"] for one in components}
    us = {"type": "application", "name": "gpucost", "version": version("gpucost")}
    ours = {"bom-ref": "gpucost", "licenses": [{"license": {"id": "MIT"}}], **us}
    graph = [("gpucost", "gpucost"), *((refs[name], name) for name in sorted(known))]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, lock).urn,
        "version": 1,
        "metadata": {
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
            "component": ours,
        },
        "components": components,
        "dependencies": [
            {"ref": ref, "dependsOn": sorted(refs[n] for n in _needs(name) & known)}
            for ref, name in graph
        ],
    }


def _component(pinned: str) -> dict[str, Any]:
    found = PIN.match(pinned)
    if found is None:
        raise ValueError(f"no pin in {pinned[:60]!r}")
    name, release = _canonical(found[1]), found[2]
    purl = f"pkg:pypi/{name}@{release}"
    one: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name}
    one |= {"version": release, "purl": purl}
    one["hashes"] = [{"alg": "SHA-256", "content": h} for h in HASH.findall(pinned)]
    if licence := _licence(name):
        one["licenses"] = [{"license": {"name": licence}}]
    return one


def _licence(name: str) -> str:
    """Return what the installed release says of its licence, on one line."""
    try:
        said = metadata(name)
    except PackageNotFoundError:
        return ""
    classed = [c for c in said.get_all("Classifier") or () if c.startswith("License")]
    last = classed[0].rpartition(" :: ")[2] if classed else ""
    stated = said["License-Expression"] or said["License"] or ""
    return last if "\n" in stated or not stated else str(stated)


def _needs(name: str) -> set[str]:
    """Name what a release needs without extras, on this platform or another."""
    try:
        said = requires(name) or ()
    except PackageNotFoundError:
        return set()
    plain = [one for one in said if "extra ==" not in one]
    return {_canonical(m[0]) for one in plain if (m := NAME.match(one))}


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
