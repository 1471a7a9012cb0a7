"""How fast our worker judges in one setting, for those who change it.

    python benchmarks/throughput.py [--latency S …] [--in-flight N …] [--batch N …] [--workers N …]

`make bench` (bench.py) measures the whole, beside the peers.
"""

import argparse
import asyncio
import tempfile
from itertools import product
from pathlib import Path

import report
from bench_parts import servers, stub_judge
from figures import Figures
from ours import judging

from app.platform.db.session import create_engine, create_sessions

WARM_UP = 300


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=5000, help="in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, nargs="+", default=[0.0], help="in seconds")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[256], help="judge calls")
    parser.add_argument("--batch", type=int, nargs="+", default=[20], help="ids; 1: one by one")
    parser.add_argument("--workers", type=int, nargs="+", default=[1], help="processes")
    return parser.parse_args()


async def main() -> None:
    options = parse()
    results: dict[str, dict[str, list[Figures]]] = {}
    with tempfile.TemporaryDirectory(prefix="searchqa-bench-") as folder:
        async with servers(Path(folder)) as both, stub_judge() as stub:
            engine = create_engine(both.database_url)
            sessions = create_sessions(engine)
            for latency, batch, most, workers in product(
                options.latency, options.batch, options.in_flight, options.workers
            ):
                changes = {"max_in_flight": most, "dispatch_batch": batch}
                rows = results.setdefault(f"{latency * 1000:g} ms", {})
                name = f"{workers} × {most} in flight, {batch} ids a message"
                runs = rows.setdefault(name, [])
                async with judging(both, stub, sessions, workers=workers, **changes) as ours:
                    await stub.set_latency(0)
                    await ours.judge(WARM_UP)
                    for _ in range(options.rounds):
                        await stub.set_latency(latency)
                        runs.append(await ours.judge(options.answers, one_by_one=batch == 1))
            await engine.dispose()
    print(report.parts_table(results))
    for case, contenders in results.items():
        for name, runs in contenders.items():
            print(f"{case}, {name}: {report.spread(runs, 'answers_per_second')} answers/s,", end="")
            print(f" {report.spread(runs, 'cpu_ms', 2)} ms, in flight {runs[-1].most_in_flight:g},")
            print(f"  of the stub judge {report.spread(runs, 'judge_cpu_ms', 2)} ms")


if __name__ == "__main__":
    asyncio.run(main())
