"""An event as a Slack message (Block Kit), in Korean or English."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import to_json

from app.integrations.webhooks.events import MAX_WAITING, TEXTS, Format, Message
from app.text.language import Lang
from app.verdicts.lifecycle.retry import reason_in_words

_Texts = Mapping[str, Mapping[Lang, str]]

TITLES: _Texts = TEXTS["titles"]
# By who judged and the confidence (of rules, the outcome); "" where the verdict has neither.
VERDICTS: Mapping[str, _Texts] = TEXTS["verdicts"]
METRICS: _Texts = TEXTS["metrics"]
# What the monitor watches, and what may differ since a change.
SERIES: _Texts = TEXTS["series"]
DIMENSIONS: _Texts = TEXTS["dimensions"]
LABELS: _Texts = TEXTS["labels"]

# Slack refuses a section of more than 3,000 characters; escaping makes up to five of one.
_MAX_TEXT = 500


class SlackFormat(Format):
    """Escapes everything that is not ours: no text of an answer mentions a channel or becomes a
    link."""

    def write(self, message: Message) -> bytes:
        title = _title(message)
        said = _LINES[message.event](message) if message.event in _LINES else []
        lines = [f"*{_escaped(title)}*", *said]
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


REFUSALS = {"rightly_refused", "falsely_refused"}


def _title(message: Message) -> str:
    if message.event != "verdict.succeeded":
        return TITLES.get(message.event, {}).get(message.lang, message.event)
    data = message.data
    judged_by = "degraded" if data["degraded"] else data["judged_by"]
    outcome = data.get("outcome")
    by_rules = judged_by not in {"model", "local"}
    found = outcome if by_rules or outcome in REFUSALS else data["confidence"]
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


def _failure(message: Message) -> list[str]:
    data, lang = message.data, message.lang
    about = " · ".join(_escaped(data[key]) for key in ("name", "note_title") if data[key])
    given = {"answers": data["answers"], "first": data["first_seen_at"][:10]}
    lines = [about, LABELS["recurs"][lang].format(**given)]
    if message.event == "failure.reopened":
        releases = {key: _escaped(data[key] or "–") for key in ("mended_in", "reopened_in")}
        lines.append(LABELS["mended"][lang].format(**releases))
    if data["owner"]:
        lines.append(LABELS["owner"][lang].format(_escaped(data["owner"])))
    return lines


def _ending(message: Message) -> list[str]:
    data, lang = message.data, message.lang
    uses = ", ".join(f"{LABELS[use['kind']][lang]} {use['name']}" for use in data["uses"])
    when = LABELS["ends" if data["days"] > 0 else "ended"][lang]
    days = {name: data[name] for name in ("ends_on", "days")}
    return [_escaped(data["model"]), when.format(**days), _escaped(uses)]


def _disabled(message: Message) -> list[str]:
    data = message.data
    return [LABELS[data["reason"]][message.lang].format(name=_escaped(data["name"]))]


_LINES: Mapping[str, Callable[[Message], list[str]]] = {
    "verdict.succeeded": _verdict,
    "verdict.failed": _failed_verdict,
    "judge.paused": _judge,
    "judge.resumed": _judge,
    "backlog.old": _backlog,
    "threshold.crossed": _threshold,
    "quality.changed": _changed,
    "failure.opened": _failure,
    "failure.reopened": _failure,
    "model.ending": _ending,
    "webhook.disabled": _disabled,
}


def _escaped(value: Any) -> str:
    text = " ".join(str(value).split())
    if len(text) > _MAX_TEXT:
        text = text[: _MAX_TEXT - 1] + "…"
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
