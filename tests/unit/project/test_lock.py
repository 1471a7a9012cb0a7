"""The locks still fit what they lock; checked without the network."""

import json
import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cases import for_each

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
REQUIREMENTS = [*PROJECT["dependencies"], *EXTRAS["dev"], *EXTRAS["local"]]
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE))


@for_each("text", REQUIREMENTS)
def test_each_requirement_is_locked_at_a_version_it_accepts(text):
    requirement = Requirement(text)
    version = LOCKED.get(canonicalize_name(requirement.name))
    assert version, "run: make lock"
    assert requirement.specifier.contains(version, prereleases=True), "run: make lock"


def test_every_locked_package_has_hashes_and_no_registry_is_named():
    for block in re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]:
        assert "--hash=sha256:" in block, block.splitlines()[0]
    assert "://" not in LOCK


@for_each("folder", ["frontend", "clients/typescript"])
def test_the_lock_of_npm_fits_and_names_no_registry(folder):
    wanted = json.loads((ROOT / folder / "package.json").read_text())
    packages = json.loads((ROOT / folder / "package-lock.json").read_text())["packages"]
    root = packages.pop("")

    for kind in ("dependencies", "devDependencies"):
        assert root.get(kind) == wanted.get(kind), f"run: npm install, in {folder}/"
    for name, package in packages.items():
        assert "resolved" not in package, f"{name}: .npmrc keeps addresses out"
        # What is bundled comes inside of another package, whose hash covers it.
        assert package.get("inBundle") or package["integrity"].startswith("sha512-"), name
