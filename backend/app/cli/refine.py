"""`searchqa refine`: an answer improved round by round."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import typer
from rich.text import Text
from searchqa_client import Api

from app.ai_router.types import Lang
from app.answering.refine.state import StopReason, stop_text
from app.cli.language import _, chosen_language, has_word, in_language, word
from app.cli.output import AsJson, VerdictId, View, console, indented, print_json, printable
from app.cli.server import connect, poll
from app.platform.errors import SetupError
from app.platform.jobs.status import JobStatus


def refine(
    evaluation_id: VerdictId,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Overall score at which to stop.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, max=5, help="Maximum number of new answers.")
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Show the newest improvement; begin none.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Improve an answer: rewrite the query, search, answer and judge again.

    The first answer is kept. Exit code 1 when the loop did not run to its end.

    Examples:

    searchqa refine 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11

    searchqa refine 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --show
    """
    wanted = {"threshold": threshold, "max_iterations": iterations}
    body = {name: value for name, value in wanted.items() if value is not None}
    with connect() as client:
        about = f"/qa-evaluations/{evaluation_id}"
        lang = chosen_language() or client.get(about)["lang"]
        with in_language(lang):
            begun = _newest(client, about) if show else client.post(f"{about}/refine", body)
            shown = 0
            for view in poll(client, f"/refinements/{begun['id']}"):
                settled = JobStatus(view["status"]).final
                done = view["iterations"] if settled else view["iterations"][:-1]
                for iteration in [] if json else done[shown:]:
                    _print(_round(iteration))
                shown = max(shown, len(done))
            if json:
                print_json(view)
            else:
                _print([*_measures(view), _end(view, lang)])
    if view["status"] != JobStatus.SUCCEEDED or view["stop_reason"] == StopReason.FAILED:
        raise typer.Exit(1)


def _newest(client: Api, about: str) -> View:
    """Raises SetupError without an improvement of the answer."""
    found: list[View] = client.get(f"{about}/refinements")
    if not found:
        raise SetupError(
            _("This answer has not been improved yet; run the command without --show to start.")
        )
    return found[0]


def _print(lines: Iterable[Text]) -> None:
    for line in lines:
        console().print(indented(line))


_SCORES = ("overall_score", "grounding", "completeness", "accuracy")


def _end(view: View, lang: Lang) -> Text:
    """One line on why it ended; view: with its iterations."""
    if view["stop_reason"] is None:
        failed = _("The answer could not be improved")
        return Text(f"✘ {failed}: {printable(view['error'] or view['status'])}", "red")
    why = stop_text(StopReason(view["stop_reason"]), lang)
    if view["best_iteration"]:
        return Text(f"✔ {why} {_gain(view)}", "green")
    if not any(iteration["answer"] for iteration in view["iterations"][1:]):
        rest = "only"
    else:
        rest = "unknown" if view["lift"] is None else "no_better"
    return Text(f"○ {why} {word(f'refined_{rest}')}", "yellow")


def _gain(found: View) -> str:
    return _(
        "The answer of round {round} is better than the first by {lift:.2f}.",
        round=found["best_iteration"],
        lift=found["lift"],
    )


def summary_of(view: View, lang: Lang) -> Text:
    """One line on the `refinement` of a verdict."""
    found = view["refinement"]
    about = word("refined_automatic" if found["automatic"] else "refined_asked")
    if found["stop_reason"] is None:
        how = found["status"]
    elif found["best_iteration"]:
        how = _gain(found)
    else:
        how = stop_text(StopReason(found["stop_reason"]), lang)
    return Text(f"↻ {about}: {how} (searchqa refine {view['id']} --show)")


def _round(iteration: View) -> Iterator[Text]:
    """One of the `iterations` of `GET /refinements/{id}`."""
    number = iteration["position"]
    yield Text(_("Round {number}", number=number) if number else _("First answer"), "bold")
    if iteration["searched"]:
        by = f"refined_{iteration['rewritten_by']}"
        note = f" ({word(by)})" if has_word(by) else ""
        yield Text(f"  {_('query')}: {printable(iteration['query'])}{note}")
    else:
        yield Text(f"  {_('Only the answer was rewritten, from the same notes.')}")
    if iteration["documents"] is not None:
        titles = ", ".join(printable(document["title"]) for document in iteration["documents"])
        yield Text(f"  {_('notes')}: {titles or '-'}")
    if iteration["answer"] is not None:
        yield Text(f"  {_('answer')}: {printable(iteration['answer'])}")
    yield from _scores(iteration)


def _scores(iteration: View) -> Iterator[Text]:
    if iteration["overall_score"] is not None:
        scores = _(
            "overall {overall_score:.2f} · grounding {grounding:.2f} · completeness"
            " {completeness:.2f} · accuracy {accuracy:.2f}",
            **{name: iteration[name] for name in _SCORES},
        )
        note = f" ({_('heuristic estimate')})" if iteration["heuristic"] else ""
        yield Text(f"  {scores}{note}")
        if iteration["missing_info"]:
            missing = printable("; ".join(iteration["missing_info"]))
            yield Text(f"  {_('still missing')}: {missing}", "yellow")
        enough = "refined_search" if iteration["needs_retrieval"] else "refined_enough"
        yield Text(f"  {word(enough)}")
    if iteration["correctness"] is not None:
        scores = _(
            "judge of the first answer: correctness {correctness:.2f} · utility {utility:.2f}",
            correctness=iteration["correctness"],
            utility=iteration["utility"],
        )
        yield Text(f"  {scores}")
    if iteration["verdict_error"] is not None:
        failed = _("the judge of the first answer could not judge it")
        yield Text(f"  {failed}: {printable(iteration['verdict_error'])}", "yellow")


def _measures(view: View) -> Iterator[Text]:
    if view["correctness_lift"] is not None:
        change = _(
            "Change by the same judge: correctness {correctness:+.2f} · utility {utility:+.2f}",
            correctness=view["correctness_lift"],
            utility=view["utility_lift"],
        )
        yield Text(change)
    found = []
    if view["targeted_retrieval"] is not None:
        share = view["targeted_retrieval"]
        found.append(_("{share:.0%} of the missing information found", share=share))
    for name in ("precision", "recall"):
        first, last = view[f"first_{name}"], view[f"last_{name}"]
        if first is not None and last is not None:
            found.append(word(f"refined_{name}", first=first, last=last))
    if found and view["relevance"]:
        found.append(word(f"refined_{view['relevance']}"))
    calls = sum(iteration["calls"] for iteration in view["iterations"])
    yield Text(" · ".join([*found, _("model calls: {calls}", calls=calls)]))
