"""Which answers a policy leaves out."""

from app.verdicts.answers.finished import FinishedAnswer
from app.verdicts.policy.document import WorkspacePolicy
from app.verdicts.status import SkipReason


def filtered(only: WorkspacePolicy, answer: FinishedAnswer) -> SkipReason | None:
    """Why the filters of a policy leave an answer out; None where they do not."""
    if only.features is not None and answer.feature not in only.features:
        return SkipReason.FILTERED_FEATURE
    if only.languages is not None and answer.lang not in only.languages:
        return SkipReason.FILTERED_LANGUAGE
    if len(answer.answer) < (only.min_answer_chars or 0):
        return SkipReason.FILTERED_LENGTH
    if only.max_answer_chars is not None and len(answer.answer) > only.max_answer_chars:
        return SkipReason.FILTERED_LENGTH
    # Those of a row that was read as JSON are texts.
    if only.notebook_ids is not None and str(answer.notebook_id) not in map(str, only.notebook_ids):
        return SkipReason.FILTERED_NOTEBOOK
    return None


def text_bytes(answer: FinishedAnswer) -> int:
    """Of question, answer and notes together, in UTF-8."""
    texts = (answer.question, answer.answer, *(source.content for source in answer.sources))
    return sum(len(text.encode()) for text in texts)
