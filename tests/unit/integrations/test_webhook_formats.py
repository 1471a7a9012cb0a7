"""Events as receivers read them."""

import datetime as dt
import json
import re
import uuid
from base64 import b64encode
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from app.integrations.traces.wire import read_json
from app.integrations.webhooks.events import EventName, FailureCode, Message, failure_in_words
from app.integrations.webhooks.formats import FORMATS, FormatName
from cases import for_each

VERDICT: dict[str, Any] = {
    "evaluation_id": "e",
    "confidence": "low",
    "correctness": 0.31,
    "utility": None,
    "claims": {"supported": 1, "partly": 0, "unsupported": 2},
    "judged_by": "model",
    "summary": "a <!channel> & <https://evil|b>",
    "degraded": False,
    "judge_model": "openai:m",
    "error": "permanent: no",
}
FAILURE: dict[str, Any] = {
    "failure_id": "f",
    "name": "refund period · 30 days",
    "note_title": "<b>",
    "owner": "kim",
    "answers": 7,
    "first_seen_at": "2026-01-02T03:04:05+00:00",
    "mended_in": "1.4.2",
    "reopened_in": None,
}
DATA: dict[str, dict[str, Any]] = {
    "verdict.succeeded": VERDICT,
    "verdict.failed": VERDICT,
    "judge.paused": {"judge_model": "openai:m", "code": "invalid_api_key"},
    "judge.resumed": {"judge_model": "openai:m", "code": "x"},
    "backlog.old": {"waiting": 3, "oldest_minutes": 12.4},
    "threshold.crossed": {
        "metric": "high_share",
        "direction": "below",
        "value": 0.5,
        "actual": 0.25,
        "verdicts": 40,
        "day": "2026-01-02",
    },
    "quality.changed": {
        "judge_model": "openai:m",
        "series": "score",
        "began_on": "2026-01-02",
        "noticed_on": "2026-01-05",
        "before": 0.85,
        "after": 0.7,
        "causes": [{"dimension": "answer_model", "value": "a:<b>", "name": None}],
    },
    "failure.opened": FAILURE,
    "failure.reopened": FAILURE,
    "model.ending": {
        "model": "openai:m",
        "ends_on": "2027-01-14",
        "days": 30,
        "uses": [{"kind": "dataset", "name": "<b>"}, {"kind": "policy", "name": "judge_model"}],
    },
    "webhook.disabled": {"name": "<b>", "reason": "gone", "last_error": "gone"},
    "webhook.test": {"webhook_id": "w"},
}


def message(event: str, **changes: Any) -> Message:
    values: dict[str, Any] = {
        "id": uuid.UUID(int=1),
        "event": event,
        "at": dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC),
        "data": DATA[event],
        "content": None,
        "link": "https://qa.example/ui/evaluations/e",
        "lang": "en",
    }
    return Message(**values | changes)


def slack(event: str, **changes: Any) -> str:
    body = json.loads(FORMATS[FormatName.SLACK].write(message(event, **changes)))
    assert body["blocks"][0]["text"]["verbatim"] is True
    return str(body["blocks"][0]["text"]["text"])


def test_every_event_has_an_example_here():
    assert set(DATA) == {*EventName, "webhook.test"}


def test_json_is_type_timestamp_and_data():
    body = FORMATS[FormatName.JSON].write(message("backlog.old"))

    assert json.loads(body) == {
        "type": "backlog.old",
        "timestamp": "2026-01-02T03:04:05.000Z",
        "version": 1,
        "data": DATA["backlog.old"] | {"link": "https://qa.example/ui/evaluations/e"},
    }


@for_each("event", DATA)
@for_each("lang", ["ko", "en"])
def test_slack_says_every_event_in_the_language_of_the_webhook(event, lang):
    text = slack(event, lang=lang)

    assert bool(re.search("[가-힣]", text)) is (lang == "ko")
    assert len(text) < 3_000


def test_slack_shows_nothing_of_others_as_markup():
    text = slack("verdict.succeeded", content={"question": "<!here> <@U1>" * 200})

    assert text.startswith("*Low confidence*")
    assert "correctness 0.31" in text
    assert "unsupported claims: 2" in text
    assert re.findall("<[^>]*>", text) == ["<https://qa.example/ui/evaluations/e|Open the verdict>"]
    assert len(text) < 3_000


