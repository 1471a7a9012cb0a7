"""What the peers of cost.py share; see driver.py. Arguments: the file of answers and the stub's
address. Names of scores follow on standard output, each once all answers have been scored."""

import asyncio
import json
import sys
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
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


def answers() -> Iterator[Answer]:
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        yield Answer(one["question"], one["answer"], one["notes"])


def begin(name: str, number: int) -> None:
    """Tells the stub whose calls follow, and about which answer."""
    urllib.request.urlopen(f"{STUB}/begin/{name}/{number}").read()  # noqa: S310  on loopback


async def score_all(name: str, score: Score) -> None:
    """One after the other, so that the stub knows whose calls they are. name: of the row."""
    for number, answer in enumerate(answers()):
        begin(name, number)
        await score(answer)
    sys.stdout.write(f"{name}\n")


def run(*scores: tuple[str, Score]) -> None:
    async def main() -> None:
        for name, score in scores:
            await score_all(name, score)

    asyncio.run(main())
