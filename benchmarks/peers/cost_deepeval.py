"""deepeval: faithfulness with its reason, and GEval with its steps given, by its own class for
OpenAI's models."""

from cost_driver import BASE_URL, Answer, run
from deepeval.metrics import FaithfulnessMetric, GEval
from deepeval.models import OpenAIModel
from deepeval.test_case import LLMTestCase
from g_eval_steps import PARAMS, STEPS

MODEL = OpenAIModel(model="gpt-4o-mini", base_url=BASE_URL, _openai_api_key="stub")


def case(given: Answer) -> LLMTestCase:
    return LLMTestCase(
        input=given.question, actual_output=given.answer, retrieval_context=given.notes
    )


async def faithfulness(given: Answer) -> object:
    return await FaithfulnessMetric(model=MODEL).a_measure(case(given), _show_indicator=False)


async def g_eval(given: Answer) -> object:
    metric = GEval("grounded", evaluation_params=PARAMS, evaluation_steps=STEPS, model=MODEL)
    return await metric.a_measure(case(given), _show_indicator=False)


run(("deepeval-faithfulness", faithfulness), ("deepeval-geval", g_eval))
