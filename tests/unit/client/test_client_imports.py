"""Who uses one library need not have the others, nor wait for their import."""

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import searchqa_client

from cases import for_each

LIBRARIES = {
    "searchqa_client.fastapi": "fastapi",
    "searchqa_client.langchain": "langchain_core",
    "searchqa_client.llama_index": "llama_index",
    "searchqa_client.openai": "openai",
    "searchqa_client.pytest": "pytest",
}


def imported(module: str, seen: set[str]) -> set[str]:
    """What the source of a module imports, and of the client's modules that it imports."""
    spec = find_spec(module)
    assert spec.origin
    seen.add(module)
    names = set()
    for node in ast.walk(ast.parse(Path(spec.origin).read_text())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    inner = {name for name in names if name.startswith("searchqa_client")} - seen
    return names.union(*(imported(name, seen) for name in inner))


def test_what_the_package_offers_is_completed_by_a_shell():
    assert {*searchqa_client.__all__} <= {*dir(searchqa_client)}


# Read, not run: to import all four takes eight seconds of CPU.
@for_each(("module", "library"), LIBRARIES.items())
def test_a_module_imports_its_library_only(module, library):
    packages = {name.partition(".")[0] for name in imported(module, set())}

    assert packages & {*LIBRARIES.values(), "starlette", "app"} == {library}


def loaded_by(statement: str) -> set[str]:
    return set(
        subprocess.run(
            [sys.executable, "-c", f"{statement}; import sys; print(*sys.modules)"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
    )


def test_the_client_alone_imports_none():
    loaded = loaded_by("from searchqa_client import *")

    assert {"searchqa_client._sync.client", "searchqa_client._async.client"} <= loaded
    assert loaded.isdisjoint([*LIBRARIES.values(), "starlette", "sqlalchemy", "app", "worker"])


def test_a_session_of_pytest_that_judges_nothing_imports_no_client():
    loaded = loaded_by("import searchqa_client.pytest")

    assert {each for each in loaded if each.startswith("searchqa_client")} == {
        *("searchqa_client", "searchqa_client.pytest")
    }
    assert loaded.isdisjoint({"httpx", "pydantic"})
