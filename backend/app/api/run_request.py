"""The request that starts a run or has it priced."""

from typing import Annotated

from pydantic import Field

from app.api.datasets import Name
from app.api.schemas import StrictBody
from app.api.services import Services
from app.api.sessions import Access
from app.experiments.models import EvaluationType, Retrieval
from app.experiments.runs.run_models import RunModels
from app.judges.prompt_versions import usable_prompt
from app.platform.errors import InvalidRequest
from app.verdicts.policy.document import Model, Prompt
from app.verdicts.policy.service import policy_of
from app.workspaces.tokens import Scope


class RunEvaluation(StrictBody):
    """name: by default that of the dataset with a number. k: how many chunks the search gives;
    full_rag answers each question and has the answer judged, three model calls a case. retrieval:
    which search; left out it is `hybrid` where an embedding model is configured, else `text`.

    answer_model, judge_model, prompt: only for full_rag. Left out, the judge is that of the
    workspace's policy and the answer model that of the server; others than the policy names take
    the scope `admin`. prompt: a version of the judge's prompt; left out, that of the policy where
    it names another than the usual one, else the two prompts of runs."""

    name: Name | None = None
    k: Annotated[int, Field(ge=1, le=50)] = 5
    evaluation_type: EvaluationType = EvaluationType.RETRIEVAL_ONLY
    retrieval: Retrieval | None = None
    answer_model: Model | None = None
    judge_model: Model | None = None
    prompt: Prompt | None = None

    @property
    def names_models(self) -> bool:
        return bool(self.answer_model or self.judge_model or self.prompt)


async def run_models(
    body: RunEvaluation, access: Access, services: Services, *, spends: bool
) -> RunModels:
    """Who is to answer and to judge, if the token may have it so. No transaction is open while
    names and prices are looked up: the first time that takes a moment."""
    settings = services.settings
    session, workspace_id = access.session, access.workspace_id
    policy = await policy_of(session, workspace_id, settings)
    own = await usable_prompt(session, workspace_id, body.prompt or policy.judge_prompt)
    await session.close()
    if body.evaluation_type is EvaluationType.RETRIEVAL_ONLY:
        if body.names_models:
            raise InvalidRequest(
                "A run of the search alone asks no model; leave answer_model, judge_model and"
                " prompt out, or set evaluation_type to full_rag.",
                ko="검색만 측정하는 실행에는 모델이 필요 없습니다. answer_model, judge_model,"
                " prompt를 빼거나 evaluation_type을 full_rag로 지정하세요.",
            )
        return RunModels.unused(policy, settings)
    models = RunModels.asked_for(
        body.answer_model, body.judge_model, body.prompt, policy, settings, own
    )
    if spends:
        models.check_allowed(policy, settings, admin=Scope.ADMIN in access.principal.scopes)
    return models
