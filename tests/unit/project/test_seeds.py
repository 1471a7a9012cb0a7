"""docs/seeds.md names tests that exist, for every requirement."""

import ast
import re
from functools import cache
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/seeds.md"
LINE = re.compile(r"^\| (S\d{3})-(\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/.]+)::([^`]+)`")
DECISION = re.compile(r"\[decision \d+\]\(decisions/\d{4}-[\w-]+\.md\)")
SEEDS = ["S000", "S001", "S002", "S003", "S004"]


def unproved(page: str) -> list[str]:
    """What is wrong with the lines of a page, one sentence each."""
    wrong = []
    for seed, number, _, proof in LINE.findall(page):
        named = TEST.findall(proof)
        wrong += [
            f"{seed}-{number}: there is no test {name} in {path}."
            for path, name in named
            if not exists(path, name)
        ]
        marked = proof.startswith("**open**")
        if marked == bool(named or DECISION.search(proof)):
            wrong.append(f"{seed}-{number}: name a test or a decision, or mark it as open.")
    return wrong


def exists(path: str, name: str) -> bool:
    """Whether a file has a test: `test_x` or `TestY::test_x`; of pages, the title of the test."""
    source = ROOT / path
    if not source.is_file():
        return False
    if source.suffix == ".py":
        return name in collected(source)
    return ".test." in source.name and f"'{name}'" in source.read_text(encoding="utf-8")


@cache
def collected(source: Path) -> frozenset[str]:
    """The tests that pytest collects from a file, as it names them."""
    if not source.name.startswith("test_"):
        return frozenset()
    tree = ast.parse(source.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = {
        f"{one.name}::{name}"
        for one in classes
        if one.name.startswith("Test")
        for name in functions(one.body)
    }
    return frozenset(methods | functions(tree.body))


def functions(body: list[ast.stmt]) -> set[str]:
    return {
        node.name
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.name.startswith("test_")
    }


def test_every_requirement_has_its_proof():
    assert not unproved(PAGE.read_text(encoding="utf-8"))


def test_every_line_is_read_and_numbers_have_no_gap():
    page = PAGE.read_text(encoding="utf-8")
    found = [(seed, int(number)) for seed, number, *_ in LINE.findall(page)]
    assert len(found) == page.count("\n| S")
    numbers = {seed: [n for _, n in lines] for seed, lines in groupby(found, lambda one: one[0])}
    assert list(numbers) == SEEDS
    assert all(each == list(range(1, len(each) + 1)) for each in numbers.values())


def test_a_proof_that_is_gone_is_found():
    here = "tests/unit/project/test_seeds.py"
    method = "tests/unit/notes/test_evidence.py::TestPassages"
    good = [
        f"| S000-1 | a | `{here}::test_every_requirement_has_its_proof` |",
        f"| S000-2 | b | `{method}::test_coverage_is_the_share_of_words_that_are_there` |",
        "| S000-3 | c | `frontend/src/lib/sse.test.ts::reads the same byte by byte` |",
        "| S000-4 | d | **open**: half of it is there |",
        "| S000-5 | e | [decision 7](decisions/0007-the-checklist-is-optional.md) |",
    ]
    bad = [
        f"| S000-1 | a | `{here}::test_gone` |",
        f"| S000-2 | b | `{method}::test_gone` |",
        "| S000-3 | c | `frontend/src/lib/sse.test.ts::reads minds` |",
        "| S000-4 | d | `tests/unit/test_gone.py::test_gone` |",
        f"| S000-5 | e | `{here}::functions` |",
        "| S000-6 | f | works |",
        f"| S000-7 | g | **open**, `{here}::test_every_requirement_has_its_proof` |",
        "| S000-8 | h | `tests/unit/notes/test_evidence.py::test_coverage_is_the_share_of_words` |",
    ]
    assert unproved("\n".join(good)) == []
    assert [wrong.split(":")[0] for wrong in unproved("\n".join(bad))] == [
        f"S000-{number}" for number in range(1, 9)
    ]
