"""Real query engines, chat engines and agents of LlamaIndex, with a model that follows a script."""

import asyncio
import json
import logging
import os
from collections.abc import Iterator
from inspect import signature
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core.agent.workflow import AgentWorkflow, ReActAgent
from llama_index.core.base.llms.types import (
    ChatMessage,
    CompletionResponse,
    CompletionResponseGen,
    LLMMetadata,
)
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    CondenseQuestionChatEngine,
    ContextChatEngine,
    SimpleChatEngine,
)
from llama_index.core.chat_engine.types import StreamingAgentChatResponse
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.postprocessor import MetadataReplacementPostProcessor
from llama_index.core.query_engine import (
    RetrieverQueryEngine,
    RouterQueryEngine,
    SubQuestionQueryEngine,
)
from llama_index.core.question_gen.types import BaseQuestionGenerator, SubQuestion
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool
from searchqa_client import Note, propagate_attributes
from searchqa_client._llama_index_answers import OpenAnswers
from searchqa_client.llama_index import SearchQASpanHandler

from scripted_http import RecordedBackground

QUESTION = "PCR 변성은 몇 도에서 하나요?"
ANSWER = "95도에서 합니다. [노트 1]"
PCR = "변성은 95도에서 30초 동안 한다."
INCUBATOR = "배양기는 37도로 맞춘다."


class ScriptedLLM(CustomLLM):
    """Says the same to everything, or what comes next; fails at None."""

    replies: list[str | None]
    name: str = "tiny-1"

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name=self.name, context_window=100_000)

    def _next(self) -> str:
        text = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if text is None:
            raise RuntimeError("no")
        return text

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self._next())

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **_: Any
    ) -> CompletionResponseGen:
        text = self._next()
        for end in range(1, len(text) + 1):
            yield CompletionResponse(text=text[:end], delta=text[end - 1])


class FixedRetriever(BaseRetriever):
    def __init__(self, *nodes: TextNode) -> None:
        super().__init__()
        self.nodes = nodes

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=node, score=0.5) for node in self.nodes]


class JoinedRetriever(BaseRetriever):
    """The first node of each of some retrievers."""

    def __init__(self, *parts: BaseRetriever) -> None:
        super().__init__()
        self.parts = parts

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [part.retrieve(query_bundle)[0] for part in self.parts]


def pcr() -> TextNode:
    return TextNode(text=PCR, id_="pcr")


def incubator() -> TextNode:
    return TextNode(text=INCUBATOR, id_="incubator", metadata={"file_name": "배양기.md"})


def notes() -> FixedRetriever:
    return FixedRetriever(pcr(), incubator())


def scripted_llm(*texts: str | None) -> ScriptedLLM:
    return ScriptedLLM(replies=list(texts or [ANSWER]))


def memory() -> ChatMemoryBuffer:
    """In place of the default one, which opens a database and leaves it open."""
    return ChatMemoryBuffer.from_defaults(llm=scripted_llm())


def simple_chat() -> SimpleChatEngine:
    return SimpleChatEngine.from_defaults(llm=scripted_llm(), memory=memory())


def engine(
    retriever: BaseRetriever | None = None, llm: ScriptedLLM | None = None, **options: Any
) -> RetrieverQueryEngine:
    return RetrieverQueryEngine.from_args(retriever or notes(), llm or scripted_llm(), **options)


@pytest.fixture
def handler(background: RecordedBackground) -> Iterator[SearchQASpanHandler]:
    handler = SearchQASpanHandler(background)
    get_dispatcher().add_span_handler(handler)
    yield handler
    get_dispatcher().span_handlers.remove(handler)
    assert len(handler._answers) == 0, "spans are released when they end"


@pytest.fixture(autouse=True)
def _watched(handler: SearchQASpanHandler) -> None:
    """Every test is."""


def test_a_query_submits_question_nodes_and_answer(background):
    assert str(engine().query(QUESTION)) == ANSWER

    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert background.only.notes == [
        Note(content=PCR),
        # As the model was given it, with the metadata.
        Note(title="배양기.md", content=f"file_name: 배양기.md\n\n{INCUBATOR}"),
    ]
    assert background.only.options["model"] == "tiny-1"
    assert len(background.only.options["idempotency_key"]) == 36


