"""A run as a person reads it: panels of figures, what they mean, the worst cases."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.output import one_line, printable, table
from app.datasets.diagnosis import Metric, band, diagnose, meaning, pattern, worst_first

View = Mapping[str, Any]

WORST = 5


def show_run(out: Console, run: View, lang: Lang) -> None:
    """Prints `GET /evaluation/runs/{id}`."""
    for part in _parts(run, lang):
        out.print(part)


def _parts(run: View, lang: Lang) -> Iterator[RenderableType]:
    if run["status"] != "completed":
        yield Text(f"{run['status']}: {run['done']:,} / {run['cases']:,}", "yellow")
        if run["error_message"]:
            yield Text(printable(run["error_message"]), "red")
        return
    if run["metrics"] is not None:
        yield _retrieval_panel(run["metrics"], run["id"])
    yield from _notes(run)
    generation = run["summary"]["generation"]
    if generation is not None and not generation["faithfulness"]["parsed"]:
        yield Text(
            "No reply of the judge could be used: these means say nothing of quality.", "red"
        )
    if generation is not None:
        yield _generation_panel(generation)
    if run["metrics"] is not None and generation is not None:
        yield from _reading(run["metrics"], generation, lang)
    yield from _worst(run["results"])


def _retrieval_panel(metrics: View, run_id: str) -> Panel:
    k = metrics["k"]
    figures = {
        f"Precision@{k}": "precision_at_k",
        f"Recall@{k}": "recall_at_k",
        f"Hit Rate@{k}": "hit_rate_at_k",
        "MRR": "mrr",
        "MAP": "map",
        f"nDCG@{k}": "ndcg_at_k",
    }
    lines = [_line(label, metrics, name) for label, name in figures.items()]
    title = f"Evaluation Results (k={k})"
    return Panel(Group(*lines), title=title, subtitle=f"Run: {run_id}", expand=False)


def _generation_panel(generation: View) -> Panel:
    figures = {"Faithfulness": "mean_faithfulness", "Answer Relevancy": "mean_answer_relevancy"}
    intervals = {
        f"mean_{name}": generation[name]["interval"]
        for name in ("faithfulness", "answer_relevancy")
    }
    known = {**generation, "intervals": intervals}
    lines = [_line(label, known, name) for label, name in figures.items()]
    return Panel(Group(*lines), title="Generation Metrics", expand=False)


def _line(label: str, figures: View, name: str) -> Text:
    value, interval = figures[name], (figures.get("intervals") or {}).get(name)
    if value is None:
        return Text(f"{label + ':':<18} -")
    text = Text(f"{label + ':':<18} {value:.4f}")
    if interval is not None:
        text.append(f"  [{interval['low']:.4f}, {interval['high']:.4f}]", "dim")
    return text


def _notes(run: View) -> Iterator[Text]:
    """What the means leave out."""
    summary = run["summary"]
    metrics = summary["metrics"]
    if metrics is None:
        yield Text("No case could be measured: none of their chunks exist any more.", "red")
    elif metrics["unmeasurable"]:
        yield Text(
            f"{metrics['unmeasurable']:,} of {run['cases']:,} cases have no chunk left that answers"
            " them; they are not counted.",
            "yellow",
        )
    if summary["failed"]:
        told = f" The first says: {printable(run['error_message'])}" if run["error_message"] else ""
        yield Text(
            f"{summary['failed']:,} of {run['cases']:,} cases failed in answering or judging; the"
            f" means are those of the others.{told}",
            "red",
        )


def _reading(metrics: View, generation: View, lang: Lang) -> Iterator[Text]:
    faithfulness = generation["mean_faithfulness"]
    relevancy = generation["mean_answer_relevancy"]
    if faithfulness is None or relevancy is None:
        return
    for metric, mean in ((Metric.FAITHFULNESS, faithfulness), (Metric.ANSWER_RELEVANCY, relevancy)):
        yield Text(f"{metric}: {band(mean).grade[lang]}. {meaning(metric, mean, lang)}")
    diagnosis = diagnose(metrics["recall_at_k"], faithfulness, relevancy)
    for advice in (pattern(faithfulness, relevancy).advice, diagnosis.advice):
        yield Text(advice.title[lang], "bold")
        yield Text(f"  {advice.symptom[lang]} {advice.cause[lang]}")
        for action in advice.actions:
            yield Text(f"  → {action[lang]}")


def _worst(results: Sequence[View]) -> Iterator[RenderableType]:
    worst = [each for each in sorted(results, key=_badness) if _badness(each)[0] < 1][:WORST]
    if not worst:
        return
    shown = table("recall", "faithful", "relevant", "worst cases", last_folds=True)
    for result in worst:
        shown.add_row(
            _figure(result["recall"]),
            _figure(result["faithfulness"]),
            _figure(result["answer_relevancy"]),
            one_line(" → ".join(filter(None, (result["question"], _outcome(result))))),
        )
    yield shown


def _outcome(result: View) -> str | None:
    outcome: str | None = result["error"] or result["generated_answer"]
    return outcome


def _badness(result: View) -> tuple[float, float]:
    judged = {name: result[name] for name in ("faithfulness", "answer_relevancy")}
    return worst_first(recall=result["recall"], **judged)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
