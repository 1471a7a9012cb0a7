"""What a run over a dataset will take, by the lengths of its questions."""

from app.ai_router.router import address_of, parse_model_name
from app.datasets.views import DatasetDetail
from app.runs.cost import CostEstimate, PricedModel, estimate, expected_tokens
from app.runs.evaluation_type import EvaluationType
from app.settings import Settings

# Where there is no answer yet: a chunk as the importers cut it, and a short answer (characters).
CHUNK_CHARS = 600
ANSWER_CHARS = 400


def estimate_run_cost(
    dataset: DatasetDetail, k: int, evaluation_type: EvaluationType, settings: Settings
) -> CostEstimate:
    """Errs upwards: every chunk is taken to be as long as chunks get."""
    questions = [len(case.question) for case in dataset.test_cases]
    korean = sum(case.lang == "ko" for case in dataset.test_cases)
    tokens = expected_tokens(
        question_chars=sum(questions) / max(1, len(questions)),
        context_chars=k * CHUNK_CHARS,
        answer_chars=ANSWER_CHARS,
        lang="ko" if 2 * korean >= len(questions) else "en",
    )
    return estimate(
        dataset.cases,
        evaluation_type,
        tokens=tokens,
        answer_model=priced(settings.answer_model, settings),
        judge_model=priced(settings.judge_model, settings),
    )


def priced(model: str, settings: Settings) -> PricedModel:
    """The model with the address that the settings give it. Raises ConfigurationError."""
    name = parse_model_name(model)
    return PricedModel(name, address_of(name.provider, settings), settings.model_prices)
