"""arize-phoenix-evals: a ClassificationEvaluator over one shared client."""

from importlib.metadata import version

from driver import drive, material, run
from phoenix.evals import LLM, ClassificationEvaluator
from shared_client import http_client

PROMPT = """Is the answer grounded in the notes, and does it answer the question?
Question: {question}
Notes: {notes}
Answer: {answer}"""


async def main() -> None:
    given = material()
    client = http_client()
    llm = LLM(
        provider="openai",
        model="gpt-4o-mini",
        api_key="stub",
        base_url=given.base_url,
        async_client_kwargs={"http_client": client},
        initial_per_second_request_rate=1_000_000,
    )
    evaluator = ClassificationEvaluator(
        name="grounded",
        llm=llm,
        prompt_template=PROMPT,
        choices={"grounded": 1.0, "invented": 0.0},
        temperature=0.1,
        max_tokens=768,
    )

    async def score(number: int) -> bool:
        (result,) = await evaluator.async_evaluate(
            {"question": given.question, "notes": "\n".join(given.notes), "answer": given.answer}
        )
        return result.score == 1.0

    await drive(version("arize-phoenix-evals"), score)
    await client.aclose()


run(main())
