"""From a lease to its outcome, with a scripted model."""

import asyncio
import json
import re
import threading
import uuid
from collections.abc import Mapping
from decimal import Decimal

import pytest

from app.ai_router.quality_gate import QualityGate
from app.ai_router.search_qa_evaluator import SearchQAEvaluation, SearchQAEvaluator
from app.ai_router.types import ChatRequest, ChatResponse
from app.judges.answer import AnswerToJudge, Note
from app.judges.answer_parts import answer_parts
from app.judges.judge import Judgement
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    PermanentProviderError,
    SetupError,
    TransientProviderError,
)
from app.platform.processes.forker import Forker
from app.platform.processes.pool import BoundedProcesses
from app.verdicts.judging.context import JudgingContext, call_limit, count_verdict_calls
from app.verdicts.judging.judging import Judging
from app.verdicts.judging.reply_cache import CUT_OFF
from app.verdicts.judging.rules_judge import RulesJudge
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Release, Retry, Verdict
from cases import TIMEOUT_SECONDS, for_each
from judge_replies import CORRECTNESS, good_reply
from scripted_router import PAID, Respond, ScriptedRouter
from verdict_world import settings

EVALUATION = {
    "grounding_issues": [],
    "source_coverage": [
        {"note_index": 1, "cited": True, "relevant_claim": "95도", "quote": "변성은 95도"}
    ],
    "summary": "근거 있음",
    "correctness": 0.9,
    "utility": 0.8,
}


def good(request: ChatRequest) -> str:
    return good_reply(
        {
            "response_format": {"json_schema": {"name": request.output.name}},
            "messages": [{"content": message.content} for message in request.messages],
        }
    )


def asks_for(name: str, request: ChatRequest) -> bool:
    return request.output is not None and request.output.name == name


class Bench:
    """A Judging with everything around it in memory."""

    def __init__(self, reply: Respond | Exception = good, **changes: object) -> None:
        respond = (lambda _: reply) if isinstance(reply, Exception) else reply
        self.router = ScriptedRouter(respond=respond, like=PAID)
        self.stashed: list[StoredCall] = []
        self.stored: Mapping[str, ChatResponse] = {}
        self.judging = Judging(
            JudgingContext(
                settings(**changes),
                router_for=lambda _: self.router,
                save_reply=self._save_replies,
                load_replies=self._stored,
            )
        )

    async def _save_replies(self, call: StoredCall) -> None:
        self.stashed.append(call)

    async def _stored(self, lease: Lease) -> Mapping[str, ChatResponse]:
        return self.stored

    async def judge(self, **changes: object) -> Outcome:
        return await self.judging.judge(lease(**changes))


def lease(**changes: object) -> Lease:
    values = {
        "id": uuid.UUID(int=1),
        "workspace_id": uuid.UUID(int=2),
        "attempt": 1,
        "tries": 0,
        "judge_model": "openai:scripted",
        # One call for the verdict with its checklist, and one for the claims.
        "evaluators": ("quality_gate", "search_qa", "groundedness:model"),
        "subject": AnswerToJudge(
            "변성 온도는?",
            "변성은 95도에서 합니다. [노트 1]",
            (Note("PCR", "변성은 95도에서 30초 동안 한다."),),
        ),
    }
    return Lease(**values | changes)


async def test_a_model_judges_and_its_replies_are_stored_with_their_cost():
    bench = Bench()

    outcome = await bench.judge()

    assert isinstance(outcome, Verdict)
    assert outcome.evaluation.correctness == CORRECTNESS
    assert outcome.quality.passed
    assert outcome.usage.cost_usd == Decimal("0.002")
    assert outcome.usage.prompt_tokens == 20
    assert outcome.degraded_because is None
    assert len(bench.stashed) == len(bench.router.asked) == 2


async def test_a_reply_stored_by_a_dead_attempt_is_not_paid_for_again():
    first = Bench()
    await first.judge()
    second = Bench(TransientProviderError("must not be asked"))
    second.stored = {
        call.request_hash: call.response for call in first.stashed if call.response is not None
    }

    outcome = await second.judge(attempt=2)

    assert isinstance(outcome, Verdict)
    assert second.router.asked == []
    assert outcome.usage.cost_usd == Decimal("0.002")


async def test_garbage_is_asked_for_once_more_and_then_tried_later():
    bench = Bench(lambda _: "no json here")

    outcome = await bench.judge(evaluators=("search_qa",))

    assert isinstance(outcome, Retry)
    assert "malformed" in outcome.error
    assert len(bench.router.asked) == 2


