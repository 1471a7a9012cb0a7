"""Detectors as the judges of answers: who may name them, and what becomes of a lease."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from test_judging import lease
from test_local_detectors import RIGHT, WORDS, WRONG, answer_to_judge

from app.ai_router.estimate import CallsEstimate, PricedModel, Tokens
from app.ai_router.router import Providers
from app.ai_router.types import ChatResponse
from app.cli.checks import Finding as DoctorFinding
from app.cli.checks import State, models
from app.judges.judge_names import check_judge, prompted_judge
from app.judges.local import judge as local_judge_module
from app.judges.local.detector import Draft, Finding, draft_of
from app.judges.local.judge import LOCAL_VERSION, LocalJudge
from app.judges.rules.judge import RULES_VERSION
from app.platform.errors import ConfigurationError, PermanentProviderError
from app.verdicts.judging.context import JudgingContext
from app.verdicts.judging.judging import Judging
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Retry, Usage, Verdict
from app.verdicts.lifecycle.retry import UNUSABLE_FOLDER
from app.verdicts.policy.evaluation_policy import prompt_version
from app.verdicts.policy.judge_prices import JudgePrices
from cases import TIMEOUT_SECONDS, for_each
from tiny_models import pair_classifier
from verdict_world import settings

ALL = ("quality_gate", "search_qa", "citation", "completeness", "groundedness:model", "next_steps")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return pair_classifier(tmp_path / "model", WORDS)


def judging(**changes: object) -> Judging:
    def no_router(model: str) -> Any:
        raise AssertionError(f"{model} was asked")

    async def saved(_: object) -> None:
        raise AssertionError("no call is made")

    async def stored(_: Lease) -> Mapping[str, ChatResponse]:
        raise AssertionError("no call is made")

    context = JudgingContext(
        settings(**changes), router_for=no_router, save_reply=saved, load_replies=stored
    )
    return Judging(context)


async def judged(folder: Path, answer: str = RIGHT, **changes: object) -> Outcome:
    model = f"local:{folder}"
    given = {"judge_model": model, "evaluators": ALL, "subject": answer_to_judge(answer)} | changes
    return await judging(judge_model=model).judge(lease(**given))


class TestALease:
    async def test_the_detector_gives_the_verdict_and_rules_the_rest(self, folder):
        outcome = await judged(folder, f"{RIGHT} {WRONG}")

        assert isinstance(outcome, Verdict)
        assert (outcome.provider, outcome.model) == ("local", str(folder))
        assert (outcome.prompt_version, outcome.usage) == (LOCAL_VERSION, Usage())
        assert outcome.degraded_because is None
        assert outcome.evaluation.confidence != "high"
        assert outcome.quality
        assert outcome.quality_by_rules
        right, wrong = outcome.feedback.phase3.claims
        assert (right.verdict, wrong.verdict) == ("supported", "unsupported")
        assert wrong.start == len(RIGHT) + 1
        assert outcome.feedback.sources == {
            "citation": "rules",
            "completeness": "rules",
            "groundedness": "judge",
            "next_steps": "rules",
        }

    async def test_only_what_is_asked_for_is_done(self, folder):
        alone = await judged(folder, evaluators=("search_qa",))
        assert isinstance(alone, Verdict)
        assert alone.evaluation
        assert (alone.quality, alone.feedback, alone.quality_by_rules) == (None, None, False)
        with_claims = await judged(folder, evaluators=("search_qa", "groundedness"))
        assert isinstance(with_claims, Verdict)
        assert with_claims.feedback.sources == {"groundedness": "judge"}

    async def test_a_checklist_alone_is_ticked_by_rules(self, folder):
        outcome = await judged(folder, evaluators=("quality_gate",))
        assert isinstance(outcome, Verdict)
        assert outcome.evaluation is None
        assert outcome.quality_by_rules
        assert outcome.prompt_version == RULES_VERSION

    async def test_a_mended_folder_is_read_again(self, folder):
        config = (folder / "config.json").read_text()
        (folder / "config.json").unlink()
        assert isinstance(await judged(folder), Pause)
        (folder / "config.json").write_text(config)
        assert isinstance(await judged(folder), Verdict)

    async def test_a_folder_that_the_settings_do_not_name_is_not_read(self, folder):
        model = f"local:{folder}"
        outcome = await judging().judge(lease(judge_model=model, subject=answer_to_judge(RIGHT)))
        assert outcome == Pause(UNUSABLE_FOLDER)

    async def test_a_run_that_takes_too_long_is_retried(self, folder, monkeypatch):
        detector = Scripted()
        detector.go_on.clear()
        monkeypatch.setattr(local_judge_module, "load_detector", detector.load)
        model = f"local:{folder}"
        judge = judging(judge_model=model, judge_deadline=0.05)
        try:
            outcome = await judge.judge(lease(judge_model=model, subject=answer_to_judge(RIGHT)))
        finally:
            detector.go_on.set()
        assert isinstance(outcome, Retry)
        assert "took more than 0.05 s" in outcome.error

    async def test_an_answer_that_it_fails_on_is_the_next_judges(self, folder, monkeypatch):
        monkeypatch.setattr(local_judge_module, "load_detector", Scripted().load)
        outcome = await judged(folder, POISON, judge_fallback="failed")
        assert isinstance(outcome, Failure)
        by_rules = await judged(folder, POISON, judge_fallback="rules")
        assert isinstance(by_rules, Verdict)
        assert by_rules.provider == "offline"
        assert by_rules.degraded_because


POISON = "Poison is kept here."


class Scripted:
    """A detector that finds nothing, and fails where a text is poison; `runs` are its batches."""

    def __init__(self) -> None:
        self.runs: list[int] = []
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def load(self, path: str, *, threads: int) -> "Scripted":
        return self

    def detect(self, drafts: Sequence[Draft]) -> list[list[Finding]]:
        self.runs.append(len(drafts))
        self.begun.set()
        assert self.go_on.wait(TIMEOUT_SECONDS)
        if any(draft.answer == POISON for draft in drafts):
            raise PermanentProviderError("it failed on an input.")
        return [[] for _ in drafts]


class TestAnswersThatWaitTogether:
    async def results(
        self, detector: Scripted, monkeypatch: pytest.MonkeyPatch, *answers: str
    ) -> list[object]:
        """Of the answers, which come while another is being read."""
        monkeypatch.setattr(local_judge_module, "load_detector", detector.load)
        judge = LocalJudge("anywhere", threads=1)
        detector.go_on.clear()
        first = asyncio.create_task(judge.findings(draft_of(answer_to_judge(RIGHT))))
        await asyncio.to_thread(detector.begun.wait, 30)
        others = [
            asyncio.create_task(judge.findings(draft_of(answer_to_judge(one)))) for one in answers
        ]
        await asyncio.sleep(0)  # each of them is in line
        detector.go_on.set()
        assert await first == []
        found = await asyncio.gather(*others, return_exceptions=True)
        judge.close()
        return list(found)

    async def test_they_are_read_in_one_run(self, monkeypatch):
        detector = Scripted()
        assert await self.results(detector, monkeypatch, *[RIGHT] * 9) == [[]] * 9
        assert detector.runs == [1, 8, 1]

    async def test_one_does_not_fail_the_others(self, monkeypatch):
        detector = Scripted()
        first, poison, last = await self.results(detector, monkeypatch, RIGHT, POISON, WRONG)
        assert first == last == []
        assert isinstance(poison, PermanentProviderError)


class TestNames:
    def test_a_folder_of_the_settings_may_judge(self, folder):
        model = f"local:{folder}"
        for given in (settings(judge_model=model), settings(local_judges=f"other, {folder}")):
            assert check_judge(model, given) == ("local", str(folder))

    @for_each("name", ["/etc", "../model", "~/model", "model/", "model/../model"])
    def test_no_other_folder_is_read(self, name):
        with pytest.raises(ConfigurationError, match="SEARCHQA_LOCAL_JUDGES") as refused:
            check_judge(f"local:{name}", settings(local_judges="model"))
        assert "There is no folder" not in str(refused.value)

    def test_a_missing_folder_is_named(self):
        with pytest.raises(ConfigurationError, match="There is no folder model"):
            check_judge("local:model", settings(local_judges="model"))

    def test_it_writes_no_answers(self, folder):
        with pytest.raises(ConfigurationError, match="write no text"):
            Providers(settings(answer_model=f"local:{folder}")).check(f"local:{folder}")

    def test_rules_score_runs_in_its_place(self):
        assert prompted_judge("local:model") == "offline:rules"
        assert prompted_judge("openai:gpt-4o") == "openai:gpt-4o"

    def test_it_takes_no_calls_and_no_money(self):
        priced = PricedModel.from_name("local:model", settings())
        assert priced.estimate(Tokens(100, 10), 5) == CallsEstimate()
        prices = JudgePrices(settings())
        assert prices.known("local:model")
        assert prices.estimate(["local:model"], ALL, 1000) == Decimal(0)

    def test_its_version_names_the_verdict(self):
        assert prompt_version("local:model", ALL) == LOCAL_VERSION
        assert prompt_version("local:model", ("quality_gate",)) == RULES_VERSION


def test_doctor_says_what_each_folder_lacks(folder):
    given = settings(judge_model=f"local:{folder}", local_judges="nowhere")
    found: dict[str, DoctorFinding] = {one.about: one for one in models(given)}
    assert found["Judge model"].state is State.OK
    assert found["Local judge"].state is State.BROKEN
    assert found["Local judge"].detail == "There is no folder nowhere"
