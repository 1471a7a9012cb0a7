"""arize-phoenix-evals under a provider's limits: a ClassificationEvaluator over a data frame, with
the rate limiter, the retries and the concurrency that it has by default."""

import asyncio
import sys
import time
from importlib.metadata import version

import pandas as pd
from driver import material, print_result, run
from phoenix.evals import LLM, ClassificationEvaluator, async_evaluate_dataframe

PROMPT = """Is the answer grounded in the notes, and does it answer the question?
Question: {question}
Notes: {notes}
Answer: {answer}"""


async def main() -> None:
    given = material()
    evaluator = ClassificationEvaluator(
        name="grounded",
        llm=LLM(provider="openai", model="gpt-4o-mini", api_key="stub", base_url=given.base_url),
        prompt_template=PROMPT,
        choices={"grounded": 1.0, "invented": 0.0},
    )
    texts = {"question": given.question, "notes": "\n".join(given.notes), "answer": given.answer}
    print_result({"version": version("arize-phoenix-evals")})
    answers, _ = map(int, (await asyncio.to_thread(sys.stdin.readline)).split())
    began = time.perf_counter()
    # An error is one answer's, as it is for the others.
    frame = await async_evaluate_dataframe(
        dataframe=pd.DataFrame([texts] * answers),
        evaluators=[evaluator],
        hide_tqdm_bar=True,
        exit_on_error=False,
    )
    scored = int(frame["grounded_score"].notna().sum())
    print_result({"scored": scored, "seconds": time.perf_counter() - began})


run(main())
