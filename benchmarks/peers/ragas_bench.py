"""ragas: a DiscreteMetric, its cheapest score by one model call, over one shared client."""

from driver import drive, material, run
from ragas import __version__
from ragas.llms import llm_factory
from ragas.metrics import DiscreteMetric
from shared_client import shared_client

PROMPT = """Is the answer grounded in the notes, and does it answer the question?
Question: {question}
Notes: {notes}
Answer: {answer}
Say 'pass' or 'fail'."""


async def main() -> None:
    given = material()
    client = shared_client(given.base_url)
    llm = llm_factory("gpt-4o-mini", client=client, temperature=0.1, max_tokens=768)
    metric = DiscreteMetric(name="grounded", prompt=PROMPT, allowed_values=["pass", "fail"])

    async def score(number: int) -> bool:
        result = await metric.ascore(
            llm=llm, question=given.question, notes="\n".join(given.notes), answer=given.answer
        )
        return result.value == "pass"

    await drive(__version__, score)
    await client.close()


run(main())
