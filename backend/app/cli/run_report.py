"""Runs in words and figures: panels, what the figures mean, the worst cases, comparisons."""

import datetime as dt
from collections.abc import Iterator
from operator import itemgetter

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.language import N_, _
from app.cli.output import View, console, printable
from app.cli.tables import print_rows, print_table
from app.experiments.runs.diagnosis import advice, band, caveats, meanings, worst


def show_run(run: View, lang: Lang) -> None:
    """Prints the reply of `GET /evaluation/runs/{id}`."""
    for part in _parts(run, lang):
        console().print(part)
    if mended := [each for each in run["results"] if each["mended_in"]]:
        print_rows(mended, ("mended in", itemgetter("mended_in")), "question", as_json=False)
    if failing := [each for each in run["results"] if each["passed"] is False]:
        print_rows(
            failing, "generated_answer", ("not mended", itemgetter("question")), as_json=False
        )
    if run["status"] == "completed" and (found := worst(run["results"])):
        figures = ("recall", "faithfulness", "answer_relevancy")
        print_rows(found, *figures, ("worst cases", _outcome), as_json=False, last_folds=True)


_WAITS = {
    "budget_spent": N_("The daily budget is spent; the run continues at {when}."),
    "budget_held": N_(
        "Other work has reserved the rest of the daily budget; next check at {when}."
    ),
    "budget_unpriced": N_(
        "A model of the run has no known price, which a daily budget needs; next check at {when}."
    ),
}


def waiting(run: View) -> str:
    """The reason why a run waits for its budget, and the local time until which it does."""
    until = dt.datetime.fromisoformat(run["waits_until"]).astimezone()
    return _(_WAITS[run["waits_for"]], when=f"{until:%Y-%m-%d %H:%M}")


def _outcome(result: View) -> str:
    outcome = result["error"] or result["generated_answer"]
    return " → ".join(filter(None, (result["question"], outcome)))


def _parts(run: View, lang: Lang) -> Iterator[RenderableType]:
    yield Text(printable(_settings(run)), "dim")
    if run["status"] != "completed":
        yield Text(f"{_(run['status'])}: {run['done']:,} / {run['cases']:,}", "yellow")
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
    version = f" ({run['app_version']})" if run["app_version"] else ""
    dataset = f"{run['dataset_name']} v{run['dataset_version']}"
    sentence = f"{run['name']}{version}: {dataset}, {run['retrieval']}"
    if run["evaluation_type"] != "full_rag":
        return sentence
    prompt = f" ({run['prompt_version']})" if run["prompt_version"] else ""
    return f"{sentence}, answers by {run['answer_model']}, judged by {run['judge_model']}{prompt}"


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
    title = _("Evaluation Results (k={k})", k=k)
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
    kind = _("rules, ") if judge.startswith("offline:") else ""
    named = f"{kind}{printable(judge)}"
    scored = _("Scored by {named}", named=named)
    title = _("Generation Metrics")
    return Panel(Group(*lines), title=title, subtitle=scored, expand=False)


def _line(label: str, figures: View, name: str) -> Text:
    value, interval = figures[name], (figures.get("intervals") or {}).get(name)
    if value is None:
        return Text(f"{label + ':':<18} -")
    text = Text(f"{label + ':':<18} {value:.4f}")
    if interval is not None:
        text.append(f"  [{interval['low']:.4f}, {interval['high']:.4f}]", "dim")
    return text


MAX_FLIPPED = 20


def show_comparison(comparison: View) -> None:
    """Prints the reply of `GET /evaluation/runs/{id}/compare/{other}`."""
    out = console()
    for which in ("first", "second"):
        out.print(Text(printable(f"{_(which)}: {comparison[f'{which}_name']}")))
    figures = ("mean", "first", "second", "difference", "95 % interval", "p", "cases")
    print_table(
        [_(name) for name in figures], map(_difference, comparison["differences"]), last="whole"
    )
    out.print(Text(_significant(), "dim"))
    for name, unit in (("cost_usd", "$"), ("latency_ms", "ms a case")):
        first, second = comparison[f"first_{name}"], comparison[f"second_{name}"]
        if first is not None and second is not None:
            out.print(f"{unit}: {first:,.4f} and {second:,.4f}")
    searches = [comparison[f"{which}_retrieval"] for which in ("first", "second")]
    if len(set(searches)) > 1:
        out.print(f"search: {searches[0]} and {searches[1]}")
    unread = max((each["unread"] for each in comparison["differences"]), default=0)
    for caveat in _caveats(comparison, unread):
        out.print(Text(caveat, "yellow"))
    lost = comparison["only_first"] + comparison["only_second"]
    if lost:
        sentence = _("{lost:,} questions occur in only one run and are not compared.", lost=lost)
        out.print(Text(sentence, "yellow"))
    if comparison["flipped"]:
        flipped = _("Cases that flipped")
        out.print(f"{flipped}: {len(comparison['flipped']):,}")
        change = ("change", lambda each: _(each["change"].replace("_", " ")))
        columns = (change, ("mean", itemgetter("name")), "first", "second", "question")
        print_rows(comparison["flipped"][:MAX_FLIPPED], *columns, as_json=False)


