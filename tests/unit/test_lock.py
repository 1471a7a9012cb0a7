"""requirements.lock still fits pyproject.toml; checked without the network."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REQUIREMENTS = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE))


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_each_requirement_is_locked_at_a_version_it_accepts(text: str) -> None:
    requirement = Requirement(text)
    version = LOCKED.get(canonicalize_name(requirement.name))
    assert version, "run: make lock"
    assert requirement.specifier.contains(version, prereleases=True), "run: make lock"


def test_every_locked_package_has_hashes_and_no_registry_is_named() -> None:
    for block in re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in block, block.splitlines()[0]
    assert "://" not in LOCK
