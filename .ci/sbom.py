"""Writes an SBOM, in CycloneDX JSON, to the file it is given: what an installation from the locks
contains. What the wheel needs to run is `required`, what else the lock names is `optional`.
"""

import datetime as dt
import json
import os
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from notice import FONTS, ROOT, WITHIN_WHEELS, page_parts, python_licence
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def required(requirements: list[str], extra: str = "") -> Iterator[str]:
    """The names of what is installed for these requirements on this system, with their own."""
    for requirement in map(Requirement, requirements):
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        yield (name := canonicalize_name(requirement.name))
        try:
            further = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        for each in ("", *requirement.extras):
            yield from required(further, each)


def python_components(lock: str, needed: set[str]) -> Iterator[Component]:
    for name, version in re.findall(r"^([\w.-]+)==([^ \\;]+)", lock, re.MULTILINE):
        yield _component("pypi", name, version, python_licence(name), needed=name in needed)


def page_components(lock: str) -> Iterator[Component]:
    licences = page_parts(lock)
    for path, package in json.loads(lock)["packages"].items():
        if (name := path.rpartition("node_modules/")[2]) in licences:
            yield _component("npm", name, package["version"], licences[name], needed=True)


def _component(kind: str, name: str, version: str, licence: str, *, needed: bool) -> Component:
    group, _, bare = name.rpartition("/")
    purl = PackageURL(kind, group or None, bare, version)
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        purl=purl,
        bom_ref=str(purl),
        scope=ComponentScope.REQUIRED if needed else ComponentScope.OPTIONAL,
        licenses=[LicenseFactory().make_from_string(licence)],
    )


def sbom() -> str:
    """Written again from the same locks it is the same where SOURCE_DATE_EPOCH is."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    pages = (ROOT / "frontend" / "package-lock.json").read_text("utf-8")
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, project["version"] + lock + pages))
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds:
        bom.metadata.timestamp = dt.datetime.fromtimestamp(int(seconds), dt.UTC)
    named = project["name"], project["version"], project["license"]
    bom.metadata.component = root = _component("pypi", *named, needed=True)
    parts = [*python_components(lock, set(required(project["dependencies"])))]
    direct = {canonicalize_name(Requirement(each).name) for each in project["dependencies"]}
    bom.register_dependency(root, [part for part in parts if part.name in direct])
    bom.components.update(parts, page_components(pages))
    for name, licence in (FONTS | WITHIN_WHEELS).items():
        licences = [LicenseFactory().make_from_string(licence)]
        kind = ComponentType.LIBRARY
        bom.components.add(Component(name=name, bom_ref=name, type=kind, licenses=licences))
    return JsonV1Dot6(bom).output_as_string(indent=1)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(sbom(), "utf-8")
