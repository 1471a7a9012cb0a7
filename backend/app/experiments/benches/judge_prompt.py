"""A judge of a bench, with the prompt by which it is asked: openai:gpt-4o-mini@search-qa-eval-4."""

import uuid
from collections.abc import Iterable, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.judge_names import takes_prompts
from app.judges.prompt_versions.service import find_prompt, usable_prompt
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import (
    DEFAULT_PROMPT,
    OF_WORKSPACE,
    ONE_CALL_PROMPTS,
    is_one_call,
)
from app.platform.errors import InvalidRequest

_AT = "@"
# How the versions of prompts begin; a model's own name may hold an @ too.
_VERSIONS = ("search-qa-eval-", OF_WORKSPACE)


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
    cannot have the model asked by it: claims with their places take a prompt for one call."""
    if prompt == DEFAULT_PROMPT:
        return model
    if not is_one_call(prompt):
        known = ", ".join(ONE_CALL_PROMPTS)
        raise InvalidRequest(
            f"A bench cannot ask by the prompt {prompt!r}; there are {known}, and those of the"
            " workspace, as in workspace:NAME@1.",
            ko=f"벤치에서 쓸 수 없는 프롬프트입니다: {prompt!r}. {known}과(와) workspace:이름@1처럼"
            " 쓰는 워크스페이스의 프롬프트가 있습니다.",
        )
    if not takes_prompts(model):
        raise InvalidRequest(
            f"{model} is sent no prompt; leave out {_AT}{prompt}.",
            ko=f"{model}은(는) 프롬프트를 쓰지 않습니다. {_AT}{prompt}를 빼세요.",
        )
    return f"{model}{_AT}{prompt}"


async def stored_prompts(
    session: AsyncSession, workspace_id: uuid.UUID, judges: Iterable[str]
) -> dict[str, OneCallPrompt]:
    """The texts of the workspace's prompts that these name, by their versions, retired or not."""
    versions = dict.fromkeys(judge_and_prompt(judge)[1] for judge in judges)
    found = {each: await find_prompt(session, workspace_id, each) for each in versions}
    return {version: prompt for version, prompt in found.items() if prompt}


async def own_prompts(
    session: AsyncSession, workspace_id: uuid.UUID, judges: Sequence[str]
) -> dict[str, OneCallPrompt]:
    """The same. Raises InvalidRequest for one that is not there or retired."""
    for judge in judges:
        await usable_prompt(session, workspace_id, judge_and_prompt(judge)[1], "judges")
    return await stored_prompts(session, workspace_id, judges)
