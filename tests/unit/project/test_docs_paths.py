"""Paths, modules and models that the documentation names exist."""

import datetime as dt
import re
from pathlib import Path

from app.operations.system.endings import listed_endings
from cases import for_each

ROOT = Path(__file__).parents[3]
NAMES = ("README.md", "README.ko.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
PAGES = [ROOT / name for name in NAMES]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
# A page may leave out the beginning of a path that its subject makes clear.
BASES = [ROOT, ROOT / "backend", ROOT / "backend/app", ROOT / "frontend", ROOT / "frontend/src"]
SOURCES = (
    "backend",
    "worker",
    "tests",
    "migrations",
    "benchmarks",
    "deploy",
    "docs",
    "frontend/src",
)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:[\w*-][\w.*-]*/)*[\w*-][\w.*-]*/?")
ENDINGS = (".py", ".sql", ".ts", ".tsx", ".md")
MODULE = re.compile(r"(?:app|worker)(?:\.\w+)+")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```", re.MULTILINE | re.DOTALL)


def named_paths(text: str) -> list[str]:
    quoted = QUOTED.findall(FENCED.sub("", text))
    diagrams = re.findall(r"[\w/-]+\.(?:py|tsx?)\b", " ".join(DIAGRAM.findall(text)))
    folders = {folder.name for base in (ROOT, ROOT / "backend") for folder in base.iterdir()}
    return diagrams + [
        name
        for name in quoted
        if PATH.fullmatch(name)
        and (name.endswith(ENDINGS) or ("/" in name and name.split("/")[0] in folders))
    ]


def exists(name: str) -> bool:
    if any(True for base in BASES for _ in base.glob(name.rstrip("/"))):
        return True
    anywhere = "/" not in name or "*" in name
    return anywhere and any(any((ROOT / top).rglob(name)) for top in SOURCES)


def module_exists(name: str) -> bool:
    """Whether `app.package.module`, or a name in it, is there."""
    parts = name.split(".")
    base = ROOT / "backend" if parts[0] == "app" else ROOT
    for taken in range(len(parts), 0, -1):
        path = base.joinpath(*parts[:taken])
        attributes = parts[taken:]
        if path.is_dir() and not attributes:
            return True
        for source in (path.with_suffix(".py"), path / "__init__.py"):
            if source.is_file():
                text = source.read_text()
                return all(re.search(rf"\b{attribute}\b", text) for attribute in attributes)
    return False


@for_each("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_names_exists(page):
    text = page.read_text()
    missing = [name for name in named_paths(text) if not exists(name)]
    quoted = QUOTED.findall(FENCED.sub("", text))
    missing += [name for name in quoted if MODULE.fullmatch(name) and not module_exists(name)]
    missing += [link for link in LINK.findall(text) if not (page.parent / link).exists()]
    assert not missing


def test_a_path_that_is_gone_is_found():
    text = "`worker/gone.py`, `tests/unit/*/test_docs_paths.py`, `/ai/chat`, `text/csv`"
    assert named_paths(text) == ["worker/gone.py", "tests/unit/*/test_docs_paths.py"]
    assert not exists("worker/gone.py")
    assert exists("tests/unit/*/test_docs_paths.py")
    assert not module_exists("app.verdicts.gone")
    assert module_exists("app.platform.settings.Settings")


def test_no_example_names_a_model_that_ends_within_a_year():
    """Lines on a measured price keep the model that it was measured by."""
    in_a_year = str(dt.datetime.now(dt.UTC).date() + dt.timedelta(days=365))
    models = [name.partition(":")[2] for name, day in listed_endings().items() if day < in_a_year]
    named = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, models))})(?![\w.-]*\w)")
    folders = ("backend", "clients/python/src", "deploy", "examples", "frontend/src")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    files = [path for path in files if path.suffix in {".py", ".tsx", ".json", ".yaml"}]
    files += [path for path in PAGES if path.parent.name != "decisions"] + [ROOT / ".env.example"]
    kept = {"endings.json", "llm_judge.py"}
    lines = [
        (str(path.relative_to(ROOT)), line)
        for path in files
        if path.name not in kept and ".test." not in path.name
        for line in path.read_text("utf-8").splitlines()
    ]
    assert not [line for line in lines if named.search(line[1]) and "price" not in line[1]]
