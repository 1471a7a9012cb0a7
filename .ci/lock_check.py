"""`make lock-check`: whether requirements.lock installs on every platform and Python we support.

uv looks for a wheel of each locked package, for each platform and Python, and installs nothing. The
exit code is 1 when a package has none.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

LOCK = Path(__file__).parents[1] / "requirements.lock"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PLATFORMS = {
    "Linux x86-64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
    "macOS 14 arm64": "aarch64-apple-darwin",
}
# Published as source only; pip builds them without a compiler.
BUILT_ANYWHERE = frozenset({"kiwipiepy-model"})

# onnxruntime has wheels from macOS 14 on; uv would look for those of 13.
_ENVIRONMENT = {**os.environ, "MACOSX_DEPLOYMENT_TARGET": "14.0"}

_LACKS = re.compile(r"(?:Because|and) ([\w.-]+)(?:==\S+)? has no (?:usable )?wheels")


def main() -> int:
    """Prints a line for each platform and Python."""
    text = LOCK.read_text()
    missing = False
    for platform, tag in PLATFORMS.items():
        for python in PYTHONS:
            lacking = packages_without_wheel(text, tag, python)
            missing = missing or bool(lacking)
            found = f"no wheel: {', '.join(lacking)}" if lacking else "complete"
            sys.stdout.write(f"{platform}, Python {python}: {found}\n")
            sys.stdout.flush()
    return int(missing)


def packages_without_wheel(lock: str, tag: str, python: str) -> list[str]:
    """uv names one such package at a time, so it is asked again without that one."""
    lacking: list[str] = []
    while True:
        kept = _without(lock, {*BUILT_ANYWHERE, *lacking})
        ended = subprocess.run(  # noqa: S603  our own arguments
            [
                *(sys.executable, "-m", "uv", "pip", "compile", "-", "--no-deps", "--quiet"),
                *("--only-binary", ":all:", "--python-platform", tag, "--python-version", python),
            ],
            input=kept,
            env=_ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode == 0:
            return lacking
        named = _LACKS.search(" ".join(ended.stderr.split()))
        if named is None or named[1] in lacking:
            sys.exit(f"The lock cannot be checked: {ended.stderr.strip()}")
        lacking.append(named[1])


def _without(lock: str, names: set[str]) -> str:
    """The pins and markers without those of `names`; hashes play no part here."""
    pins = re.findall(r"^([\w.-]+)(==[^\\\n]+)", lock, re.MULTILINE)
    return "\n".join(name + rest for name, rest in pins if name not in names)


if __name__ == "__main__":
    sys.exit(main())
