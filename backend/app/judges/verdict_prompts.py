"""The ways to ask a model for a verdict, by the version of their prompt."""

from collections.abc import Mapping

from app.judges.prompts import search_qa_eval_one_call, search_qa_eval_short
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.search_qa.evaluator import PROMPTS

__all__ = ["DEFAULT_PROMPT", "ONE_CALL_PROMPTS", "VERDICT_PROMPTS"]

# They ask for checklist and phases in the same call. The others ask for the verdict alone;
# checklist and phases then have calls of their own, or rules.
ONE_CALL_PROMPTS: Mapping[str, OneCallPrompt] = {
    prompt.version: prompt
    for prompt in (search_qa_eval_one_call.PROMPT, search_qa_eval_short.PROMPT)
}
DEFAULT_PROMPT = search_qa_eval_one_call.PROMPT.version
VERDICT_PROMPTS: tuple[str, ...] = (*ONE_CALL_PROMPTS, *PROMPTS)
