"""From a library's own call to a verdict of the real API: LangChain, LlamaIndex, the OpenAI SDK and
FastAPI, each through a Background that sends for real."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any

import httpx
import pytest
from fastapi import Depends, FastAPI
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever as NodeRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from openai import AsyncOpenAI
from searchqa_client import AsyncSearchQA, Background
from searchqa_client.fastapi import Judge, Judging
from searchqa_client.langchain import SearchQACallback
from searchqa_client.llama_index import SearchQASpanHandler
from searchqa_client.openai import context, judged

from api_client import Api, served, token_of
from stub_server import StubServer, answer, say
from verdict_world import World
from workers import judged as judging_worker

pytestmark = pytest.mark.slow

QUESTION = "PCR 변성은 몇 도에서 하나요?"
ANSWER = "PCR 변성은 95도에서 30초 동안 합니다."
TITLES = ["PCR 조건", "배양기"]
CONTENTS = ["PCR 변성은 95도에서 30초 동안 한다.", "배양기는 37도로 맞춘다."]


@dataclass
class Application:
    """Somebody else's program, with the client's Background in it."""

    background: Background
    client: AsyncSearchQA
    world: World

    async def check(self, *, model: str | None = None, titles: list[str] = TITLES) -> None:
        """What was submitted is stored as the library had it, and gets its verdict."""
        assert await asyncio.to_thread(self.background.flush, 30)
        assert (self.background.stats.sent, self.background.stats.dropped) == (1, {})
        (stored,) = await self.world.rows("SELECT id, question, answer, model FROM qa_answers")
        assert (stored["question"], stored["answer"]) == (QUESTION, ANSWER)
        assert stored["model"] == model
        sources = await self.world.rows(
            "SELECT title, content FROM qa_answer_sources ORDER BY note_index"
        )
        assert [source["title"] for source in sources] == titles
        assert [source["content"] for source in sources] == CONTENTS
        (row,) = await self.world.rows("SELECT id FROM qa_evaluations")
        async with judging_worker(self.world):
            evaluation = await self.client.evaluations.wait(row["id"], 60)
        assert (evaluation.status, evaluation.judged_by) == ("succeeded", "rules")
        assert evaluation.qa_evaluation.source_coverage[0].note_title == titles[0]


@pytest.fixture
async def application(api: Api, world: World) -> AsyncIterator[Application]:
    async with served(api) as url, AsyncSearchQA(url, token_of(api)) as client:
        background = Background(url=url, token=token_of(api))
        yield Application(background, client, world)
        await asyncio.to_thread(background.close)


class Documents(BaseRetriever):
    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [
            Document(page_content=content, metadata={"title": title})
            for title, content in zip(TITLES, CONTENTS, strict=True)
        ]


async def test_langchain(application):
    prompt = ChatPromptTemplate.from_template("{context}\n{question}")
    inputs = {"context": Documents(), "question": RunnablePassthrough()}
    chain = inputs | prompt | FakeListChatModel(responses=[ANSWER]) | StrOutputParser()
    callback = SearchQACallback(application.background)

    async for _ in chain.astream(QUESTION, {"callbacks": [callback]}):
        pass

    await application.check()


class Nodes(NodeRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(
                node=TextNode(
                    text=content,
                    metadata={"file_name": title},
                    excluded_llm_metadata_keys=["file_name"],
                )
            )
            for title, content in zip(TITLES, CONTENTS, strict=True)
        ]


class ScriptedLLM(CustomLLM):
    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="tiny-1")

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=ANSWER)

    def stream_complete(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


async def test_llama_index(application):
    handler = SearchQASpanHandler(application.background)
    get_dispatcher().add_span_handler(handler)
    try:
        await RetrieverQueryEngine.from_args(Nodes(), ScriptedLLM()).aquery(QUESTION)
    finally:
        get_dispatcher().span_handlers.remove(handler)

    await application.check(model="tiny-1")


async def test_openai(application):
    notes = [
        {"title": title, "content": content}
        for title, content in zip(TITLES, CONTENTS, strict=True)
    ]
    async with (
        StubServer(answer(say(ANSWER))) as stub,
        AsyncOpenAI(base_url=stub.base_url, api_key="k", max_retries=0) as plain,
    ):
        client = judged(plain, application.background)
        with context(notes, question=QUESTION):
            await client.chat.completions.create(
                model="tiny", messages=[{"role": "user", "content": f"{notes}\n{QUESTION}"}]
            )

    await application.check(model="stub")


async def test_fastapi(application):
    judging = Judging(application.background)
    app = FastAPI(lifespan=judging.lifespan)

    @app.get("/ask")
    async def ask(question: str, judge: Annotated[Judge, Depends(judging)]) -> str:
        judge.submit(question, ANSWER, CONTENTS)
        return ANSWER

    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as visitor,
    ):
        assert (await visitor.get("/ask", params={"question": QUESTION})).json() == ANSWER

    await application.check(titles=["Note 1", "Note 2"])
