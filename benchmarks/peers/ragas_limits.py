"""ragas under a provider's limits: a DiscreteMetric over the client that its documentation makes,
with that client's retries, and as many at a time as ragas has by default."""

from driver import drive, material, run, whether_scored
from openai import AsyncOpenAI
from ragas import __version__
from ragas.llms import llm_factory
from ragas.metrics import DiscreteMetric
from ragas.run_config import RunConfig

PROMPT = """Is the answer grounded in the notes, and does it answer the question?
Question: {question}
Notes: {notes}
Answer: {answer}
Say 'pass' or 'fail'."""


async def main() -> None:
    given = material()
    client = AsyncOpenAI(api_key="stub", base_url=given.base_url)
    metric = DiscreteMetric(name="grounded", prompt=PROMPT, allowed_values=["pass", "fail"])
    texts = {"question": given.question, "notes": "\n".join(given.notes), "answer": given.answer}
    llm = llm_factory("gpt-4o-mini", client=client)

    @whether_scored
    async def score(number: int) -> bool:
        return bool((await metric.ascore(llm=llm, **texts)).value == "pass")

    await drive(__version__, score, in_flight=RunConfig().max_workers)


run(main())
