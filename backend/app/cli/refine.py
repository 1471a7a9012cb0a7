"""`searchqa refine`: an answer improved round by round."""

from typing import Annotated

import typer

from app.answering.refine.state import StopReason
from app.cli.client import connect
from app.cli.language import chosen_language
from app.cli.options import AsJson, VerdictId
from app.cli.output import console, print_json
from app.cli.refinement_view import show_end, show_round
from app.cli.words import words_of
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
        lang = chosen_language() or client.get(f"/qa-evaluations/{evaluation_id}")["lang"]
        if show:
            found = client.get(f"/qa-evaluations/{evaluation_id}/refinements")
            if not found:
                raise SetupError(words_of("refinement", lang)["none"])
            begun = found[0]
        else:
            begun = client.post(f"/qa-evaluations/{evaluation_id}/refine", body)
        shown = 0
        for view in client.poll(f"/refinements/{begun['id']}"):
            settled = JobStatus(view["status"]).final
            done = view["iterations"] if settled else view["iterations"][:-1]
            for iteration in [] if json else done[shown:]:
                show_round(console(), iteration, lang)
            shown = max(shown, len(done))
    if json:
        print_json(view)
    else:
        show_end(console(), view, lang)
    if view["status"] != JobStatus.SUCCEEDED or view["stop_reason"] == StopReason.FAILED:
        raise typer.Exit(1)
