"""The ways to ask a model for a verdict, by the version of their prompt.

A version is one that is shipped, or one of a workspace: the instructions of a shipped prompt for
one call in words of the workspace's own, named as in `workspace:strict@2`. Its text is in the
database; where only the name of one is at hand it is known to be a prompt for one call.
"""

from collections.abc import Mapping
from dataclasses import replace

from app.ai_router.types import Lang
from app.judges.prompts import search_qa_eval_one_call, search_qa_eval_short
from app.judges.prompts.one_call import PLACEHOLDERS, OneCallPrompt

# The shipped versions by name. Each asks for verdict, checklist and phases in one call.
ONE_CALL_PROMPTS: Mapping[str, OneCallPrompt] = {
    prompt.version: prompt
    for prompt in (search_qa_eval_one_call.PROMPT, search_qa_eval_short.PROMPT)
}
DEFAULT_PROMPT = search_qa_eval_one_call.PROMPT.version
VERDICT_PROMPTS: tuple[str, ...] = tuple(ONE_CALL_PROMPTS)

# Were choices of a policy once; rows that still name one are judged by the default.
RETIRED_PROMPTS = frozenset(("search-qa-eval-1", "search-qa-eval-2"))

OF_WORKSPACE = "workspace:"
# Instructions of one language, in characters.
MAX_INSTRUCTIONS = 8_000


def is_of_workspace(version: str | None) -> bool:
    """Whether a version of a prompt, or of all that made a verdict, names one of a workspace."""
    return version is not None and OF_WORKSPACE in version


def is_known(version: str) -> bool:
    """Whether the version is shipped, or one of a workspace."""
    return version in ONE_CALL_PROMPTS or is_of_workspace(version)


def with_instructions(
    version: str, base: str, instructions: Mapping[Lang, str]
) -> OneCallPrompt | None:
    """The shipped prompt `base` in other words; sections, form and all else of it stay. None where
    this release does not ship it any more."""
    shipped = ONE_CALL_PROMPTS.get(base)
    if shipped is None:
        return None
    return replace(shipped, version=version, system={**shipped.system, **instructions})


# Stands for a workspace's prompt whose text is not at hand: as long as one may be.
_LONGEST_TEXT = MAX_INSTRUCTIONS * "가" + "".join(PLACEHOLDERS)
_LONGEST = with_instructions(
    OF_WORKSPACE, DEFAULT_PROMPT, {"ko": _LONGEST_TEXT, "en": _LONGEST_TEXT}
)


def resolve_prompt(prompt: str | OneCallPrompt | None) -> OneCallPrompt:
    """The prompt of a version: the default one for None and for a version that is shipped no more,
    as rows of an older release may name. A workspace's version whose text is not at hand comes as
    long as one may be: for estimates, not to be asked by."""
    if isinstance(prompt, OneCallPrompt):
        return prompt
    if is_of_workspace(prompt):
        assert _LONGEST is not None, "the default prompt is shipped"
        return _LONGEST
    return ONE_CALL_PROMPTS.get(prompt or DEFAULT_PROMPT, ONE_CALL_PROMPTS[DEFAULT_PROMPT])
