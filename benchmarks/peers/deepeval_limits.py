"""deepeval under a provider's limits: GEval by its own class for OpenAI's models, with the retries
of that class, and as many at a time as `evaluate` has by default."""

from deepeval import __version__
from deepeval.evaluate.configs import AsyncConfig
from deepeval.metrics import GEval
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase
from driver import drive, material, run, whether_scored
from g_eval_steps import PARAMS, STEPS


async def main() -> None:
    given = material()
    model = OpenAIModel(model="gpt-4o-mini", base_url=given.base_url, _openai_api_key="stub")
    case = LLMTestCase(
        input=given.question, actual_output=given.answer, retrieval_context=given.notes
    )

    @whether_scored
    async def score(number: int) -> bool:
        metric = GEval("grounded", evaluation_params=PARAMS, evaluation_steps=STEPS, model=model)
        return await metric.a_measure(case, _show_indicator=False) is not None

    await drive(__version__, score, in_flight=AsyncConfig().max_concurrent)


run(main())
