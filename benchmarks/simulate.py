"""What a day's answers need: a simulation of arrivals, judges and workers.

    python benchmarks/simulate.py --answers-per-day 1000000 --workers 2
    python benchmarks/simulate.py --check     # against what was measured

simulation.py says what the model is. docs/scaling.md has its results.
"""

import argparse
import random
import time
from itertools import repeat

from simulation import DAY, HOUR, Judge, Result, Simulation, poisson

from app.ai_router.pricing import cost_usd
from app.platform.setting_types import ModelLimit
from app.platform.settings import Settings


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with measured runs")
    parser.add_argument("--answers-per-day", type=float, default=1e6)
    parser.add_argument("--only-hour", type=int, help="0 to 23; 10 has the most answers")
    parser.add_argument("--workers", type=int, default=1, help="processes of the queue live")
    parser.add_argument("--in-flight", type=int, default=1024, help="places of each worker")
    parser.add_argument("--database-cores", type=int, default=2)
    parser.add_argument("--bursts", type=int, default=4, help="a day, five minutes each")
    parser.add_argument("--burst-factor", type=float, default=5.0)
    parser.add_argument("--judge-median", type=float, default=2.0, help="seconds")
    parser.add_argument("--judge-p99", type=float, default=12.0, help="seconds")
    parser.add_argument("--failing", type=float, default=0.005, help="share of calls")
    parser.add_argument("--requests-per-minute", type=int, help="that the judge allows")
    parser.add_argument("--tokens-per-minute", type=int, help="that the judge allows")
    parser.add_argument("--price-of", default="gpt-4o-mini", help="an OpenAI model")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def settings(**changes: object) -> Settings:
    """The defaults, whatever the environment says."""
    return Settings(None, {}, **changes)


def a_day(options: argparse.Namespace) -> Result:
    limit = None
    if options.requests_per_minute or options.tokens_per_minute:
        limit = ModelLimit(options.requests_per_minute, options.tokens_per_minute)
    judge = Judge(options.judge_median, options.judge_p99, options.failing, limit)
    arrivals = poisson(
        options.answers_per_day,
        random.Random(options.seed),  # noqa: S311  no secret
        only_hour=options.only_hour,
        bursts=options.bursts,
        burst_factor=options.burst_factor,
    )
    simulation = Simulation(
        settings(max_in_flight=options.in_flight),
        judge,
        workers=options.workers,
        database_cores=options.database_cores,
        seed=options.seed,
    )
    return simulation.run(arrivals)


def report(options: argparse.Namespace, result: Result, took: float) -> None:
    judge = Judge()
    dollars = cost_usd("openai", options.price_of, "", judge.prompt_tokens, judge.reply_tokens)
    seconds = DAY if options.only_hour is None else HOUR
    rows = {
        "verdicts": f"{len(result.to_verdict):,}, failed {result.failed:,}",
        "to the verdict, s": ", ".join(
            f"p{share * 100:g} {result.percentile(share):.1f}" for share in (0.5, 0.95, 0.99)
        )
        + f", longest {result.to_verdict[-1]:.0f}",
        "most waiting; in flight": f"{result.backlog:,}; {result.in_flight:,}",
        "judge calls": f"{result.calls:,}",
        "CPU of each worker": f"{result.worker_work / seconds / options.workers:.1%} of a core",
        "CPU of PostgreSQL": f"{result.database_work / seconds:.1%} of a core",
        "spent on the judge": f"$ {result.calls * dollars:,.0f}" if dollars else "unknown price",
        "simulated in": f"{took:.0f} s",
    }
    for name, value in rows.items():
        print(f"{name:28} {value}")


def check() -> None:
    """Runs of which docs/performance.md and docs/cost.md have what was measured."""
    print(f"{'':44} {'answers/s':>10} {'measured':>10}")
    for name, judge, places, count, measured in (
        ("judge at 0 ms, in batches", Judge(0.0008, 0, 0), 256, 5000, "1262-1444"),
        ("500 ms, 256 in flight, in batches", Judge(0.5, 0.5, 0), 256, 2560, "379-410"),
        ("500 ms lognormal, 10,000 at once", Judge(0.44, 1.4, 0), 1024, 10_000, "903"),
    ):
        run = Simulation(settings(max_in_flight=places), judge)
        result = run.run(repeat(0.0, count), batched=True)
        print(f"{name:44} {count / result.ended:10.0f} {measured:>10}")
    limited = Judge(0.5, 1.0, 0.0, ModelLimit(600, 400_000), 450, 175)
    result = Simulation(settings(), limited, workers=4).run(repeat(0.0, 1200), batched=True)
    name = "600 requests a minute, 1,200 answers: minutes"
    print(f"{name:44} {result.ended / 60:10.1f} {'2.4':>10}")


def main() -> None:
    options = parse()
    if options.check:
        check()
        return
    began = time.perf_counter()
    result = a_day(options)
    report(options, result, time.perf_counter() - began)


if __name__ == "__main__":
    main()
