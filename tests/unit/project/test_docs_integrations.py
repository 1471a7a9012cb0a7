"""docs/integrations.md shows lines of the examples, and every example."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/integrations.md").read_text()
EXAMPLES = {file.name: file.read_text() for file in (ROOT / "examples").glob("*.py")}
SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_its_snippets_are_lines_of_one_example():
    examples = [set(text.splitlines()) for text in EXAMPLES.values()]
    snippets = [snippet.splitlines() for snippet in SNIPPET.findall(PAGE)]

    assert len(snippets) > 5
    assert [one for one in snippets if not any(lines.issuperset(one) for lines in examples)] == []


def test_it_leads_to_each_example():
    assert {name for name in EXAMPLES if f"(../examples/{name})" not in PAGE} == set()
