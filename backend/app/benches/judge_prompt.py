"""A judge of a bench, with the prompt by which it is asked: openai:gpt-4o-mini@search-qa-eval-4."""

from app.errors import InvalidRequest
from app.judges.judge_names import takes_prompts
from app.judges.verdict_prompts import DEFAULT_PROMPT, ONE_CALL_PROMPTS

_AT = "@"
# How the versions of prompts begin; a model's own name may hold an @ too.
_VERSION = "search-qa-eval-"


def judge_and_prompt(judge: str) -> tuple[str, str]:
    """Its `provider:model`, and the version of the prompt: the usual one where it names none. The
    version may be unknown."""
    model, _, version = judge.rpartition(_AT)
    return (model, version) if version.startswith(_VERSION) and model else (judge, DEFAULT_PROMPT)


def judge_name(model: str, prompt: str) -> str:
    """Written with its prompt unless that is the usual one. Raises InvalidRequest where the bench
    cannot have the model asked by it: claims with their places take a prompt for one call."""
    if prompt == DEFAULT_PROMPT:
        return model
    if prompt not in ONE_CALL_PROMPTS:
        known = ", ".join(ONE_CALL_PROMPTS)
        raise InvalidRequest(
            f"A bench cannot ask by the prompt {prompt!r}; there are {known}.",
            ko=f"벤치에서 쓸 수 없는 프롬프트입니다: {prompt!r}. {known}이 있습니다.",
        )
    if not takes_prompts(model):
        raise InvalidRequest(
            f"{model} is sent no prompt; leave out {_AT}{prompt}.",
            ko=f"{model}은(는) 프롬프트를 쓰지 않습니다. {_AT}{prompt}를 빼세요.",
        )
    return f"{model}{_AT}{prompt}"
