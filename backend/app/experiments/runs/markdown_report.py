"""A run as Markdown: for the summary of a CI job or a comment on a change."""

import re
from collections.abc import Iterator, Sequence

from app.ai_router.types import Lang
from app.experiments.runs.gates import Gate
from app.experiments.runs.reading import View, advice, caveats, meanings, worst

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~&@-])")
_CELL_CHARS = 300


def markdown_report(run: View, gates: Sequence[Gate], lang: Lang) -> str:
    """Figures, gates, what the means leave out, what they mean, and the worst cases. Text that is
    not ours is escaped: it makes no markup, no link and no mention."""
    return "\n".join(_lines(run, gates, lang)) + "\n"


def _lines(run: View, gates: Sequence[Gate], lang: Lang) -> Iterator[str]:
    yield f"# {_plain(run['name'])}"
    yield ""
    yield (
        f"{_plain(run['dataset_name'])} v{run['dataset_version']},"
        f" {run['evaluation_type']}, retrieval {run['retrieval']}, k = {run['k']}:"
        f" **{run['status']}**, {run['done']:,} of {run['cases']:,} cases"
    )
    if gates:
        yield from _table(
            ("gate", "value", ""),
            [
                (
                    f"{gate.name} ≥ {gate.least:g}",
                    _figure(gate.value),
                    "✅" if gate.passed else "❌",
                )
                for gate in gates
            ],
        )
    if run["summary"] is None:
        if run["error_message"]:
            yield from ("", _plain(run["error_message"]))
        return
    yield from _table(("mean", "value", "95 % interval"), list(_figures(run)))
    for caveat in caveats(run):
        yield from ("", f"⚠️ {_plain(caveat)}")
    for told in meanings(run, lang):
        yield from ("", _plain(told))
    for each in advice(run):
        yield from ("", f"**{_plain(each.title[lang])}** {_plain(each.symptom[lang])}", "")
        yield from (f"- {_plain(action[lang])}" for action in each.actions)
    yield from _worst(run)


def _figures(run: View) -> Iterator[Sequence[str]]:
    metrics, generation = run["metrics"], run["summary"]["generation"]
    if metrics is not None:
        for name, interval in metrics["intervals"].items():
            yield name, _figure(metrics[name]), _interval(interval)
    if generation is not None:
        for name in ("faithfulness", "answer_relevancy"):
            mean = generation[name]
            yield f"mean_{name}", _figure(mean["mean"]), _interval(mean["interval"])


def _worst(run: View) -> Iterator[str]:
    rows = [
        (
            _figure(each["recall"]),
            _figure(each["faithfulness"]),
            _figure(each["answer_relevancy"]),
            _plain(each["question"]),
            _plain(each["error"] or each["generated_answer"] or ""),
        )
        for each in worst(run["results"])
    ]
    if rows:
        yield from _table(("recall", "faithful", "relevant", "worst cases", "answer"), rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(head)} |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _plain(text: str) -> str:
    """One line that shows as it is written; of a long text the beginning."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    cut = line if len(line) <= _CELL_CHARS else f"{line[:_CELL_CHARS]}…"
    return _SPECIAL.sub(r"\\\1", cut)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _interval(interval: View | None) -> str:
    return "–" if interval is None else f"{interval['low']:.4f} to {interval['high']:.4f}"
