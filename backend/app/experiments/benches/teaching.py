"""Learning from labels, planned and begun: one half of them gives examples for the prompt of a
policy's judge, and a bench has all others judged with and without these."""

import asyncio
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.estimate import CallsEstimate
from app.ai_router.prompts.quoting import as_data, share
from app.experiments.benches.judging import estimate_bench
from app.experiments.benches.labelled import LabelledItem, LabelledItems
from app.experiments.benches.learning import Learning, StoredLearning, teaches
from app.experiments.benches.request import BenchRequest
from app.experiments.benches.service import create_bench, labelled_feedback
from app.experiments.models import JudgeBench
from app.judges.judge_names import takes_prompts
from app.judges.prompt_versions import NewVersion, add_version, parent_of, usable_prompt
from app.judges.prompts.one_call import MAX_EXAMPLES, MAX_EXAMPLES_BYTES, Example
from app.judges.verdict_prompts import DEFAULT_PROMPT, OF_WORKSPACE
from app.platform.errors import Conflict, InvalidRequest
from app.platform.settings import Settings
from app.quality.metrics.ppi import MIN_DEGREES
from app.quality.review.calibrating import guarantee_of
from app.verdicts.policy.document import Number
from app.verdicts.policy.queries import stored
from app.verdicts.policy.service import own_policy, policy_of

# With fewer labels to prove by there is no interval.
MIN_PROVEN = MIN_DEGREES + 1
MIN_LEARNED = 20
MIN_OF_A_KIND = 5
NAME = "learned"
_DRAFT = f"{OF_WORKSPACE}{NAME}@0"
_NOTES_CHARS, _ANSWER_CHARS, _QUESTION_CHARS = 600, 500, 200
_LABELS: dict[float | None, Literal["right", "partly", "wrong"]] = {1.0: "right", 0.0: "wrong"}


class LearningCreate(BaseModel):
    """max_cost_usd: nothing is asked where more is expected. limit: of the labels, drawn by chance.
    dry_run: proves, and leaves the policy as it is."""

    model_config = ConfigDict(extra="forbid")

    max_cost_usd: Annotated[float, Field(gt=0, le=100_000), Number] | None = None
    limit: Annotated[int, Field(ge=MIN_PROVEN + MIN_LEARNED, le=20_000), Number] | None = None
    dry_run: StrictBool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """labelled: what is judged, without the examples."""

    learning: Learning
    bench: BenchRequest
    labelled: LabelledItems
    examples: tuple[Example, ...]
    cost: CallsEstimate


async def plan_learning(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    settings: Settings,
    request: LearningCreate,
    made_by: str,
) -> Plan:
    """Nothing is stored. Raises InvalidRequest with too few labels, for a policy whose judge is not
    alone, and for what a bench refuses; Conflict where it costs more than it may."""
    policy = await policy_of(session, workspace_id, settings)
    own_prompt = own_policy(await session.scalar(stored(workspace_id))).judge_prompt
    if policy.document.cascade or policy.document.jury:
        raise InvalidRequest.worded("learning-needs-one-judge")
    judges = (policy.judge_model,)
    bench = BenchRequest(
        *(NAME, judges, request.limit), labels="drawn", judge_spans=False, criteria=policy.criteria
    )
    labelled = await labelled_feedback(session, workspace_id, bench)
    half = [item for item in labelled.items if teaches(item.ref)]
    _check_enough(half, [item for item in labelled.items if not teaches(item.ref)])
    examples: tuple[Example, ...] = ()
    own = {}
    if takes_prompts(policy.judge_model):
        examples = choose_examples(half)
        version = own_prompt or DEFAULT_PROMPT
        if text := await usable_prompt(session, workspace_id, version, "judge_prompt"):
            own[version] = text
        parent = await parent_of(session, workspace_id, version)
        own[_DRAFT] = parent.prompt(_DRAFT, examples)
    guarantee = await guarantee_of(session, workspace_id, policy)
    learning = Learning(
        judge_model=policy.judge_model,
        prompt=own_prompt,
        candidate=_DRAFT if examples else None,
        examples=len(examples),
        threshold=guarantee and guarantee.threshold,
        learned_on=len(half) - len(examples),
        proven_on=len(labelled.items) - len(half),
        dry_run=request.dry_run,
        estimated_usd=None,
        made_by=made_by,
    )
    judged = _without(labelled, {str(each.answer_id) for each in examples})
    bench = replace(bench, judges=learning.judges).checked(settings, from_feedback=True)
    cost = await asyncio.to_thread(estimate_bench, judged.items, bench, own, settings)
    _check_price(cost, request.max_cost_usd, policy.judge_model)
    price = None if cost.cost_usd is None else float(cost.cost_usd)
    learning = learning.model_copy(update={"estimated_usd": price})
    return Plan(learning, bench, judged, examples, cost)


