"""Runs in words and figures: panels, what the figures mean, the worst cases."""

import datetime as dt
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.language import translated, value_title
from app.cli.output import console, printable
from app.cli.tables import print_rows
from app.experiments.runs.diagnosis import View, advice, band, caveats, meanings, worst


def show_run(run: View, lang: Lang) -> None:
    """Prints the reply of `GET /evaluation/runs/{id}`."""
    for part in _parts(run, lang):
        console().print(part)
    if run["status"] == "completed" and (found := worst(run["results"])):
        figures = ("recall", "faithfulness", "answer_relevancy")
        print_rows(found, *figures, ("worst cases", _outcome), as_json=False, last_folds=True)


_WAITS = {
    "budget_spent": "The daily budget is spent; the run goes on at {}.",
    "budget_held": "The rest of the daily budget is held by work under way; next look at {}.",
    "budget_unpriced": "A model of the run has no known price, which a daily budget needs; next"
    " look at {}.",
}


def waiting(run: View) -> str:
    """Why a run waits for money, and until when in the time zone of this machine."""
    until = dt.datetime.fromisoformat(run["waits_until"]).astimezone()
    return _WAITS[run["waits_for"]].format(f"{until:%Y-%m-%d %H:%M}")


def _outcome(result: View) -> str:
    outcome = result["error"] or result["generated_answer"]
    return " → ".join(filter(None, (result["question"], outcome)))


def _parts(run: View, lang: Lang) -> Iterator[RenderableType]:
    yield Text(printable(_settings(run)), "dim")
    if run["status"] != "completed":
        yield Text(f"{value_title(run['status'])}: {run['done']:,} / {run['cases']:,}", "yellow")
        if run["waits_for"]:
            yield Text(waiting(run), "yellow")
        if run["error_message"]:
            yield Text(printable(run["error_message"]), "red")
        return
    if run["metrics"] is not None:
        yield _retrieval_panel(run["metrics"], run["id"])
    for caveat in caveats(run):
        yield Text(printable(caveat), "yellow")
    if run["summary"]["generation"] is not None:
        yield _generation_panel(run["summary"]["generation"], run["judge_model"], lang)
    for sentence in meanings(run, lang):
        yield Text(sentence)
    for each in advice(run):
        yield Text(each.title[lang], "bold")
        yield Text(f"  {each.symptom[lang]} {each.cause[lang]}")
        for action in each.actions:
            yield Text(f"  → {action[lang]}")


def _settings(run: View) -> str:
    told = f"{run['name']}: {run['dataset_name']} v{run['dataset_version']}, {run['retrieval']}"
    if run["evaluation_type"] != "full_rag":
        return told
    prompt = f" ({run['prompt_version']})" if run["prompt_version"] else ""
    return f"{told}, answers by {run['answer_model']}, judged by {run['judge_model']}{prompt}"


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
    title = translated(f"Evaluation Results (k={k})", f"평가 결과 (k={k})")
    return Panel(Group(*lines), title=title, subtitle=f"Run: {run_id}", expand=False)


def _generation_panel(generation: View, judge: str, lang: Lang) -> Panel:
    figures = {"Faithfulness": "mean_faithfulness", "Answer Relevancy": "mean_answer_relevancy"}
    intervals = {
        f"mean_{name}": generation[name]["interval"]
        for name in ("faithfulness", "answer_relevancy")
    }
    known = {**generation, "intervals": intervals}
    lines = [_line(label, known, name) for label, name in figures.items()]
    for line, name in zip(lines, figures.values(), strict=True):
        if generation[name] is not None:
            line.append(f"  {band(generation[name]).grade[lang]}", "bold")
    kind = translated("rules, ", "규칙, ") if judge.startswith("offline:") else ""
    named = f"{kind}{printable(judge)}"
    scored = translated(f"Scored by {named}", f"채점: {named}")
    title = translated("Generation Metrics", "답변 지표")
    return Panel(Group(*lines), title=title, subtitle=scored, expand=False)


def _line(label: str, figures: View, name: str) -> Text:
    value, interval = figures[name], (figures.get("intervals") or {}).get(name)
    if value is None:
        return Text(f"{label + ':':<18} -")
    text = Text(f"{label + ':':<18} {value:.4f}")
    if interval is not None:
        text.append(f"  [{interval['low']:.4f}, {interval['high']:.4f}]", "dim")
    return text
