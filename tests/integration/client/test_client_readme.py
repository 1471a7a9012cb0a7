"""The examples in the client's README, run as they stand against the real API."""

import asyncio
import re
from pathlib import Path

import pytest
from searchqa_client import Background

from api_client import load_korean_model, served, token_of
from workers import judged

pytestmark = pytest.mark.slow

README = Path(__file__).parents[3] / "clients" / "python" / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


async def test_the_examples_run(api, world, monkeypatch, tmp_path, capsys):
    await load_korean_model()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEARCHQA_TOKEN", token_of(api))
    async with served(api) as url, judged(world):
        monkeypatch.setenv("SEARCHQA_URL", url)
        for example in EXAMPLES:
            names: dict[str, object] = {}
            await asyncio.to_thread(exec, compile(example, str(README), "exec"), names)
            if isinstance(judge := names.get("judge"), Background):
                await asyncio.to_thread(judge.close)
                assert judge.stats.sent == 1

    printed = capsys.readouterr().out
    assert "succeeded rules" in printed
    assert "95 °C" in printed
    assert len((tmp_path / "verdicts.jsonl").read_text().splitlines()) == 5
    assert len(EXAMPLES) == 7
    assert all(len(re.findall(r"^.", each, re.MULTILINE)) <= 11 for each in EXAMPLES)
