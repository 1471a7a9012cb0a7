"""Whether the memory of worker and dispatcher grows while they judge.

    python benchmarks/growth.py [--answers N] [--round N] [--data FOLDER]

Rounds in batches and one by one take turns; no two answers have a sentence in common, so that what
is kept of texts fills up. Answers are deleted after each round, which keeps the disk small. Growth
is counted from the first tenth, by when caches and pools have filled, to the last one.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path
from statistics import median

import report
from bench_parts import servers, stub_judge
from figures import Figures
from ours import judging
from sqlalchemy import text

from app.platform.db.session import Sessions, create_engine, create_sessions

_PARTS = ("worker", "dispatcher", "redis")
_DELETE_ANSWERS = text("TRUNCATE qa_answers CASCADE")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--round", type=int, default=2_000, help="answers at a time")
    parser.add_argument("--data", type=Path, help="where the database is made (default: /tmp)")
    options = parser.parse_args()
    if options.answers < options.round * 20:
        parser.error("Growth needs 20 rounds at least: raise --answers or lower --round.")
    return options


async def delete_answers(sessions: Sessions) -> None:
    async with sessions() as session:
        await session.execute(_DELETE_ANSWERS)
        await session.commit()


def growth_table(runs: list[Figures]) -> str:
    """Megabytes of each part: medians of the first tenth, of a middle and of the last one."""
    tenth = len(runs) // 10
    spans = (runs[:tenth], runs[len(runs) // 2 :][:tenth], runs[-tenth:])
    rows = []
    for part in _PARTS:
        first, middle, last = (median(run.memory_of_parts[part] for run in span) for span in spans)
        rows.append(
            [part, f"{first:.1f}", f"{middle:.1f}", f"{last:.1f}", f"{last / first - 1:+.1%}"]
        )
    return report.table(["part", "first tenth, MB", "middle", "last tenth", "growth"], rows)


async def main() -> None:
    options = parse()
    runs: list[Figures] = []
    with tempfile.TemporaryDirectory(prefix="searchqa-growth-", dir=options.data) as folder:
        async with servers(Path(folder)) as both, stub_judge() as stub:
            engine = create_engine(both.database_url)
            sessions = create_sessions(engine)
            async with judging(both, stub, sessions) as ours:
                for number in range(options.answers // options.round):
                    await stub.set_latency(0)
                    one_by_one = number % 2 == 1
                    run = await ours.judge(options.round, one_by_one=one_by_one, different=True)
                    runs.append(run)
                    memory = "  ".join(f"{part} {run.memory_of_parts[part]:.1f}" for part in _PARTS)
                    print(f"{len(runs) * options.round:>9,} answers: {memory} MB", flush=True)
                    await delete_answers(sessions)
            await engine.dispose()
    print(growth_table(runs))


if __name__ == "__main__":
    asyncio.run(main())
