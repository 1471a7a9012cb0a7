"""What a run over a dataset will take before it is started, by the lengths of its questions."""

from app.ai_router.estimate import BYTES_PER_CHAR, CallsEstimate, PricedModel, Tokens, tokens_in
from app.ai_router.prompts import search_qa
from app.ai_router.types import Lang
from app.datasets.views import DatasetDetail
from app.judges.estimate import TextBytes, estimate_calls, run_calls
from app.judges.judge_names import prompted_judge
from app.runs.evaluation_type import EvaluationType
from app.settings import Settings

# Where there is no answer yet: a chunk as the importers cut it, and a short answer (characters).
CHUNK_CHARS = 600
ANSWER_CHARS = 400


def estimate_run_cost(
    dataset: DatasetDetail, k: int, evaluation_type: EvaluationType, settings: Settings
) -> CallsEstimate:
    """No call of a model for retrieval_only, three a case for full_rag. Errs upwards: every chunk
    is taken to be as long as chunks get. Raises ConfigurationError."""
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
    answering = PricedModel.of(settings.answer_model, settings)
    judging = PricedModel.of(prompted_judge(settings.judge_model), settings)
    answers = answering.estimate(answer_tokens(texts, lang), dataset.cases)
    return answers + estimate_calls(run_calls(lang), texts, judging, dataset.cases)


def answer_tokens(texts: TextBytes, lang: Lang) -> Tokens:
    """Of the call that answers a question from its notes."""
    sent = sum(
        len(message.content.encode()) for message in search_qa.build_messages("", [("", "")], lang)
    )
    return Tokens(tokens_in(sent + texts.question + texts.notes), tokens_in(texts.answer))
