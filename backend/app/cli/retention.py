"""`searchqa retention …`: what is kept, and for how long."""

import asyncio
from typing import Annotated

import typer

from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import print_json
from app.cli.stack import database_url, errors_in_words
from app.cli.tables import print_table
from app.operations.retention import retentions
from app.platform.db.pool import create_pool
from app.platform.db.retention import Deleted
from app.platform.settings import Settings, get_settings

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
    kept = _kept(settings)
    if json:
        print_json({"dry_run": dry_run} | {name: counted[name] for name in kept})
        return
    headers = [
        translated("what", "대상"),
        translated("kept for", "보관 기간"),
        _heading(dry_run=dry_run),
    ]
    rows = ([what, period, f"{counted[name]:,}"] for name, (what, period) in kept.items())
    print_table(headers, rows)


def _heading(*, dry_run: bool) -> str:
    if dry_run:
        return translated("would be deleted", "삭제 대상")
    return translated("deleted", "삭제됨")


async def _apply(address: str, settings: Settings, *, dry_run: bool) -> Deleted:
    with errors_in_words():
        async with create_pool(address, max_size=1) as pool:
            total = Deleted()
            for each in retentions(pool, settings):
                total += await (each.due() if dry_run else each.forget_all())
            return total


def _kept(settings: Settings) -> dict[str, tuple[str, str]]:
    """What is deleted by its name in the JSON, and after how long, both in words."""
    answers, jobs = _days(settings.retention.answers_days), _days(settings.retention.jobs_days)
    quality, traces = _days(settings.retention.quality_days), _days(settings.retention.traces_days)
    expired = translated("a day after they expire", "만료 후 1일")
    return {
        "bodies": (
            translated("raw judge replies", "평가 모델의 응답 원문"),
            _days(settings.retention.judge_bodies_days),
        ),
        "events": (
            translated("events before a verdict's last one", "평가마다 마지막 이전의 이벤트"),
            _days(settings.retention.events_days),
        ),
        "answers": (
            translated("answers with all their data", "답변과 그에 딸린 모든 데이터"),
            answers,
        ),
        "partitions": (
            translated("partitions of months that are over", "보관 기간이 끝난 달의 파티션"),
            answers,
        ),
        "traces": (translated("traces", "트레이스"), traces),
        "spans_of_traces": (
            translated("traces whose spans gave no answer", "답변이 되지 않은 스팬의 트레이스"),
            translated("an hour", "1시간"),
        ),
        "alarms": (translated("alarms", "품질 알림"), quality),
        "points": (translated("points of watched series", "품질 감시 시계열의 점"), quality),
        "webhook_deliveries": (
            translated("webhook deliveries", "웹훅 전송 기록"),
            _days(settings.retention.webhook_deliveries_days),
        ),
        "webhook_secrets": (translated("old webhook secrets", "이전 웹훅 비밀 키"), expired),
        "jobs": (translated("jobs that have ended", "끝난 작업"), jobs),
        "judge_batches": (translated("batches that have ended", "끝난 배치"), jobs),
        "judge_batch_lines": (translated("lines of these batches", "끝난 배치의 요청"), jobs),
        "judge_trials": (translated("trials of judges' prompts", "평가 프롬프트 시험"), jobs),
        "sessions": (
            translated("browser sessions and login codes", "브라우저 세션과 로그인 코드"),
            expired,
        ),
        "reader_tokens": (
            translated("reader tokens", "독자 토큰"),
            translated("until they expire", "만료 시까지"),
        ),
    }


def _days(days: int | None) -> str:
    if days is None:
        return translated("forever", "계속")
    return translated(f"{days} days", f"{days}일")
