"""What every judge of an answer has in common: what it is asked for, and what it gives."""

from functools import lru_cache
from typing import NamedTuple, Protocol

from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.checklists import QualityResult
from app.judges.criteria.criterion import CriterionScore
from app.judges.judge_names import BY_MODEL
from app.judges.phases.run import ALL_PHASES, MODEL_PHASES, FeedbackResult, Phase

# By name: `search_qa`, `quality_gate`, and a phase or a `criterion:NAME@VERSION`, by rules or by
# the judge's model, which has `:model` behind its name then.
Evaluators = tuple[str, ...]


class Judgement(NamedTuple):
    """The result of each evaluator that was asked for and had something to judge by.
    quality_by_rules: rules ticked the checklist, because the model did not. criteria: by the
    model."""

    evaluation: SearchQAEvaluation | None = None
    quality: QualityResult | None = None
    feedback: FeedbackResult | None = None
    quality_by_rules: bool = False
    criteria: tuple[CriterionScore, ...] = ()


class Judge(Protocol):
    """Rules, or a model."""

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Runs the evaluators. Raises ProviderError when a model fails, and LimitExceeded when
        rules take more than they may."""
        ...


@lru_cache(maxsize=256)
def phases_of(evaluators: Evaluators) -> frozenset[Phase]:
    """Those of the four phases that are asked for."""
    names = {name.removesuffix(BY_MODEL) for name in evaluators}
    return frozenset(phase for phase in ALL_PHASES if phase in names)


@lru_cache(maxsize=256)
def phases_by_model(evaluators: Evaluators) -> frozenset[Phase]:
    """Those that the judge's model is to do."""
    return frozenset(phase for phase in MODEL_PHASES if phase + BY_MODEL in evaluators)


def for_checklist(subject: AnswerToJudge, evaluators: Evaluators) -> AnswerToJudge:
    """The answer with the feature whose checklist is ticked. Answers from notes are checked as
    search_qa, whichever feature asked."""
    return subject._replace(feature="search_qa") if "search_qa" in evaluators else subject
