"""`searchqa retention …`: what is kept, and for how long."""

import asyncio
from collections.abc import Mapping
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
from app.verdicts.lifecycle.retention import Retention
from app.webhooks.retention import WebhookRetention

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
    counted = asyncio.run(_apply(database_url(), settings, dry_run=dry_run))
    if json:
        print_json({"dry_run": dry_run, **counted})
    else:
        _show(counted, settings, _heading(dry_run=dry_run))


def _heading(*, dry_run: bool) -> str:
    if dry_run:
        return translated("would be deleted", "삭제 대상")
    return translated("deleted", "삭제됨")


async def _apply(address: str, settings: Settings, *, dry_run: bool) -> Mapping[str, int]:
    """What is deleted, by its name in the JSON."""
    with errors_in_words():
        async with create_pool(address, max_size=1) as pool:
            verdicts = Retention(pool, settings)
            others: dict[str, TraceRetention | AlarmRetention | WebhookRetention] = {
                "traces": TraceRetention(pool, settings),
                "alarms": AlarmRetention(pool, settings),
                "webhook_deliveries": WebhookRetention(pool, settings),
            }
            if dry_run:
                due = dict(await verdicts.due())
                return due | {name: await other.due() for name, other in others.items()}
            deleted = dict(await verdicts.forget_all())
            return deleted | {name: await other.forget_all() for name, other in others.items()}


def _show(counted: Mapping[str, int], settings: Settings, heading: str) -> None:
    periods = {
        "bodies": (
            translated("raw judge replies", "평가 모델의 응답 원문"),
            settings.keep_judge_bodies_days,
        ),
        "events": (
            translated("events before a verdict's last one", "평가마다 마지막 이전의 이벤트"),
            settings.keep_events_days,
        ),
        "answers": (
            translated("answers with all their data", "답변과 그에 딸린 모든 데이터"),
            settings.keep_answers_days,
        ),
        "traces": (translated("traces", "트레이스"), settings.keep_traces_days),
        "alarms": (translated("alarms", "품질 알림"), settings.keep_quality_days),
        "webhook_deliveries": (
            translated("webhook deliveries", "웹훅 전송 기록"),
            settings.keep_webhook_deliveries_days,
        ),
    }
    rows = ([what, _period(days), f"{counted[name]:,}"] for name, (what, days) in periods.items())
    headers = [translated("what", "대상"), translated("kept for", "보관 기간"), heading]
    print_table(headers, rows)


def _period(days: int | None) -> str:
    if days is None:
        return translated("forever", "계속")
    return translated(f"{days} days", f"{days}일")