def test_a_streamed_query_is_submitted_at_its_end(background):
    with propagate_attributes(tags=["beta"]):
        response = engine(streaming=True).query(QUESTION)
    tokens = response.response_gen
    first = next(tokens)
    assert background.submitted == []

    assert first + "".join(tokens) == ANSWER
    assert background.only.answer == ANSWER
    assert background.only.options["attributes"] == {"tags": ["beta"]}
    assert len(background.only.notes) == 2


async def test_a_query_by_other_calls(background):
    assert str(await engine().aquery(QueryBundle(QUESTION))) == ANSWER
    assert str(engine(streaming=True).query(QUESTION)) == ANSWER
    assert engine(streaming=True).query(QUESTION).get_response().response == ANSWER
    stream = (await engine(streaming=True).aquery(QUESTION)).async_response_gen()
    assert "".join([token async for token in stream]) == ANSWER
    found = [(one.question, one.answer, len(one.notes)) for one in background.submitted]
    assert found == [(QUESTION, ANSWER, 2)] * 4


async def test_a_stream_left_halfway_submits_nothing(background):
    tokens = engine(streaming=True).query(QUESTION).response_gen
    next(tokens)
    tokens.close()
    later = (await engine(streaming=True).aquery(QUESTION)).response_gen
    await anext(later)
    await later.aclose()
    assert background.submitted == []


@pytest.mark.parametrize("failing", ["retriever", "model"])
def test_a_query_that_fails_submits_nothing(background, failing):
    retriever = FixedRetriever(None) if failing == "retriever" else notes()
    with pytest.raises((RuntimeError, ValueError)):
        engine(retriever, scripted_llm(None)).query(QUESTION)

    assert background.submitted == []


async def test_concurrent_tasks_and_threads_do_not_mix(background):
    async def ask(number: int) -> None:
        asked = engine(
            FixedRetriever(TextNode(text=f"node {number}")), scripted_llm(f"answer {number}")
        )
        if number % 2:
            await asked.aquery(f"question {number}")
        else:
            await asyncio.to_thread(asked.query, f"question {number}")

    await asyncio.gather(*map(ask, range(20)))
    found = {(one.question, one.answer, *one.contents) for one in background.submitted}
    assert found == {(f"question {n}", f"answer {n}", f"node {n}") for n in range(20)}


def test_what_postprocessors_make_of_nodes_counts(background):
    sentence = TextNode(text="95도", metadata={"window": PCR})
    sentence.excluded_llm_metadata_keys = ["window"]
    window = MetadataReplacementPostProcessor("window")
    engine(FixedRetriever(sentence), node_postprocessors=[window]).query(QUESTION)

    assert background.only.contents == [PCR]


def test_the_outer_of_nested_retrievers_has_the_last_word(background, handler):
    joined = JoinedRetriever(notes(), FixedRetriever(incubator(), pcr()))
    chat = SimpleRetrieval(joined)
    chat.chat(QUESTION)

    assert len(background.only.notes) == 2


class SimpleRetrieval(SimpleChatEngine):
    """A chat engine that retrieves, and names no sources."""

    def __init__(self, retriever: BaseRetriever) -> None:
        super().__init__(scripted_llm(), memory(), [])
        self.retriever = retriever

    def chat(self, message: str, chat_history: list[ChatMessage] | None = None) -> Any:
        self.retriever.retrieve(message)
        return super().chat(message, chat_history)


def test_a_router_submits_once(background):
    tools = [
        QueryEngineTool.from_defaults(engine(FixedRetriever(node)), description=node.text)
        for node in (pcr(), incubator())
    ]
    choice = json.dumps([{"choice": 1, "reason": "PCR"}])
    selector = LLMSingleSelector.from_defaults(llm=scripted_llm(choice))
    RouterQueryEngine(selector, tools, llm=scripted_llm()).query(QUESTION)

    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert background.only.contents == [PCR]


class TwoQuestions(BaseQuestionGenerator):
    def generate(self, tools: Any, query: QueryBundle) -> list[SubQuestion]:
        return [SubQuestion(sub_question=f"{tool.name}?", tool_name=tool.name) for tool in tools]

    async def agenerate(self, tools: Any, query: QueryBundle) -> list[SubQuestion]:
        return self.generate(tools, query)

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: Any) -> None:
        pass


