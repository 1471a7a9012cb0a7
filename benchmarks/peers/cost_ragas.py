"""ragas: faithfulness, as its documentation has it."""

from cost_driver import BASE_URL, Answer, run
from openai import AsyncOpenAI
from ragas.llms import llm_factory
from ragas.metrics.collections import Faithfulness

CLIENT = AsyncOpenAI(api_key="stub", base_url=BASE_URL, max_retries=0)
METRIC = Faithfulness(llm=llm_factory("gpt-4o-mini", client=CLIENT, max_tokens=4096))


async def faithfulness(given: Answer) -> object:
    return await METRIC.ascore(
        user_input=given.question, response=given.answer, retrieved_contexts=given.notes
    )


run(("ragas-faithfulness", faithfulness))
