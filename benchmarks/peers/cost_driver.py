"""What the peers of cost.py share; see driver.py. Arguments: the file of answers and the stub's
address. Names of scores follow on standard output, each once all answers have been scored."""

import asyncio
import json
import sys
import urllib.request
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Answer:
    question: str
    answer: str
    notes: list[str]


Score = Callable[[Answer], Awaitable[object]]
STUB = sys.argv[2]
BASE_URL = f"{STUB}/v1"


async def score_all(name: str, score: Score) -> None:
    """One after the other, so that the stub knows whose calls they are. name: of the row."""
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        urllib.request.urlopen(f"{STUB}/begin/{name}/{number}").read()
        one = json.loads(line)
        await score(Answer(one["question"], one["answer"], one["notes"]))
    print(name, flush=True)


def run(*scores: tuple[str, Score]) -> None:
    async def main() -> None:
        for name, score in scores:
            await score_all(name, score)

    asyncio.run(main())