def test_slack_says_whose_verdict_it_is():
    by_rules = VERDICT | {"judged_by": "rules", "confidence": "medium", "outcome": "undecided"}

    text = slack("verdict.succeeded", data=by_rules)
    assert "Rules cannot tell" in text
    assert "correctness" not in text
    degraded = by_rules | {"degraded": True}
    assert "Model failed" in slack("verdict.succeeded", data=degraded)


def test_slack_says_what_has_changed():
    text = slack("quality.changed", link="https://qa.example/ui/quality")
    judge, sentence, differs, link = text.splitlines()[1:]
    assert judge == "openai:m"
    assert sentence.startswith("mean correctness: from 0.850 to 0.700 since 2026-01")
    assert differs == "What differs most: answering model a:&lt;b&gt;"
    assert link == "<https://qa.example/ui/quality|Open SearchQA>"
    alike = DATA["quality.changed"] | {"causes": []}
    assert "두드러진 것 없음" in slack("quality.changed", data=alike, lang="ko")


def test_slack_says_what_came_back():
    about, count, mended, owner, _ = slack("failure.reopened").splitlines()[1:]
    assert about == "refund period · 30 days · &lt;b&gt;"
    assert (count, owner) == ("7 answers since 2026-01-02.", "Owner: kim")
    assert mended == "Mended in 1.4.2, seen again in –."
    assert "Mended" not in slack("failure.opened", data=FAILURE | {"owner": None})


def test_slack_says_that_a_long_backlog_is_longer_than_counted():
    assert "10,000+ answers wait" in slack(
        "backlog.old", data={"waiting": 10_000, "oldest_minutes": 12.4}
    )


def test_slack_refuses_with_200():
    format_ = FORMATS[FormatName.SLACK]

    assert format_.accepted("ok")
    assert not format_.accepted("invalid_payload")
    assert not format_.accepted("")
    assert FORMATS[FormatName.JSON].accepted('{"error": true}')


class TestOtlp:
    def read(self, event: str, **changes: Any) -> Span:
        """As a collector does."""
        body = FORMATS[FormatName.OTLP].write(message(event, **changes))
        (span,) = read_json(body)
        request = json.loads(body)
        (stored,) = request["resourceSpans"][0]["scopeSpans"][0]["spans"]
        assert (span.trace_id, span.span_id) == (stored["traceId"], stored["spanId"])
        for name in ("traceId", "spanId", "parentSpanId"):
            if name in stored:
                stored[name] = b64encode(bytes.fromhex(stored[name])).decode()
        return ParseDict(stored, Span())

    def test_a_verdict_hangs_below_the_span_of_its_answer(self):
        span = self.read("verdict.succeeded", traceparent=f"00-{'a' * 32}-{'b' * 16}-01")

        assert (span.trace_id.hex(), span.parent_span_id.hex()) == ("a" * 32, "b" * 16)
        events = [
            {pair.key: pair.value for pair in event.attributes}
            for event in span.events
            if event.name == "gen_ai.evaluation.result"
        ]
        assert [each["gen_ai.evaluation.name"].string_value for each in events] == [
            "correctness",
            "confidence",
        ]
        assert events[0]["gen_ai.evaluation.score.value"].double_value == 0.31
        assert events[1]["gen_ai.evaluation.score.label"].string_value == "low"
        assert span.status.code == 1
        assert span.start_time_unix_nano == span.end_time_unix_nano == 1_767_323_045 * 10**9

    def test_a_delivery_that_is_repeated_has_the_same_ids(self):
        assert self.read("verdict.failed") == self.read("verdict.failed")

    @pytest.mark.parametrize("event", DATA)
    def test_every_event_is_a_span(self, event):
        assert self.read(event).name == f"searchqa {event}"


@pytest.mark.parametrize("code", FailureCode)
def test_every_failure_has_a_sentence_in_both_languages(code):
    assert failure_in_words(code, "en") != failure_in_words(code, "ko")
