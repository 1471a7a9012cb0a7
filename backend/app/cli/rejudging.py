"""`searchqa verdicts rejudge`: answers judged again with another judge or prompt."""

import datetime as dt
import uuid
from typing import Annotated, Any

import typer

from app.cli.ask import notebook_id
from app.cli.client import Client, connect
from app.cli.durations import parse_duration
from app.cli.language import translated, value_title
from app.cli.options import AsJson, Yes
from app.cli.output import View, print_json
from app.cli.progress import estimate, progress_bar
from app.cli.where import WHERE_HELP, parse_where
from app.platform.errors import SetupError
from app.platform.jobs.status import JobStatus


def rejudge(
    evaluation_id: Annotated[
        uuid.UUID | None, typer.Argument(help="Rejudge this one answer, without a filter.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Answers since 2026-01-31, or of the last 12h, 30d, ….")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Answers before this time; format as for --since.")
    ] = None,
    where: Annotated[list[str] | None, typer.Option(metavar="TERM", help=WHERE_HELP)] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The server's judge by default.")
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option(
            metavar="VERSION", help="search-qa-eval-3, -4, -1 or -2, or workspace:NAME@1."
        ),
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Required when every answer would be rejudged.")
    ] = False,
    yes: Yes = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print the number of answers and the cost.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Judge answers again with another judge or prompt.

    First prints the number of answers and the estimated cost. Old verdicts are kept; a new one
    becomes current once it has succeeded. Ctrl-C leaves the job running. Exit code 0 also when
    there is nothing to judge, 1 when a judgement failed or the job was cancelled.

    Examples:

    searchqa verdicts rejudge --since 30d --where confidence=low --prompt search-qa-eval-2

    searchqa verdicts rejudge --where degraded=true --where 'correctness<0.5' --dry-run

    searchqa verdicts rejudge --all --judge openai:gpt-4o-mini --yes --json
    """
    choice = {"judge_model": judge, "prompt": prompt}
    body: dict[str, Any] = {name: value for name, value in choice.items() if value is not None}
    fields = parse_where(where or [])
    times = {"since": since, "until": until}
    fields |= {name: _time(value) for name, value in times.items() if value is not None}
    with connect() as client:
        if evaluation_id is not None:
            if fields or all_:
                raise SetupError(
                    translated(
                        "Give either the id of one verdict or a filter, not both.",
                        "평가 id와 조건 중 하나만 주세요.",
                    )
                )
            _one(client, evaluation_id, body, json=json)
            return
        if "notebook" in fields:
            fields["notebook_id"] = notebook_id(client, fields.pop("notebook"))
        body |= {"filter": fields, "everything": all_}
        expected = client.post("/evaluation/rejudge/estimate", body)
        _refuse_everything(expected, filtered=bool(fields), asked_for=all_)
        if dry_run or not expected["to_judge"]:
            print_json(expected) if json else typer.echo(_plan(expected))
            return
        if not yes:
            typer.echo(_plan(expected), err=json)
            typer.confirm(translated("Continue?", "계속할까요?"), abort=True, err=json)
        begun = client.post("/evaluation/rejudge", body)
        ended = _follow(client, begun["job"], quiet=json)
    print_json(ended) if json else typer.echo(_outcome(ended))
    if ended["job"]["status"] != JobStatus.SUCCEEDED or ended["progress"]["failed"]:
        raise typer.Exit(1)


def _refuse_everything(expected: View, *, filtered: bool, asked_for: bool) -> None:
    """Raises SetupError when all answers match and --all was not given."""
    if asked_for or not expected["to_judge"] or expected["matching"] < expected["answers"]:
        return
    what = "The filter matches" if filtered else "Without a filter this matches"
    ko = "조건에 모든 답변이" if filtered else "조건이 없어 모든 답변이"
    count = f"{expected['answers']:,}"
    raise SetupError(
        translated(
            f"{what} every answer ({count}); narrow it with --since or --where, or add --all to"
            " rejudge all of them.",
            f"{ko} 해당합니다({count}개). --since나 --where로 좁히거나, 모두 다시 평가하려면"
            " --all을 붙이세요.",
        )
    )


def _one(client: Client, evaluation_id: uuid.UUID, choice: View, *, json: bool) -> None:
    new = client.post(f"/qa-evaluations/{evaluation_id}/rejudge", choice)
    if json:
        print_json(new)
    else:
        watch = f"searchqa verdicts watch {new['id']}"
        typer.echo(
            translated(f"Rejudging.\nWatch with: {watch}", f"다시 평가합니다.\n지켜보기: {watch}")
        )


def _time(written: str) -> str:
    """ISO 8601. Raises SetupError."""
    try:
        when = dt.datetime.fromisoformat(written.strip())
    except ValueError:
        when = dt.datetime.now(dt.UTC) - parse_duration(written)
    return when.astimezone().isoformat()


def _plan(expected: View) -> str:
    by = expected["judge_model"] + (f" ({expected['prompt']})" if expected["prompt"] else "")
    names = ("matching", "answers", "to_judge", "judged", "not_judged")
    matching, answers, to_judge, judged, not_judged = (f"{expected[name]:,}" for name in names)
    lines = [
        translated(
            f"{matching} of {answers} answers match; {to_judge} are to be judged by {by}.",
            f"답변 {answers}개 중 {matching}개가 해당하고, {by}(으)로 {to_judge}개를 평가합니다.",
        )
    ]
    if expected["judged"]:
        lines.append(
            translated(
                f"{judged} of them already have its verdict and are left out.",
                f"그중 {judged}개는 이미 이 평가가 있어 제외합니다.",
            )
        )
    if expected["not_judged"]:
        lines.append(
            translated(
                f"{not_judged} of them were not answered from notes.",
                f"그중 {not_judged}개는 노트로 답한 것이 아닙니다.",
            )
        )
    if not expected["to_judge"]:
        lines.append(translated("Nothing to do.", "할 일이 없습니다."))
    elif expected["calls"]:
        lines.append(estimate(expected))
    else:
        lines.append(
            translated(
                "No model is called, and it costs nothing.", "모델을 호출하지 않아 비용이 없습니다."
            )
        )
    return "\n".join(lines)


def _follow(client: Client, job: View, *, quiet: bool) -> View:
    """The job and its progress once it has ended."""
    id_, total = job["id"], job["payload"]["answers"]
    show, cancel = f"searchqa jobs show {id_}", f"searchqa jobs cancel {id_}"
    hint = translated(
        f"Show it with: {show}\nCancel it with: {cancel}", f"상태 보기: {show}\n취소: {cancel}"
    )
    title = translated("Rejudging", "다시 평가")
    with progress_bar(title, total, hidden=quiet, after_ctrl_c=hint) as advance:
        for seen in client.poll(
            f"/evaluation/rejudge/jobs/{id_}", lambda view: str(view["job"]["status"])
        ):
            progress = seen["progress"]
            done = progress["total"] - progress["pending"]
            advance(done, total=max(progress["total"], total), note=_trouble(progress))
    return seen


def _trouble(progress: View) -> str:
    failed = f"{progress['failed']:,}"
    trouble = [translated(f"{failed} failed", f"{failed}개 실패")] if progress["failed"] else []
    if progress["paused"]:
        trouble.append(
            translated(
                "the judge is paused (`searchqa judges list`)",
                "평가 모델이 멈춰 있습니다 (`searchqa judges list`)",
            )
        )
    return ", ".join(trouble)


def _outcome(ended: View) -> str:
    job, progress = ended["job"], ended["progress"]
    cost = progress["cost_usd"]
    counts = [
        translated(f"{progress[name]:,} {en}", f"{ko} {progress[name]:,}개")
        for name, en, ko in (
            ("succeeded", "rejudged", "다시 평가"),
            ("failed", "failed and keep their old verdict", "실패(이전 평가 유지)"),
            ("cancelled", "cancelled", "취소"),
            ("pending", "still in progress", "진행 중"),
        )
        if progress[name] or name == "succeeded"
    ]
    spent = "" if cost is None else f", ${cost:.4f}"
    if job["status"] == JobStatus.SUCCEEDED:
        return f"{', '.join(counts)}{spent}."
    job_is = translated(f"Job {job['status']}", f"작업 {value_title(job['status'])}")
    return f"{job_is}: {', '.join(counts)}{spent}. {job['error'] or ''}".rstrip()