async def test_only_replies_of_no_use_are_discarded():
    def reply(request: ChatRequest) -> str:
        return good(request) if asks_for("claims", request) else "no json here"

    bench = Bench(reply)

    outcome = await bench.judge()

    assert isinstance(outcome, Retry)
    kept = [
        call.request_hash for call in bench.stashed if call.request_hash not in outcome.discards
    ]
    assert len(outcome.discards) == 2
    assert len(kept) == 1


async def test_a_checklist_that_cannot_be_read_does_not_hold_the_verdict_back():
    """The published evaluators ask apart, so each of them fails or succeeds alone."""
    router = ScriptedRouter(
        respond=lambda asked: (
            "no ticks" if asks_for("quality_check", asked) else json.dumps(EVALUATION)
        )
    )
    answer = lease().subject

    checked, judged = await asyncio.gather(
        QualityGate(router).evaluate("search_qa", answer.question, answer.answer),
        SearchQAEvaluator(router).evaluate(
            answer.question, answer.contents, answer.titles, answer.answer
        ),
        return_exceptions=True,
    )

    assert isinstance(checked, MalformedOutput)
    assert isinstance(judged, SearchQAEvaluation)
    assert judged.correctness == 0.9


async def hang(_: ChatRequest) -> str:
    await asyncio.Event().wait()
    raise AssertionError


@pytest.mark.parametrize(
    ("claims", "changes", "said"),
    [
        (lambda _: PermanentProviderError("content filter"), {}, "content filter"),
        (lambda _: TransientProviderError("busy", status=429), {}, "busy"),
        (hang, {"judge_deadline": 0.5, "max_attempts": 1}, "longer than"),
    ],
)
async def test_claims_refused_or_late_do_not_cost_the_verdict(claims, changes, said):
    bench = Bench(lambda asked: (claims if asks_for("claims", asked) else good)(asked), **changes)

    outcome = await bench.judge(tries=0 if changes else 4)

    assert isinstance(outcome, Verdict)
    assert (outcome.provider, outcome.degraded_because) == ("openai", None)
    assert said in outcome.feedback.fallbacks["groundedness"]


async def test_a_bad_request_to_a_judge_that_works_blames_the_request():
    bench = Bench(judge_fallback="failed")
    await bench.judge()
    bench.router.respond = lambda _: ConfigurationError("prompt is too long", status=400)

    assert isinstance(await bench.judge(), Failure)


async def test_rules_take_no_more_claims_than_cores_and_give_back_the_others(monkeypatch):
    monkeypatch.setattr(RulesJudge.judge_soon, "__defaults__", (0.02,))
    lane = BoundedProcesses(Forker(), 1)
    monkeypatch.setattr(lane, "_has_forked", True)
    monkeypatch.setattr("app.verdicts.judging.rules_judge.quick_lane", lambda: lane)
    monkeypatch.setattr("app.verdicts.judging.judging.quick_lane", lambda: lane)
    entered, leave = threading.Event(), threading.Event()

    def slow(*_: object) -> tuple[Judgement, float]:
        entered.set()
        leave.wait(TIMEOUT_SECONDS)
        return Judgement(), 1.0

    monkeypatch.setattr(lane, "_call", slow)
    bench = Bench()
    by_rules = {"judge_model": "offline:rules", "evaluators": ("search_qa",)}
    first = asyncio.create_task(bench.judge(**by_rules))
    await asyncio.to_thread(entered.wait, 60)

    second = await bench.judge(**by_rules)
    leave.set()

    assert second == Release()
    assert isinstance(await first, Verdict)
    lane.close()


async def test_a_failed_call_is_stored_with_its_error():
    bench = Bench(TransientProviderError("busy", status=503))

    await bench.judge(evaluators=("search_qa",))

    assert bench.stashed[0].error == "transient: busy"
    assert bench.stashed[0].response is None


async def test_a_reply_without_text_is_stored_with_its_cost_but_not_reused():
    empty = ChatResponse("", "openai", "scripted", 10, 99, Decimal("0.003"), 1.0, '{"choices": []}')
    bench = Bench(MalformedOutput("no text", reply=empty))

    await bench.judge(evaluators=("search_qa",))

    row = bench.stashed[0].row()
    assert (row["content"], row["body"]) == (None, '{"choices": []}')
    assert (row["completion_tokens"], row["cost_usd"]) == (99, "0.003")