@pytest.mark.parametrize("use_async", [False, True])
def test_sub_questions_count_by_their_nodes_not_their_answers(background, use_async):
    tools = [
        QueryEngineTool.from_defaults(
            engine(FixedRetriever(node), scripted_llm("a sub-answer")),
            name=node.node_id,
            description="…",
        )
        for node in (pcr(), TextNode(text=INCUBATOR, id_="incubator"))
    ]
    SubQuestionQueryEngine(
        TwoQuestions(),
        get_response_synthesizer(scripted_llm()),
        tools,
        verbose=False,
        use_async=use_async,
    ).query(QUESTION)

    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert sorted(background.only.contents) == sorted([PCR, INCUBATOR])


def test_a_synthesizer_alone(background):
    nodes = notes().retrieve(QUESTION)
    get_response_synthesizer(scripted_llm()).synthesize(QUESTION, nodes)

    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert len(background.only.notes) == 2


def chat_engine(kind: Any) -> Any:
    if kind is CondenseQuestionChatEngine:
        return kind.from_defaults(engine(), llm=scripted_llm(), memory=memory())
    return kind.from_defaults(retriever=notes(), llm=scripted_llm(), memory=memory())


CHAT_ENGINES = [ContextChatEngine, CondensePlusContextChatEngine, CondenseQuestionChatEngine]


@pytest.mark.parametrize("kind", CHAT_ENGINES)
async def test_a_chat_and_its_stream(background, kind):
    chat = chat_engine(kind)
    chat.chat(QUESTION)
    assert "".join(chat.stream_chat(QUESTION).response_gen) == ANSWER
    await chat.achat(QUESTION)
    stream = await chat.astream_chat(QUESTION)
    assert "".join([token async for token in stream.async_response_gen()]) == ANSWER
    found = [(one.question, one.answer, len(one.notes)) for one in background.submitted]
    assert found == [(QUESTION, ANSWER, 2)] * 4


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_chat_stream_that_fails_submits_nothing(background):
    class Broken(ScriptedLLM):
        def stream_complete(self, *_: Any, **__: Any) -> CompletionResponseGen:
            yield CompletionResponse(text="9", delta="9")
            raise RuntimeError("no")

    llm = Broken(replies=[ANSWER])
    chat = ContextChatEngine.from_defaults(retriever=notes(), llm=llm, memory=memory())
    with pytest.raises(RuntimeError, match="no"):
        list(chat.stream_chat(QUESTION).response_gen)

    assert background.submitted == []


def test_a_chat_stream_that_its_reader_writes(background):
    """As some engines of LlamaIndex 0.14.0 do: no writer in another thread."""

    class Reading(SimpleRetrieval):
        def stream_chat(
            self, message: str, chat_history: list[ChatMessage] | None = None
        ) -> StreamingAgentChatResponse:
            self.retriever.retrieve(message)
            stream = scripted_llm().stream_chat([ChatMessage(message)])
            return StreamingAgentChatResponse(chat_stream=stream, is_writing_to_memory=False)

    stream = Reading(notes()).stream_chat(QUESTION)
    assert background.submitted == []
    assert "".join(stream.response_gen) == ANSWER

    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert len(background.only.notes) == 2


def test_a_chat_without_retrieval_is_left_alone(background):
    simple_chat().chat(QUESTION)
    scripted_llm().complete(QUESTION)
    notes().retrieve(QUESTION)

    assert background.submitted == []


async def test_a_retrieval_without_nodes_counts(background):
    engine(FixedRetriever()).query(QUESTION)

    assert background.only.notes == []
    assert background.only.answer == "Empty Response"


def agent(kind: Any = None) -> Any:
    """Searches once by a query engine, then answers."""
    tool = QueryEngineTool.from_defaults(
        engine(llm=scripted_llm("an inner answer")), name="notes", description="Searches the notes."
    )
    llm = scripted_llm(
        'Thought: I search.\nAction: notes\nAction Input: {"input": "PCR"}',
        f"Thought: I can answer.\nAnswer: {ANSWER}",
    )
    react = ReActAgent(tools=[tool], llm=llm, name="a", description="…", streaming=False)
    return AgentWorkflow([react]) if kind is AgentWorkflow else react


# Its agents read what pydantic and its own workflows call deprecated.
agents = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@agents
@pytest.mark.parametrize("kind", [ReActAgent, AgentWorkflow])
async def test_an_agent_with_a_query_engine(background, kind):
    result = await agent(kind).run(user_msg=QUESTION, memory=memory())

    assert str(result) == ANSWER
    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert len(background.only.notes) == 2


