"""Webhooks and deliveries as text."""

from rich.text import Text

from app.cli.language import translated, value_title
from app.cli.output import View, console, local_time, one_line
from app.cli.tables import print_rows


def state_of(webhook: View) -> str:
    """One word: on, failing, or why it is off."""
    if webhook["enabled"]:
        return "failing" if webhook["failing_since"] else "on"
    return "off" if webhook["disabled_reason"] is None else f"off: {webhook['disabled_reason']}"


def show_webhook(webhook: View) -> None:
    out = console()
    name = one_line(webhook["name"]).plain
    out.print(Text(f"{name}: {value_title(state_of(webhook))}", "bold"))
    for title, value in _lines(webhook):
        out.print(one_line(f"{title}: {value}"))


def _lines(webhook: View) -> list[tuple[str, str]]:
    lines = [
        ("id", webhook["id"]),
        (translated("url", "주소"), webhook["url"]),
        (translated("format", "형식"), f"{webhook['format']} ({webhook['lang']})"),
        (translated("events", "이벤트"), ", ".join(webhook["events"])),
    ]
    filters = {
        "confidences": translated("only confidence", "신뢰도"),
        "judges": translated("only judges", "평가 모델"),
        "notebook_ids": translated("only notebooks", "노트북"),
        "features": translated("only features", "기능"),
    }
    lines += [
        (title, ", ".join(webhook[field])) for field, title in filters.items() if webhook[field]
    ]
    if "backlog.old" in webhook["events"]:
        minutes = webhook["backlog_minutes"]
        lines.append((translated("backlog after", "밀림 기준"), _minutes(minutes)))
    if webhook["thresholds"]:
        lines.append((translated("thresholds", "임계값"), _thresholds(webhook)))
    yes, no = translated("yes", "예"), translated("no", "아니요")
    lines.append(
        (translated("sends texts", "본문 전송"), yes if webhook["include_content"] else no)
    )
    lines.append((translated("waiting deliveries", "대기 중인 전송"), str(webhook["pending"])))
    times = {
        "delivered_at": translated("last delivered", "마지막 전송"),
        "failing_since": translated("failing since", "실패 시작"),
        "disabled_at": translated("switched off", "꺼진 시각"),
        "previous_secret_until": translated("previous secret until", "이전 비밀 만료"),
    }
    lines += [
        (title, local_time(webhook[field])) for field, title in times.items() if webhook[field]
    ]
    if webhook["last_error"]:
        lines.append((translated("last error", "마지막 오류"), webhook["last_error"]))
    return lines


def _minutes(minutes: int) -> str:
    return translated(f"{minutes} minutes", f"{minutes}분")


def _thresholds(webhook: View) -> str:
    signs = {"above": ">", "below": "<"}
    return ", ".join(
        f"{each['metric']}{signs[each['direction']]}{each['value']:g}"
        for each in webhook["thresholds"]
    )


def show_delivery(delivery: View) -> None:
    """Its state, and each attempt with the beginning of the reply."""
    out = console()
    out.print(Text(f"{delivery['event']}: {value_title(delivery['status'])}", "bold"))
    out.print(f"id: {delivery['id']}")
    if delivery["evaluation_id"]:
        out.print(f"{translated('verdict', '평가')}: {delivery['evaluation_id']}")
    if delivery["next_attempt_at"]:
        at = local_time(delivery["next_attempt_at"])
        out.print(f"{translated('next attempt', '다음 시도')}: {at}")
    if delivery["attempts"]:
        print_rows(
            delivery["attempts"],
            ("time", lambda attempt: local_time(attempt["at"])),
            ("http", lambda attempt: attempt["status"] or "-"),
            ("ms", lambda attempt: f"{attempt['ms']:.0f}"),
            ("result", lambda attempt: attempt["error"] or "ok"),
            ("reply", lambda attempt: attempt["reply"]),
            as_json=False,
            last_folds=True,
        )
