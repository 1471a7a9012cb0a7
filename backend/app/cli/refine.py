"""`searchqa refine`: an answer improved round by round."""

from typing import Annotated

import typer
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.client import connect
from app.cli.language import chosen_language
from app.cli.options import AsJson, VerdictId
from app.cli.output import View, console, indented, print_json, printable
from app.cli.words import words_of
from app.jobs.status import JobStatus
from app.refine.state import StopReason, stop_text


def refine(
    evaluation_id: VerdictId,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Overall score at which to stop.")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(min=1, max=5, help="Maximum number of new answers.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Improve an answer: rewrite the query, search, answer and judge again.

    The first answer is kept. Exit code 1 when the loop did not run to its end.

    Example:

    searchqa refine 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    wanted = {"threshold": threshold, "max_iterations": iterations}
    body = {name: value for name, value in wanted.items() if value is not None}
    with connect() as client:
        lang = chosen_language() or client.get(f"/qa-evaluations/{evaluation_id}")["lang"]
        begun = client.post(f"/qa-evaluations/{evaluation_id}/refine", body)
        shown = 0
        for view in client.poll(f"/refinements/{begun['id']}"):
            settled = JobStatus(view["status"]).final
            done = view["iterations"] if settled else view["iterations"][:-1]
            for iteration in [] if json else done[shown:]:
                _show(iteration, lang)
            shown = max(shown, len(done))
    if json:
        print_json(view)
    else:
        console().print(indented(_end(view, lang)))
    if view["status"] != JobStatus.SUCCEEDED or view["stop_reason"] == StopReason.FAILED:
        raise typer.Exit(1)


def _show(iteration: View, lang: Lang) -> None:
    words = words_of("refinement", lang)
    number = iteration["position"]
    title = words["round"].format(number) if number else words["first"]
    lines = [Text(title, "bold"), Text(f"  {words['query']}: {printable(iteration['query'])}")]
    if iteration["documents"] is not None:
        titles = ", ".join(printable(document["title"]) for document in iteration["documents"])
        lines.append(Text(f"  {words['notes']}: {titles or '-'}"))
    if iteration["answer"] is not None:
        lines.append(Text(f"  {words['answer']}: {printable(iteration['answer'])}"))
    if iteration["overall_score"] is not None:
        names = ("overall_score", "grounding", "completeness", "accuracy")
        scores = words["scores"].format(*(iteration[name] for name in names))
        note = f" ({words['heuristic']})" if iteration["heuristic"] else ""
        lines.append(Text(f"  {scores}{note}"))
        if iteration["missing_info"]:
            missing = printable("; ".join(iteration["missing_info"]))
            lines.append(Text(f"  {words['missing']}: {missing}", "yellow"))
    for line in lines:
        console().print(indented(line))


def _end(view: View, lang: Lang) -> Text:
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
