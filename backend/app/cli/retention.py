"""`searchqa retention …`: what is kept, and for how long."""

import asyncio
from typing import Annotated

import typer

from app.cli.database import database_url, errors_in_words
from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import print_json
from app.cli.tables import print_table
from app.db.pool import create_pool
from app.drift.retention import AlarmRetention
from app.settings import Settings, get_settings
from app.traces.retention import TraceRetention
from app.verdicts.lifecycle.retention import Forgotten, Retention

retention = command_group(
    "retention",
    """The dispatcher runs it every minute. SEARCHQA_KEEP_… set the periods in days; a workspace's
    policy overrides them (`searchqa policy`).""",
)


@retention.command()
def run(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count what would be deleted.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Delete data that is past its retention period, and print how much it was.

    Data of unfinished verdicts is kept.

    Examples:

    searchqa retention run --dry-run

    SEARCHQA_KEEP_ANSWERS_DAYS=365 searchqa retention run
    """
    settings = get_settings()
    counted, traces, alarms = asyncio.run(_apply(database_url(), settings, dry_run=dry_run))
    if json:
        print_json({"dry_run": dry_run, **dict(counted), "traces": traces, "alarms": alarms})
    else:
        _show(counted, traces, alarms, settings, _heading(dry_run=dry_run))


def _heading(*, dry_run: bool) -> str:
    if dry_run:
        return translated("would be deleted", "삭제 대상")
    return translated("deleted", "삭제됨")


async def _apply(address: str, settings: Settings, *, dry_run: bool) -> tuple[Forgotten, int, int]:
    """What the policies of verdicts, of traces and of alarms delete."""
    with errors_in_words():
        async with create_pool(address, max_size=1) as pool:
            policy, traces = Retention(pool, settings), TraceRetention(pool, settings)
            alarms = AlarmRetention(pool, settings)
            if dry_run:
                return await policy.due(), await traces.due(), await alarms.due()
            return await policy.forget_all(), await traces.forget_all(), await alarms.forget_all()


def _show(counted: Forgotten, traces: int, alarms: int, settings: Settings, heading: str) -> None:
    replies = translated("raw judge replies", "평가 모델의 응답 원문")
    events = translated("events before a verdict's last one", "평가마다 마지막 이전의 이벤트")
    answers = translated("answers with all their data", "답변과 그에 딸린 모든 데이터")
    periods: tuple[tuple[str, int | None, int], ...] = (
        (replies, settings.keep_judge_bodies_days, counted.bodies),
        (events, settings.keep_events_days, counted.events),
        (answers, settings.keep_answers_days, counted.answers),
        (translated("traces", "트레이스"), settings.keep_traces_days, traces),
        (translated("alarms", "품질 알림"), settings.keep_quality_days, alarms),
    )
    rows = ([what, _period(days), f"{count:,}"] for what, days, count in periods)
    headers = [translated("what", "대상"), translated("kept for", "보관 기간"), heading]
    print_table(headers, rows)


def _period(days: int | None) -> str:
    if days is None:
        return translated("forever", "계속")
    return translated(f"{days} days", f"{days}일")
