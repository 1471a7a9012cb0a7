"""The request of a bench: judges with their prompts, and the number and kind of answers."""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.judge_names import RULES_MODEL, check_judge, takes_prompts
from app.judges.prompt_versions import find_prompt, usable_prompt
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import DEFAULT_PROMPT, OF_WORKSPACE, ONE_CALL_PROMPTS, is_known
from app.platform.errors import ConfigurationError, Forbidden, InvalidRequest
from app.platform.settings import Settings

_AT = "@"
# How the versions of prompts begin; a model's own name may hold an @ too.
_VERSIONS = ("search-qa-eval-", OF_WORKSPACE)

# Short for the rules.
OFFLINE = "offline"
# The verdicts that readers got; only answers with feedback have them.
STORED = "stored"
# What a jury of the bench's models would say, which takes no call.
JURY = "jury"
_MIN_JURORS = 3
# Which human labels: of answers drawn at random, or all of them, however these were picked.
Labels = Literal["drawn", "all"]
# Even odds of "hallucinated".
THRESHOLD = 0.5


def judge_and_prompt(judge: str) -> tuple[str, str]:
    """Its `provider:model`, and the version of the prompt: the usual one where it names none. The
    version may be unknown."""
    for begins in _VERSIONS:
        model, at, version = judge.rpartition(_AT + begins)
        if at and model:
            return model, begins + version
    return judge, DEFAULT_PROMPT


def judge_name(model: str, prompt: str) -> str:
    """Written with its prompt unless that is the usual one. Raises InvalidRequest where the bench
    cannot have the model asked by it."""
    if prompt == DEFAULT_PROMPT:
        return model
    if not is_known(prompt):
        known = ", ".join(ONE_CALL_PROMPTS)
        raise InvalidRequest.worded("prompt-not-of-benches", prompt=prompt, known=known)
    if not takes_prompts(model):
        raise InvalidRequest.worded("bench-judge-has-no-prompt", model=model, at=_AT, prompt=prompt)
    return f"{model}{_AT}{prompt}"


async def stored_prompts(
    session: AsyncSession, workspace_id: uuid.UUID, judges: Iterable[str]
) -> dict[str, OneCallPrompt]:
    """The texts of the workspace's prompts that these name, by their versions, retired or not."""
    versions = dict.fromkeys(judge_and_prompt(judge)[1] for judge in judges)
    found = {each: await find_prompt(session, workspace_id, each) for each in versions}
    return {version: prompt for version, prompt in found.items() if prompt}


async def usable_prompts(
    session: AsyncSession, workspace_id: uuid.UUID, judges: Sequence[str]
) -> dict[str, OneCallPrompt]:
    """The same. Raises InvalidRequest for one that is not there or retired."""
    for judge in judges:
        await usable_prompt(session, workspace_id, judge_and_prompt(judge)[1], "judges")
    return await stored_prompts(session, workspace_id, judges)


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """judges: full names, each once, perhaps with a prompt (`judge_and_prompt`). limit: maximum
    number of answers, None for all. labels: of feedback; None is the drawn ones where there are
    any, else all. repeats: how often a model that is sent prompts judges each answer. criteria:
    references of the workspace's own."""

    name: str
    judges: tuple[str, ...]
    limit: int | None = None
    seed: int = 0
    threshold: float = THRESHOLD
    judge_spans: bool = True
    labels: Labels | None = None
    repeats: int = 1
    criteria: tuple[str, ...] = ()

    def checked(self, settings: Settings, *, from_feedback: bool) -> Self:
        """With full names. Raises InvalidRequest for a judge that there is not, or that lacks its
        key."""
        names = dict.fromkeys(
            _full_name(judge, settings, from_feedback=from_feedback) for judge in self.judges
        )
        checked = replace(self, judges=tuple(names))
        if JURY in names and len(checked.model_judges()) < _MIN_JURORS:
            raise InvalidRequest.worded("jury-takes-three")
        return checked

    def check_allowed(self, judges: Sequence[str]) -> None:
        """Raises Forbidden where a model is to be asked, and paid for, that is none of `judges`,
        those of the workspace's policy."""
        for model, _ in map(judge_and_prompt, self.model_judges()):
            if model not in judges:
                names = ", ".join(judges)
                raise Forbidden.worded("bench-judge-not-in-policy", names=names, model=model)

    def model_judges(self) -> Sequence[str]:
        """The judges that are models: paid for, or in a folder and slower than the rules."""
        return [judge for judge in self.judges if judge not in {RULES_MODEL, STORED, JURY}]


def _full_name(judge: str, settings: Settings, *, from_feedback: bool) -> str:
    if judge == JURY:
        return JURY
    if judge == STORED:
        if from_feedback:
            return STORED
        raise InvalidRequest.worded("stored-needs-feedback")
    name, prompt = judge_and_prompt(judge)
    name = RULES_MODEL if name == OFFLINE else name
    try:
        provider, _ = check_judge(name, settings)
    except ConfigurationError as error:
        raise InvalidRequest(str(error), ko=str(error)) from error
    if provider == OFFLINE and name != RULES_MODEL:
        raise InvalidRequest.worded("answers-and-is-no-judge", name=name, rules=RULES_MODEL)
    return judge_name(name, prompt)