@agents
async def test_an_agent_that_is_given_messages(background):
    history = [ChatMessage("old", role="user"), ChatMessage("…", role="assistant")]
    await agent().run(user_msg=ChatMessage(QUESTION), chat_history=history, memory=memory())
    await agent().run(chat_history=[*history, ChatMessage(QUESTION, role="user")], memory=memory())

    assert [one.question for one in background.submitted] == [QUESTION, QUESTION]


def test_options_go_with_each_answer():
    background = RecordedBackground()
    handler = SearchQASpanHandler(background, feature="search_qa", profile="초보 연구원")
    get_dispatcher().add_span_handler(handler)
    try:
        engine(llm=ScriptedLLM(replies=[ANSWER], name="unknown")).query(QUESTION)
    finally:
        get_dispatcher().span_handlers.remove(handler)

    options = background.only.options
    assert (options["feature"], options["profile"]) == ("search_qa", "초보 연구원")
    assert "model" not in options


def test_odd_nodes(background):
    nodes = [
        TextNode(text=" \n"),
        TextNode(
            text="te\0xt", metadata={"title": "t" * 1_000}, excluded_llm_metadata_keys=["title"]
        ),
        TextNode(text="가" * 20_000),
    ]
    nodes += [TextNode(text=f"node {number}") for number in range(1_000)]
    get_response_synthesizer(scripted_llm(), response_mode="generation").synthesize(
        QUESTION, [NodeWithScore(node=node) for node in nodes]
    )

    assert len(background.only.notes) == 1_002
    assert [len(note.content) for note in background.only.notes[:2]] == [4, 20_000]
    assert len(background.only.notes[0].title) == 500


NOTHING = signature(lambda: None).bind()


def test_answers_that_never_end_are_bounded(background):
    handler = SearchQASpanHandler(background, max_open=10)
    bound = signature(lambda message: None).bind(QUESTION)
    chat = simple_chat()
    ids = [f"SimpleChatEngine.chat-{number:036}" for number in range(1_000)]
    for id_ in ids:
        handler.span_enter(id_, bound, instance=chat)
        handler.span_enter(f"{id_}-inner", NOTHING, parent_id=id_)

    assert len(handler._answers) == 20
    for id_ in ids:
        handler.span_drop(id_, NOTHING, err=RuntimeError())
    assert len(handler._answers) == 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forking beside a thread
def test_a_forked_child_has_a_lock_and_open_answers_of_its_own():
    answers = OpenAnswers(10)
    answers.begin_answer("span", None, QUESTION)
    with answers._lock:
        child = os.fork()
        if not child:
            os._exit(answers._lock.locked() or len(answers) > 0)
    assert os.waitpid(child, 0)[1] == 0
    assert len(answers) == 1


def test_a_background_that_breaks_does_not_break_the_query(caplog, monkeypatch, background):
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("secret text of the answer")

    monkeypatch.setattr(background, "submit", broken)
    with caplog.at_level(logging.WARNING, "searchqa_client"):
        assert str(engine(streaming=True).query(QUESTION)) == ANSWER

    assert "An answer will not be judged: ValueError" in caplog.text
    assert "secret" not in caplog.text


def test_a_model_outside_of_answers_is_not_asked_for_its_metadata(caplog, handler):
    class Unknown(ScriptedLLM):
        @property
        def metadata(self) -> LLMMetadata:
            raise ValueError("unknown model")

    with caplog.at_level(logging.WARNING, "searchqa_client"):
        handler.span_enter("Unknown.complete", signature(print).bind(), Unknown(replies=[ANSWER]))

    assert not caplog.records


def test_shutdown_flushes(handler, background):
    handler.close()

    assert background.flushed


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(asked=values, result=values, found=values)
def test_spans_of_any_content_never_raise(asked, result, found):
    background = RecordedBackground()
    handler = SearchQASpanHandler(background)
    chat = simple_chat()
    root, inner = f"SimpleChatEngine.chat-{'0' * 36}", f"FixedRetriever.retrieve-{'1' * 36}"
    handler.span_enter(root, signature(lambda message: None).bind(asked), instance=chat)
    handler.span_enter(inner, NOTHING, instance=notes(), parent_id=root)
    handler.span_exit(inner, NOTHING, instance=notes(), result=found)
    handler.span_exit(root, NOTHING, instance=chat, result=result)
    handler.span_exit("", NOTHING, result=result)

    assert len(handler._answers) == 0
    assert background.submitted == []
