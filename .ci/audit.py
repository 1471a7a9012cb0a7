"""`make audit`: known vulnerabilities of what the locks name.

Exit code 1 when one is known, 2 when an index could not be asked: a release needs both answers.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
Read = Callable[[Any], list[str]]


def python_findings(report: Any) -> list[str]:
    """A line for each vulnerability in the JSON of pip-audit."""
    return [
        f"{package['name']} {package['version']}: {known['id']}, fixed in"
        f" {', '.join(known['fix_versions']) or 'no version yet'}"
        for package in report["dependencies"]
        for known in package["vulns"]
    ]


def npm_findings(report: Any) -> list[str]:
    """A line for each vulnerable package in the JSON of npm audit."""
    return [
        f"{name} {package['range']}: {package['severity']}"
        for name, package in report["vulnerabilities"].items()
    ]


def audit(command: list[str], read: Read) -> list[str] | None:
    """What `read` finds in the report that `command` prints; None if it printed none."""
    try:
        ended = subprocess.run(  # noqa: S603  our own arguments
            command, cwd=ROOT, capture_output=True, text=True, check=False
        )
        return read(json.loads(ended.stdout))
    except (OSError, ValueError, LookupError):
        return None


def main() -> int:
    pip_audit = [
        *(str(Path(sys.executable).with_name("pip-audit")), "--strict", "--require-hashes"),
        *("--disable-pip", "--progress-spinner", "off", "--format", "json"),
        *("-r", "requirements.lock"),
    ]
    npm_audit = ["audit", "--json", "--fetch-retries", "1"]
    code = 0
    for title, command, read in (
        ("Python packages", pip_audit, python_findings),
        ("npm packages", ["npm", "--prefix", "frontend", *npm_audit], npm_findings),
        ("npm packages", ["npm", "--prefix", "clients/typescript", *npm_audit], npm_findings),
    ):
        found = audit(command, read)
        if found is None:
            sys.stderr.write(
                f"{title}: {Path(command[0]).name} is missing or cannot reach its index of"
                " vulnerabilities; run `make audit` again with network access.\n"
            )
            code = 2
            continue
        for line in found:
            sys.stderr.write(f"{title}: {line}\n")
        sys.stdout.write(f"{title}: {len(found)} known vulnerabilities\n")
        code = max(code, bool(found))
    return code


if __name__ == "__main__":
    sys.exit(main())
