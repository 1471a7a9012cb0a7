"""arize-phoenix-evals: its faithfulness evaluator."""

from cost_driver import BASE_URL, Answer, run
from phoenix.evals import LLM
from phoenix.evals.metrics import FaithfulnessEvaluator

EVALUATOR = FaithfulnessEvaluator(
    llm=LLM(
        provider="openai",
        model="gpt-4o-mini",
        api_key="stub",
        base_url=BASE_URL,
        initial_per_second_request_rate=1_000_000,
    )
)


async def faithfulness(given: Answer) -> object:
    shown = {"input": given.question, "output": given.answer, "context": "\n".join(given.notes)}
    return await EVALUATOR.async_evaluate(shown)


run(("phoenix-faithfulness", faithfulness))
