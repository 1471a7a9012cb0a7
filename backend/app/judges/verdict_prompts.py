"""The ways to ask a model for a verdict, by the version of their prompt."""

from app.judges.prompts.search_qa_eval_one_call import PROMPT_VERSION as ONE_CALL
from app.judges.search_qa.evaluator import PROMPTS

__all__ = ["DEFAULT_PROMPT", "ONE_CALL", "VERDICT_PROMPTS"]

# The others ask for the verdict alone; checklist and phases then have calls of their own, or
# rules.
VERDICT_PROMPTS: tuple[str, ...] = (ONE_CALL, *PROMPTS)
DEFAULT_PROMPT = ONE_CALL
