"""deepeval: GEval with its steps given, so one model call, by its own class for OpenAI's models."""

from deepeval import __version__
from deepeval.metrics import GEval
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase
from driver import drive, material, run
from g_eval_steps import PARAMS, STEPS
from pydantic import BaseModel
from shared_client import shared_client


class SharedClientModel(DeepEvalBaseLLM):
    """As its documentation tells to write one; its own class makes a client for each call."""

    def __init__(self, base_url: str) -> None:
        self.client = shared_client(base_url)
        super().__init__("gpt-4o-mini")

    def load_model(self) -> "SharedClientModel":
        return self

    def get_model_name(self) -> str:
        return "gpt-4o-mini"

    def generate(self, prompt: str, schema: type[BaseModel] | None = None) -> BaseModel | str:
        raise TypeError("this model is asked by a_generate alone")

    async def a_generate(
        self, prompt: str, schema: type[BaseModel] | None = None
    ) -> BaseModel | str:
        completion = await self.client.chat.completions.create(
            model="gpt-4o-mini",
            messages=[{"role": "user", "content": prompt}],
            response_format={"type": "json_object"},
            temperature=0.1,
            max_tokens=768,
        )
        content = completion.choices[0].message.content or ""
        return schema.model_validate_json(content) if schema else content


async def main() -> None:
    given = material()
    model = SharedClientModel(given.base_url)

    async def score(number: int) -> bool:
        case = LLMTestCase(
            input=given.question, actual_output=given.answer, retrieval_context=given.notes
        )
        metric = GEval("grounded", evaluation_params=PARAMS, evaluation_steps=STEPS, model=model)
        return await metric.a_measure(case, _show_indicator=False) == 0.9

    await drive(__version__, score)
    await model.client.close()


run(main())
