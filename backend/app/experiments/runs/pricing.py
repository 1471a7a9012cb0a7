"""What a run over a dataset will take before it is started, by the lengths of its questions, and
what one of its cases may take at most."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from app.ai_router.estimate import (
    BYTES_PER_CHAR,
    BYTES_PER_TOKEN,
    CallsEstimate,
    PricedModel,
    Tokens,
    tokens_in,
)
from app.ai_router.prompts import search_qa
from app.ai_router.types import Lang
from app.experiments.datasets.views import DatasetDetail
from app.experiments.runs.evaluation_type import EvaluationType
from app.experiments.runs.run_models import RunModels
from app.judges.estimate import TextBytes, estimate_calls
from app.judges.runs.answer_scores import score_calls
from app.platform.settings import Settings
from app.verdicts.answers.from_notes import ANSWER_MAX_TOKENS

# Where there is no answer yet: a chunk as the importers cut it, and a short answer (characters).
CHUNK_CHARS = 600
ANSWER_CHARS = 400


def estimate_run_cost(
    dataset: DatasetDetail,
    k: int,
    evaluation_type: EvaluationType,
    models: RunModels,
    settings: Settings,
) -> CallsEstimate:
    """No call of a model for retrieval_only, three a case for full_rag, two where the prompt is one
    of verdicts. Errs upwards: every chunk is taken to be as long as chunks get. Raises
    ConfigurationError."""
    if evaluation_type is EvaluationType.RETRIEVAL_ONLY:
        return CallsEstimate()
    questions = [len(case.question.encode()) for case in dataset.test_cases]
    korean = sum(case.lang == "ko" for case in dataset.test_cases)
    lang: Lang = "ko" if 2 * korean >= len(questions) else "en"
    texts = TextBytes(
        question=sum(questions) / max(1, len(questions)),
        answer=ANSWER_CHARS * BYTES_PER_CHAR[lang],
        notes=k * CHUNK_CHARS * BYTES_PER_CHAR[lang],
    )
    answering = PricedModel.of(models.answer_model, settings)
    judging = PricedModel.of(models.judge_model, settings)
    answers = answering.estimate(answer_tokens(texts, lang), dataset.cases)
    calls = score_calls(models.asked_by, lang)
    return answers + estimate_calls(calls, texts, judging, dataset.cases)


def max_case_cost(
    question: str, notes: Sequence[str], lang: Lang, models: RunModels, settings: Settings
) -> Decimal | None:
    """US dollars for a case whose notes are found, every reply as long as it may be and nothing
    asked twice; None where nobody knows a price. Raises ConfigurationError."""
    texts = TextBytes(
        question=len(question.encode()),
        answer=ANSWER_MAX_TOKENS * BYTES_PER_TOKEN,
        notes=sum(len(note.encode()) for note in notes),
    )
    answer = replace(answer_tokens(texts, lang), completion=ANSWER_MAX_TOKENS)
    judging = PricedModel.of(models.judge_model, settings)
    calls = score_calls(models.asked_by, lang)
    judged = (judging.estimate(call.tokens(texts, reply_share=1)) for call in calls)
    answering = PricedModel.of(models.answer_model, settings)
    return sum(judged, answering.estimate(answer)).cost_usd


def answer_tokens(texts: TextBytes, lang: Lang) -> Tokens:
    """Of the call that answers a question from its notes."""
    sent = sum(
        len(message.content.encode()) for message in search_qa.build_messages("", [("", "")], lang)
    )
    return Tokens(tokens_in(sent + texts.question + texts.notes), tokens_in(texts.answer))
