"""The judge's prompt under the path that its first users import; it lives in `app.judges`."""

from app.judges.prompts.search_qa_eval import PROMPT_VERSION, build_messages

__all__ = ["PROMPT_VERSION", "build_messages"]