def show_baseline_comparison(comparison: View) -> None:
    """Prints the reply of `GET /evaluation/runs/{id}/comparison`. The runs are numbered, because
    their names are too long to head columns."""
    out = console()
    baseline, runs = comparison["baseline"], comparison["runs"]
    out.print(Text(printable(f"{_('baseline')}: {baseline['name']}")))
    for number, run in enumerate(runs, start=1):
        out.print(Text(printable(f"{number}: {run['name']}  {run['id']}")))
    headers = ["mean", "cases", "baseline", *(str(number + 1) for number in range(len(runs)))]
    rows = [
        [
            row["name"],
            f"{row['cases']:,}",
            _marked(row["baseline"], row["baseline_mark"]),
            *(_against(row, run["id"]) for run in runs),
        ]
        for row in comparison["metrics"]
    ]
    print_table([_(name) for name in headers], rows, last="whole")
    counted = _(" for this number of runs")
    out.print(Text(_significant(counted), "dim"))
    unread = max((row["unread"] for row in comparison["metrics"]), default=0)
    for number, run in enumerate(runs, start=1):
        for caveat in _caveats(run, unread=0):
            out.print(Text(f"{number}: {caveat}", "yellow"))
    if unread:
        out.print(Text(_unread(unread), "yellow"))


def _difference(each: View) -> list[str]:
    return [
        each["name"],
        f"{each['first']:.4f}",
        f"{each['second']:.4f}",
        f"{each['difference']:+.4f}{' *' if each['significant'] else ''}",
        _interval(each) or "-",
        "-" if each["p_value"] is None else f"{each['p_value']:.4f}",
        f"{each['cases']:,}",
    ]


def _against(row: View, run_id: str) -> str:
    found = next((each for each in row["runs"] if each["run_id"] == run_id), None)
    if found is None:
        return "-"
    star = "*" if found["significant"] else None
    parts = (_marked(found["mean"], found["mark"]), f"{found['difference']:+.4f}", star)
    return " ".join(filter(None, (*parts, _interval(found))))


def _marked(mean: float, mark: str | None) -> str:
    return " ".join(filter(None, (f"{mean:.4f}", mark and f"({_(mark)})")))


def _interval(each: View) -> str | None:
    return None if each["low"] is None else f"[{each['low']:+.4f}, {each['high']:+.4f}]"


def _significant(counted: str = "") -> str:
    return _("* statistically significant{counted} (p < 0.05)", counted=counted)


def _caveats(compared: View, unread: int) -> Iterator[str]:
    for each in compared["not_compared"]:
        yield not_compared(each)
    if changed := compared["notes_changed"]:
        yield _(
            "The notes changed between the runs: correct passages of {changed:,} questions"
            " existed in only one of them, so differences in search may come from the notes.",
            changed=changed,
        )
    if unread:
        yield _unread(unread)


def _unread(cases: int) -> str:
    return _(
        "{cases:,} questions are left out of the means of answers: a reply of the judge could not"
        " be read.",
        cases=cases,
    )


_REASONS = {
    "dataset": N_("the datasets differ in questions or ground truth"),
    "k": N_("k differs"),
    "answers": N_("only one run generated answers"),
    "judge": N_("the answers were scored by different judges"),
    "prompt": N_("the judge prompts differ"),
}


def not_compared(refused: View) -> str:
    """Which means of two runs cannot be compared, and why."""
    return _(
        "Not compared, because {why}: {names}.",
        why=_(_REASONS[refused["because"]]),
        names=", ".join(refused["names"]),
    )