def _check_enough(learn: Sequence[LabelledItem], prove: Sequence[LabelledItem]) -> None:
    def is_enough(items: Sequence[LabelledItem], least: int) -> bool:
        wrong = sum(item.hallucinated for item in items)
        return len(items) >= least and min(wrong, len(items) - wrong) >= MIN_OF_A_KIND

    if not (is_enough(learn, MIN_LEARNED) and is_enough(prove, MIN_PROVEN)):
        raise InvalidRequest.worded(
            "learning-too-few-labels",
            least_learned=MIN_LEARNED,
            least_proven=MIN_PROVEN,
            of_a_kind=MIN_OF_A_KIND,
            learned=len(learn),
            learned_right=sum(not item.hallucinated for item in learn),
            proven=len(prove),
            proven_right=sum(not item.hallucinated for item in prove),
        )


def _check_price(cost: CallsEstimate, most: float | None, model: str) -> None:
    if most is None:
        return
    if cost.cost_usd is None:
        raise InvalidRequest.worded("learning-unpriced", model=model)
    if cost.cost_usd > most:
        raise Conflict.worded("learning-too-dear", cost=f"{cost.cost_usd:.4f}", most=f"{most:g}")


def choose_examples(items: Sequence[LabelledItem]) -> tuple[Example, ...]:
    """Those whose stored verdict was furthest from what people say, right and not right in turn, as
    far as there is room; none unless there are both."""
    queues = [
        sorted((i for i in items if i.hallucinated is wrong), key=lambda i: (-_gap(i), i.ref))
        for wrong in (True, False)
    ]
    chosen: list[Example] = []
    room = MAX_EXAMPLES_BYTES
    for item in _in_turn(*queues):
        example = _example(item)
        size = len(as_data(example.shown()).encode()) + 1
        if size <= room:
            chosen.append(example)
            room -= size
        if len(chosen) == MAX_EXAMPLES:
            break
    kinds = {example.people == "right" for example in chosen}
    return tuple(chosen) if len(kinds) == 2 else ()


def _in_turn(*queues: list[LabelledItem]) -> Iterator[LabelledItem]:
    """One of each, until one of them ends."""
    for each in zip(*queues, strict=False):
        yield from each


def _gap(item: LabelledItem) -> float:
    return 0.0 if item.stored_score is None else abs(item.stored_score - (item.grade or 0.0))


def _example(item: LabelledItem) -> Example:
    wrong = [item.answer[start:end] for start, end in item.spans or ()]
    return Example(
        answer_id=uuid.UUID(item.ref),
        question=item.question[:_QUESTION_CHARS],
        notes=[note for note in share(item.passages, _NOTES_CHARS) if note],
        answer=item.answer[:_ANSWER_CHARS],
        people=_LABELS.get(item.grade, "partly"),
        wrong_parts=[part[:_QUESTION_CHARS] for part in wrong[:2]],
    )


def _without(labelled: LabelledItems, refs: set[str]) -> LabelledItems:
    """The labels but for these, and what the others stand for."""
    items = [item for item in labelled.items if item.ref not in refs]
    assert labelled.frame, "the answers were drawn"
    frame, places = labelled.frame.of_cells([item.cell for item in items])
    items = [replace(item, cell=places[item.cell]) for item in items]
    return replace(labelled, items=items, frame=frame)


async def begin_learning(session: AsyncSession, workspace_id: uuid.UUID, plan: Plan) -> uuid.UUID:
    """Stores the prompt with examples, and the bench with its jobs, whose last one changes the
    policy if that is better; the caller commits."""
    learning = plan.learning
    if plan.examples:
        new = NewVersion(
            NAME,
            learning.prompt or DEFAULT_PROMPT,
            {},
            "searchqa policy learn",
            learning.made_by,
            plan.examples,
        )
        version = await add_version(session, workspace_id, new)
        learning = learning.model_copy(update={"candidate": version.reference})
    request = replace(plan.bench, judges=learning.judges)
    id_ = await create_bench(session, workspace_id, request, plan.labelled, source="feedback")
    bench = await session.get_one(JudgeBench, id_)
    bench.learning = StoredLearning(**learning.model_dump()).model_dump(mode="json")
    await session.flush()
    return id_
