"""An event as a Slack message (Block Kit), in Korean or English."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import to_json

from app.integrations.webhooks.events import MAX_WAITING, Message
from app.text.language import Lang
from app.verdicts.lifecycle.retry import reason_in_words

_Words = Mapping[Lang, str]

TITLES: Mapping[str, _Words] = {
    "verdict.failed": {"en": "Judging an answer failed", "ko": "답변 평가 실패"},
    "judge.paused": {"en": "A judge is paused", "ko": "평가 모델이 멈췄습니다"},
    "judge.resumed": {"en": "A judge works again", "ko": "평가 모델이 다시 동작합니다"},
    "backlog.old": {"en": "Answers wait too long for a verdict", "ko": "평가가 밀리고 있습니다"},
    "threshold.crossed": {"en": "A daily threshold is crossed", "ko": "하루 임계값을 넘었습니다"},
    "quality.changed": {"en": "Quality has changed", "ko": "품질이 달라졌습니다"},
    "webhook.disabled": {"en": "A webhook was switched off", "ko": "웹훅이 꺼졌습니다"},
    "webhook.test": {
        "en": "A test from SearchQA: this webhook works",
        "ko": "SearchQA 테스트: 웹훅이 잘 동작합니다",
    },
}

# By who judged and how sure the verdict is; "" where it has neither.
VERDICTS: Mapping[str, Mapping[str, _Words]] = {
    "model": {
        "high": {"en": "High confidence", "ko": "높은 신뢰도"},
        "medium": {"en": "Medium confidence", "ko": "보통 신뢰도"},
        "low": {"en": "Low confidence", "ko": "낮은 신뢰도"},
        "": {"en": "Judged", "ko": "평가 완료"},
    },
    "local": {
        "high": {"en": "Local model: supported", "ko": "로컬 모델: 근거 있음"},
        "medium": {"en": "Local model: check some parts", "ko": "로컬 모델: 일부 확인 필요"},
        "low": {"en": "Local model: weakly supported", "ko": "로컬 모델: 근거 부족"},
        "": {"en": "Judged by a local model", "ko": "로컬 모델 평가"},
    },
    # By their outcome.
    "rules": {
        "matches": {"en": "Matches the notes", "ko": "노트와 일치"},
        "mismatch": {"en": "Differs from the notes", "ko": "노트와 어긋남"},
        "undecided": {"en": "Rules cannot tell", "ko": "규칙으로는 판단할 수 없음"},
        "rightly_refused": {
            "en": "Rightly says it is not in the notes",
            "ko": "노트에 없다고 바르게 답함",
        },
        "": {"en": "Rules check", "ko": "규칙 평가"},
    },
    "degraded": {
        "matches": {
            "en": "Model failed · rules: matches the notes",
            "ko": "모델 평가 실패 · 규칙으로는 노트와 일치",
        },
        "mismatch": {
            "en": "Model failed · rules: differs from the notes",
            "ko": "모델 평가 실패 · 규칙으로는 노트와 어긋남",
        },
        "undecided": {
            "en": "Model failed · rules cannot tell",
            "ko": "모델 평가 실패 · 규칙으로는 판단할 수 없음",
        },
        "rightly_refused": {
            "en": "Model failed · rules: rightly says it is not in the notes",
            "ko": "모델 평가 실패 · 노트에 없다고 바르게 답함",
        },
        "": {"en": "Model failed · rules judged", "ko": "모델 평가 실패 · 규칙 평가"},
    },
}

METRICS: Mapping[str, _Words] = {
    "high_share": {"en": "share of high confidence", "ko": "높은 신뢰도 비율"},
    "low_share": {"en": "share of low confidence", "ko": "낮은 신뢰도 비율"},
    "unsupported_share": {
        "en": "share with unsupported claims",
        "ko": "근거 없는 주장이 있는 비율",
    },
    "failed_share": {"en": "share of failed verdicts", "ko": "평가 실패 비율"},
    "cost_usd": {"en": "cost of judging in US dollars", "ko": "평가 비용(달러)"},
}

# What the monitor watches, and what may differ since a change; the command line says it alike.
SERIES: Mapping[str, _Words] = {
    "score": {"en": "mean correctness", "ko": "평균 정확성"},
    "corrected": {
        "en": "mean correctness, corrected by labels",
        "ko": "라벨로 바로잡은 평균 정확성",
    },
    "coverage": {"en": "share scored by the judge", "ko": "평가 모델이 점수를 매긴 비율"},
    "unjudged": {"en": "share not judged", "ko": "평가되지 않은 비율"},
}
DIMENSIONS: Mapping[str, _Words] = {
    "answer_model": {"en": "answering model", "ko": "답변 모델"},
    "notebook": {"en": "notebook", "ko": "노트북"},
    "prompt_version": {"en": "judge's prompt", "ko": "평가 프롬프트"},
    "lang": {"en": "language", "ko": "언어"},
    "feature": {"en": "feature", "ko": "기능"},
    "reason": {"en": "reason", "ko": "이유"},
    "misquoted_note": {"en": "misquoted note", "ko": "잘못 인용된 노트"},
}

LABELS: Mapping[str, _Words] = {
    "correctness": {"en": "correctness", "ko": "정확성"},
    "utility": {"en": "utility", "ko": "유용성"},
    "unsupported": {"en": "unsupported claims: {}", "ko": "근거 없는 주장 {}개"},
    "question": {"en": "Question", "ko": "질문"},
    "open": {"en": "Open the verdict", "ko": "평가 보기"},
    "open_page": {"en": "Open SearchQA", "ko": "SearchQA 열기"},
    "backlog": {
        "en": "{waiting} answers wait; the oldest has waited {minutes} minutes.",
        "ko": "답변 {waiting}개가 기다리고 있으며, 가장 오래된 것은 {minutes}분째입니다.",
    },
    "above": {
        "en": "{metric}: {actual}, above {value} ({verdicts} verdicts on {day}).",
        "ko": "{metric}: {actual} (기준 {value} 초과, {day} 평가 {verdicts}건)",
    },
    "below": {
        "en": "{metric}: {actual}, below {value} ({verdicts} verdicts on {day}).",
        "ko": "{metric}: {actual} (기준 {value} 미만, {day} 평가 {verdicts}건)",
    },
    "changed": {
        "en": "{series}: from {before} to {after} since {began_on}, noticed on {noticed_on}.",
        "ko": "{series}: {began_on}부터 {before}에서 {after}로 바뀜 ({noticed_on}에 감지)",
    },
    "differs": {"en": "What differs most: {}", "ko": "가장 달라진 것: {}"},
    "nothing": {"en": "nothing in particular", "ko": "두드러진 것 없음"},
    "gone": {
        "en": "{name}: its receiver answered 410 Gone.",
        "ko": "{name}: 받는 서버가 410(Gone)으로 응답했습니다.",
    },
    "failing": {
        "en": "{name}: its receiver has taken nothing for days.",
        "ko": "{name}: 받는 서버가 여러 날 아무것도 받지 않았습니다.",
    },
}

# Slack refuses a section of more than 3,000 characters; escaping makes up to five of one.
_MAX_TEXT = 500


class SlackFormat:
    """Everything that is not ours is escaped: no text of an answer mentions a channel or becomes a
    link."""

    def write(self, message: Message) -> bytes:
        title = _title(message)
        lines = [f"*{_escaped(title)}*", *_LINES.get(message.event, _nothing)(message)]
        if message.link is not None:
            which = "open" if "evaluation_id" in message.data else "open_page"
            lines.append(f"<{_escaped(message.link)}|{LABELS[which][message.lang]}>")
        # Verbatim: Slack looks for no names of channels in it.
        text = {"type": "mrkdwn", "text": "\n".join(lines), "verbatim": True}
        section = {"type": "section", "text": text}
        return to_json({"text": _escaped(title), "blocks": [section]})

    def accepted(self, reply: str) -> bool:
        """Slack says `ok`, and anything else is a refusal whatever the status."""
        return reply.strip() == "ok"


def _title(message: Message) -> str:
    if message.event != "verdict.succeeded":
        return TITLES.get(message.event, {}).get(message.lang, message.event)
    data = message.data
    judged_by = "degraded" if data["degraded"] else data["judged_by"]
    found = data["confidence"] if judged_by in {"model", "local"} else data.get("outcome")
    return VERDICTS[judged_by][found or ""][message.lang]


def _verdict(message: Message) -> list[str]:
    data, lang = message.data, message.lang
    lines = _question(message)
    if data["summary"]:
        lines.append(_escaped(data["summary"]))
    figures = [
        f"{LABELS[name][lang]} {data[name]:.2f}"
        for name in ("correctness", "utility")
        # Scores of rules are no figures for readers.
        if data[name] is not None and data["judged_by"] != "rules"
    ]
    if data["claims"] and data["claims"]["unsupported"]:
        figures.append(LABELS["unsupported"][lang].format(data["claims"]["unsupported"]))
    return [*lines, " · ".join([*figures, _escaped(data["judge_model"])])]


def _failed_verdict(message: Message) -> list[str]:
    data = message.data
    return [*_question(message), _escaped(data["error"]), _escaped(data["judge_model"])]


def _question(message: Message) -> list[str]:
    if message.content is None:
        return []
    label = LABELS["question"][message.lang]
    return [f"{label}: {_escaped(message.content['question'])}"]


def _judge(message: Message) -> list[str]:
    lines = [_escaped(message.data["judge_model"])]
    if message.event == "judge.paused":
        lines.append(_escaped(reason_in_words(message.data["code"], message.lang)))
    return lines


def _backlog(message: Message) -> list[str]:
    data = message.data
    waiting = f"{data['waiting']:,}{'+' if data['waiting'] >= MAX_WAITING else ''}"
    sentence = LABELS["backlog"][message.lang]
    return [sentence.format(waiting=waiting, minutes=int(data["oldest_minutes"]))]


def _threshold(message: Message) -> list[str]:
    data = message.data
    shown = "{:.2f}".format if data["metric"] == "cost_usd" else "{:.0%}".format
    sentence = LABELS[data["direction"]][message.lang]
    return [
        sentence.format(
            metric=METRICS[data["metric"]][message.lang],
            actual=shown(data["actual"]),
            value=shown(data["value"]),
            verdicts=data["verdicts"],
            day=data["day"],
        )
    ]


def _changed(message: Message) -> list[str]:
    data, lang = message.data, message.lang
    means = {name: f"{data[name]:.3f}" for name in ("before", "after")}
    days = {name: data[name] for name in ("began_on", "noticed_on")}
    sentence = LABELS["changed"][lang].format(series=SERIES[data["series"]][lang], **means, **days)
    causes = [
        f"{DIMENSIONS[cause['dimension']][lang]} {_escaped(cause['name'] or cause['value'])}"
        for cause in data["causes"]
    ]
    differs = ", ".join(causes) or LABELS["nothing"][lang]
    return [_escaped(data["judge_model"]), sentence, LABELS["differs"][lang].format(differs)]


def _disabled(message: Message) -> list[str]:
    data = message.data
    return [LABELS[data["reason"]][message.lang].format(name=_escaped(data["name"]))]


def _nothing(message: Message) -> list[str]:
    return []


_LINES: Mapping[str, Callable[[Message], list[str]]] = {
    "verdict.succeeded": _verdict,
    "verdict.failed": _failed_verdict,
    "judge.paused": _judge,
    "judge.resumed": _judge,
    "backlog.old": _backlog,
    "threshold.crossed": _threshold,
    "quality.changed": _changed,
    "webhook.disabled": _disabled,
}


def _escaped(value: Any) -> str:
    text = " ".join(str(value).split())
    if len(text) > _MAX_TEXT:
        text = text[: _MAX_TEXT - 1] + "…"
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
