"""Do our retrieval metrics agree with trec_eval to four decimals?

    python benchmarks/retrieval_metrics_check.py FOLDER

FOLDER holds what trec_eval's own tests are made of: qrels.test, results.test (a run with ties) and
out.test.aq (every measure for each query, and for all). Prints a line for each measure and exits
with 1 where a figure differs. The ties of that run stand so deep that no order of theirs changes
four decimals.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from app.quality.metrics.retrieval import (
    CaseRetrieval,
    RetrievalMetrics,
    score_case,
    summarise_retrieval,
)

ALL = "all"
# Deeper than any run, so that nothing is cut.
UNCUT = 1_000
# For each of our figures the measure of trec_eval, of a case and of all.
CUT = re.compile(r"(P|recall|success|map_cut|ndcg_cut)_(\d+)")
CUT_FIELDS = {
    "P": ("precision", "precision_at_k"),
    "recall": ("recall", "recall_at_k"),
    "success": ("hit", "hit_rate_at_k"),
    "map_cut": ("average_precision", "map"),
    "ndcg_cut": ("ndcg", "ndcg_at_k"),
}
UNCUT_FIELDS = {
    "map": ("average_precision", "map"),
    "recip_rank": ("reciprocal_rank", "mrr"),
    "ndcg": ("ndcg", "ndcg_at_k"),
}

Qrels = Mapping[str, Mapping[str, int]]
Run = Mapping[str, list[str]]


def rank_by_score(scored: Iterable[tuple[str, float]]) -> list[str]:
    """Ids by falling score; equal scores by falling id, as in trec_eval's form_res_rels.c."""
    by_id = sorted(scored, key=lambda pair: pair[0], reverse=True)
    return [chunk for chunk, _ in sorted(by_id, key=lambda pair: pair[1], reverse=True)]


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    qrels: dict[str, dict[str, int]] = {}
    for line in path.read_text().splitlines():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    return qrels


def read_run(path: Path) -> tuple[dict[str, list[str]], int]:
    """The documents of each query by falling score, and how many share their score."""
    scored: dict[str, list[tuple[str, float]]] = {}
    for line in path.read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        scored.setdefault(query, []).append((document, float(score)))
    tied = sum(len(pairs) - len({score for _, score in pairs}) for pairs in scored.values())
    return {query: rank_by_score(pairs) for query, pairs in scored.items()}, tied


def read_expected(path: Path) -> dict[str, dict[str, float]]:
    """By measure, then by query."""
    expected: dict[str, dict[str, float]] = {}
    for line in path.read_text().splitlines():
        measure, query, value = line.split()
        if measure in UNCUT_FIELDS or CUT.fullmatch(measure):
            expected.setdefault(measure, {})[query] = float(value)
    return expected


def scores(qrels: Qrels, run: Run, k: int) -> tuple[dict[str, CaseRetrieval], RetrievalMetrics]:
    cases = {query: score_case(run[query], qrels[query], k) for query in run}
    metrics = summarise_retrieval(cases.values(), k)
    assert metrics
    return cases, metrics


def ours(measure: str, qrels: Qrels, run: Run) -> dict[str, float]:
    cut = CUT.fullmatch(measure)
    k = int(cut[2]) if cut else UNCUT
    case_field, mean_field = CUT_FIELDS[cut[1]] if cut else UNCUT_FIELDS[measure]
    cases, metrics = scores(qrels, run, k)
    by_query = {query: float(getattr(case, case_field)) for query, case in cases.items()}
    return by_query | {ALL: float(getattr(metrics, mean_field))}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="qrels.test, results.test, out.test.aq")
    folder = parser.parse_args().folder
    qrels = read_qrels(folder / "qrels.test")
    run, tied = read_run(folder / "results.test")
    compared = wrong = 0
    print(f"{'measure':<14}{'trec_eval':>10}{'ours':>10}")
    for measure, expected in read_expected(folder / "out.test.aq").items():
        found = ours(measure, qrels, run)
        differing = [
            query for query, value in expected.items() if f"{found[query]:.4f}" != f"{value:.4f}"
        ]
        compared += len(expected)
        wrong += len(differing)
        differs = f"  differs for {', '.join(differing)}" if differing else ""
        print(f"{measure:<14}{expected[ALL]:>10.4f}{found[ALL]:>10.4f}{differs}")
    print(f"{compared} figures compared, {wrong} differ; {tied} results share their score")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
