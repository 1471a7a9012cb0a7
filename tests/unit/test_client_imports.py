"""Who uses one library need not have the others, nor wait for their import."""

import subprocess
import sys

import pytest

LIBRARIES = {
    "searchqa_client.fastapi": "fastapi",
    "searchqa_client.langchain": "langchain_core",
    "searchqa_client.llama_index": "llama_index",
    "searchqa_client.openai": "openai",
}


@pytest.mark.parametrize("module", ["searchqa_client", *LIBRARIES])
def test_a_module_imports_its_library_only(module: str) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    wanted = {LIBRARIES[module]} if module in LIBRARIES else set()
    assert set(LIBRARIES.values()) & set(loaded) == wanted
    assert "app" not in loaded