@for_each(
    ("error", "expected"),
    [
        (TransientProviderError("busy", status=500), Retry),
        (ConfigurationError("wrong key", status=401), Pause),
        (SetupError("OPENAI_API_KEY is not set."), Pause),
    ],
)
async def test_failures_are_sorted_by_type(error, expected):
    assert isinstance(await Bench(error).judge(), expected)


@pytest.mark.parametrize("error", [PermanentProviderError("too long", status=413),
                                   TransientProviderError("busy", status=500)])  # fmt: skip
async def test_when_the_model_cannot_rules_stand_in_and_say_so(error):
    outcome = await Bench(error, max_attempts=3).judge(tries=2)

    assert isinstance(outcome, Verdict)
    assert outcome.provider == "offline"
    assert outcome.degraded_because is not None
    assert str(error) in outcome.degraded_because


async def test_the_policy_may_want_a_failure_instead():
    outcome = await Bench(
        PermanentProviderError("too long", status=413), judge_fallback="failed"
    ).judge()

    assert outcome == Failure("permanent: too long")


async def test_a_judge_that_hangs_is_cut_off_at_the_deadline():
    bench = Bench(hang, judge_deadline=0.02)

    outcome = await bench.judge()

    assert isinstance(outcome, Retry)
    assert "longer than 0.02 s" in outcome.error
    assert [call.error for call in bench.stashed] == [CUT_OFF, CUT_OFF], "every call is on record"


async def test_our_own_bug_is_stored_and_logged(caplog):
    outcome = await Bench(ZeroDivisionError()).judge(evaluators=("search_qa",))

    assert isinstance(outcome, Failure)
    assert "ZeroDivisionError" in outcome.error
    assert "Traceback" in caplog.text


async def test_a_reply_of_no_use_is_part_of_the_cost():
    paid = ChatResponse("{", "openai", "scripted", 10, 5, Decimal("0.001"), 1.0, "{}")
    errors = [MalformedOutput("cut off", reply=paid)]
    bench = Bench(lambda asked: errors.pop() if errors else good(asked))

    outcome = await bench.judge(evaluators=("search_qa",))

    assert isinstance(outcome, Verdict)
    assert outcome.usage.cost_usd == Decimal("0.002")


def test_a_long_answer_may_take_the_calls_of_its_parts():
    """The bound is always above an undisturbed verdict."""
    evaluators = ("quality_gate", "search_qa")
    text = "배양기는 37도로 맞춘다. " * 2_500
    short = lease(evaluators=evaluators)
    long = lease(evaluators=evaluators, subject=AnswerToJudge("?", text))
    parts = len(answer_parts(long.subject.answer))

    assert parts > 2
    calls = count_verdict_calls(long)
    assert calls == count_verdict_calls(short) + parts - 1
    assert call_limit(settings(), short, count_verdict_calls(short)) == 6
    assert call_limit(settings(), long, calls) == 2 * calls
    assert call_limit(settings(max_calls_per_answer=1), long, calls) == calls


def no_end(*_: object) -> None:
    """In the place of the phases by rules."""
    re.match(r"(a+)+$", "a" * 64 + "b")


async def test_phases_that_hang_do_not_cost_the_verdict_of_the_model(monkeypatch):
    monkeypatch.setattr("app.judges.phases.run.run_phases", no_end)
    refused = PermanentProviderError("content filter")
    bench = Bench(
        lambda asked: refused if asks_for("claims", asked) else good(asked), rules_time_limit=0.5
    )

    outcome = await bench.judge(evaluators=("search_qa", "groundedness:model"))

    assert isinstance(outcome, Verdict)
    assert outcome.evaluation.correctness == CORRECTNESS
    assert outcome.evaluation.flags == ["phases_ended:took longer than 0.5 s"]
    assert outcome.feedback is None
    assert len(bench.router.asked) == 2


async def test_rules_that_hang_fail_their_row_for_good(monkeypatch):
    """Also where they stand in for a model that failed."""
    monkeypatch.setattr("app.verdicts.judging.rules_verdict.time_judge_by_rules", no_end)
    bench = Bench(TransientProviderError("busy"), max_attempts=1, rules_time_limit=0.5)

    for judge in ("offline:rules", "openai:scripted"):
        outcome = await bench.judge(judge_model=judge, evaluators=("search_qa",))
        assert isinstance(outcome, Failure)
        assert outcome.error.startswith("Judging by rules took longer than 0.5 s; ")
