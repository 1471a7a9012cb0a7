"""Ceilings of size: the core that ARCHITECTURE.md lists, modules and packages."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
APP = ROOT / "backend" / "app"
_NOT_CODE = re.compile(r"\s*(#|//|$)")


def _code_lines(path: Path) -> int:
    return sum(not _NOT_CODE.match(line) for line in path.read_text(encoding="utf-8").splitlines())


def test_the_core_is_readable_in_an_hour():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = page.partition("## The core, in reading order")[2].partition("\n## ")[0]
    files = re.findall(r"`([\w/.]+\.(?:py|tsx?))`", section)
    assert len(files) > 20
    assert sum(_code_lines(ROOT / file) for file in files) <= 5_000


def test_modules_and_packages_stay_few():
    packages = [path for path in APP.iterdir() if (path / "__init__.py").exists()]
    modules = [*APP.rglob("*.py"), *(ROOT / "worker").rglob("*.py")]
    assert len(packages) <= 14
    assert len(modules) <= 500
