"""A refinement in words, round by round, in the language of the question."""

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.text import Text

from app.ai_router.types import Lang
from app.answering.refine.state import StopReason, stop_text
from app.cli.output import View, indented, printable
from app.cli.words import words_of

_SCORES = ("overall_score", "grounding", "completeness", "accuracy")


def show_round(out: Console, iteration: View, lang: Lang) -> None:
    """Prints one of the `iterations` of `GET /refinements/{id}`."""
    for line in _round(iteration, words_of("refinement", lang)):
        out.print(indented(line))


def show_end(out: Console, view: View, lang: Lang) -> None:
    """Prints what the searches of a refinement found, why it ended and what came of it."""
    words = words_of("refinement", lang)
    for line in _measures(view, words):
        out.print(indented(Text(line)))
    out.print(indented(end_of(view, lang)))


def end_of(view: View, lang: Lang) -> Text:
    """One line on why it ended; view: with its iterations."""
    words = words_of("refinement", lang)
    if view["stop_reason"] is None:
        return Text(f"✘ {words['failed']}: {printable(view['error'] or view['status'])}", "red")
    why = stop_text(StopReason(view["stop_reason"]), lang)
    if view["best_iteration"]:
        gain = words["better"].format(view["best_iteration"], view["lift"])
        return Text(f"✔ {why} {gain}", "green")
    if not any(iteration["answer"] for iteration in view["iterations"][1:]):
        rest = "only"
    else:
        rest = "unknown" if view["lift"] is None else "no_better"
    return Text(f"○ {why} {words[rest]}", "yellow")


def summary_of(view: View, lang: Lang) -> Text:
    """One line on the `refinement` of a verdict."""
    words = words_of("refinement", lang)
    about, found = (
        words["automatic" if view["refinement"]["automatic"] else "asked"],
        view["refinement"],
    )
    if found["stop_reason"] is None:
        how = found["status"]
    elif found["best_iteration"]:
        how = words["better"].format(found["best_iteration"], found["lift"])
    else:
        how = stop_text(StopReason(found["stop_reason"]), lang)
    return Text(f"↻ {about}: {how} (searchqa refine {view['id']} --show)")


def _round(iteration: View, words: Mapping[str, str]) -> Iterator[Text]:
    number = iteration["position"]
    yield Text(words["round"].format(number) if number else words["first"], "bold")
    if iteration["searched"]:
        by = words.get(iteration["rewritten_by"] or "", "")
        note = f" ({by})" if by else ""
        yield Text(f"  {words['query']}: {printable(iteration['query'])}{note}")
    else:
        yield Text(f"  {words['same_notes']}")
    if iteration["documents"] is not None:
        titles = ", ".join(printable(document["title"]) for document in iteration["documents"])
        yield Text(f"  {words['notes']}: {titles or '-'}")
    if iteration["answer"] is not None:
        yield Text(f"  {words['answer']}: {printable(iteration['answer'])}")
    yield from _scores(iteration, words)


def _scores(iteration: View, words: Mapping[str, str]) -> Iterator[Text]:
    if iteration["overall_score"] is not None:
        scores = words["scores"].format(*(iteration[name] for name in _SCORES))
        note = f" ({words['heuristic']})" if iteration["heuristic"] else ""
        yield Text(f"  {scores}{note}")
        if iteration["missing_info"]:
            missing = printable("; ".join(iteration["missing_info"]))
            yield Text(f"  {words['missing']}: {missing}", "yellow")
        yield Text(f"  {words['search' if iteration['needs_retrieval'] else 'enough']}")
    if iteration["correctness"] is not None:
        yield Text("  " + words["verdict"].format(iteration["correctness"], iteration["utility"]))
    if iteration["verdict_error"] is not None:
        yield Text(f"  {words['no_verdict']}: {printable(iteration['verdict_error'])}", "yellow")


def _measures(view: View, words: Mapping[str, str]) -> Iterator[str]:
    if view["correctness_lift"] is not None:
        yield words["verdict_lift"].format(view["correctness_lift"], view["utility_lift"])
    found = []
    if view["targeted_retrieval"] is not None:
        found.append(words["targeted"].format(view["targeted_retrieval"]))
    for name in ("precision", "recall"):
        first, last = view[f"first_{name}"], view[f"last_{name}"]
        if first is not None and last is not None:
            found.append(words[name].format(first, last))
    if found and view["relevance"]:
        found.append(words[view["relevance"]])
    calls = sum(iteration["calls"] for iteration in view["iterations"])
    yield " · ".join([*found, words["calls"].format(calls)])
