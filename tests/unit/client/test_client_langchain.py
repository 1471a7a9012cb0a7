"""Real chains of LangChain, with the fake models that it ships."""

import asyncio
import logging
import os
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.agents import AgentFinish
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.tools import tool
from searchqa_client import Note, propagate_attributes
from searchqa_client.langchain import SearchQACallback

from scripted_http import RecordedBackground

PCR = Document(page_content="변성은 95도에서 30초 동안 한다.", metadata={"title": "PCR 조건"})
INCUBATOR = Document(page_content="배양기는 37도로 맞춘다.", metadata={"source": "배양기.md"})
QUESTION = "PCR 변성은 몇 도에서 하나요?"
ANSWER = "95도에서 합니다. [노트 1]"


class FixedRetriever(BaseRetriever):
    documents: list[Document] = [PCR, INCUBATOR]  # noqa: RUF012  pydantic copies it

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return self.documents


class CompressingRetriever(BaseRetriever):
    """Keeps the first document of another retriever, as rerankers do."""

    base: BaseRetriever

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return self.base.invoke(query, config={"callbacks": run_manager.get_child()})[:1]


def model(*answers: str) -> FakeListChatModel:
    return FakeListChatModel(responses=list(answers or [ANSWER]))


def rag(retriever: Runnable[Any, Any] | None = None, llm: Any = None) -> Runnable[Any, Any]:
    """The chain that LangChain's own tutorial builds."""
    prompt = ChatPromptTemplate.from_messages([("system", "{context}"), ("human", "{question}")])
    inputs = {"context": retriever or FixedRetriever(), "question": RunnablePassthrough()}
    return inputs | prompt | (llm or model()) | StrOutputParser()


@pytest.fixture
def callback(background: RecordedBackground) -> Iterator[SearchQACallback]:
    callback = SearchQACallback(background)
    yield callback
    assert len(callback._open) == 0, "runs are released when they end"


def config(callback: SearchQACallback) -> Any:
    return {"callbacks": [callback]}


def test_a_chain_submits_question_documents_and_answer(callback, background):
    assert rag().invoke(QUESTION, config(callback)) == ANSWER

    assert background.only.question == QUESTION
    assert background.only.answer == ANSWER
    assert background.only.notes == [
        Note(title="PCR 조건", content=PCR.page_content),
        Note(title="배양기.md", content=INCUBATOR.page_content),
    ]
    assert uuid.UUID(background.only.options["idempotency_key"])


@pytest.mark.parametrize(
    "inputs",
    [
        {"question": QUESTION, "chat_history": [("human", "여름에는?"), ("ai", "9시요.")]},
        {"messages": [HumanMessage("여름에는?"), AIMessage("9시요."), HumanMessage(QUESTION)]},
        [HumanMessage("여름에는?"), AIMessage("9시요."), HumanMessage(QUESTION)],
    ],
    ids=["chat_history", "messages", "a list"],
)
def test_earlier_messages_are_the_history(callback, background, inputs):
    chain = RunnableLambda(lambda _: QUESTION) | rag()

    chain.invoke(inputs, config(callback))

    assert background.only.question == QUESTION
    assert background.only.options["history"] == [("여름에는?", "9시요.")]


def test_a_streamed_chain_is_submitted_at_its_end(callback, background):
    stream = rag().stream(QUESTION, config(callback))
    with propagate_attributes(app_version="1.4.2"):
        chunks = [next(stream)]
    chunks += stream

    assert len(chunks) > 5
    assert background.only.options["attributes"] == {"app_version": "1.4.2"}
    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert len(background.only.notes) == 2


async def test_async_calls_streams_and_events(callback, background):
    assert await rag().ainvoke(QUESTION, config(callback)) == ANSWER
    assert "".join([chunk async for chunk in rag().astream(QUESTION, config(callback))]) == ANSWER
    async for _ in rag().astream_events(QUESTION, config(callback), version="v2"):
        pass
    found = [(one.question, one.answer, len(one.notes)) for one in background.submitted]
    assert found == [(QUESTION, ANSWER, 2)] * 3


async def test_a_stream_left_halfway_submits_nothing(callback, background):
    stream = rag().stream(QUESTION, config(callback))
    next(stream)
    stream.close()
    later = rag().astream(QUESTION, config(callback))
    await anext(later)
    await later.aclose()
    assert background.submitted == []


class EchoingRetriever(BaseRetriever):
    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return [Document(page_content=query.upper())]


async def test_concurrent_tasks_threads_and_a_batch(callback, background):
    echo = RunnableLambda(lambda prompt: AIMessage(prompt.to_messages()[-1].content[::-1]))
    chain, questions = rag(EchoingRetriever(), echo), [f"question {n}" for n in range(40)]
    await asyncio.gather(
        *(chain.ainvoke(each, config(callback)) for each in questions[:15]),
        *(asyncio.to_thread(chain.invoke, each, config(callback)) for each in questions[15:30]),
    )
    await chain.abatch(questions[30:], config(callback))
    found = {(one.question, one.answer, *one.contents) for one in background.submitted}
    assert found == {(each, each[::-1], each.upper()) for each in questions}


@pytest.mark.parametrize("failing", ["retriever", "model"])
def test_a_chain_that_fails_submits_nothing(callback, background, failing):
    def fail(_: Any) -> Any:
        raise RuntimeError("no")

    broken = RunnableLambda(fail)
    chain = rag(retriever=broken) if failing == "retriever" else rag(llm=broken)
    with pytest.raises(RuntimeError, match="no"):
        chain.invoke(QUESTION, config(callback))

    assert background.submitted == []


def test_a_failure_that_the_chain_gets_over_does_not_matter(callback, background):
    def fail(_: Any) -> Any:
        raise RuntimeError("no")

    chain = rag(llm=RunnableLambda(fail).with_fallbacks([model()]))
    chain.invoke(QUESTION, config(callback))

    assert background.only.answer == ANSWER


def test_the_outer_of_nested_retrievers_has_the_last_word(callback, background):
    rag(CompressingRetriever(base=FixedRetriever())).invoke(QUESTION, config(callback))

    assert background.only.contents == [PCR.page_content]


def test_several_retrievers_are_joined_without_doubles(callback, background):
    other = Document(page_content="전기영동은 100 V로 한다.")
    both = {"first": FixedRetriever(), "second": FixedRetriever(documents=[other, PCR])}
    rag(both | RunnableLambda(lambda found: found["first"] + found["second"])).invoke(
        QUESTION, config(callback)
    )

    assert sorted(background.only.contents) == sorted(
        [PCR.page_content, INCUBATOR.page_content, other.page_content]
    )


def test_documents_that_a_function_finds(callback, background):
    search = RunnableLambda(lambda _: [(PCR, 0.9), (INCUBATOR, 0.2)])
    rag(search).invoke(QUESTION, config(callback))

    assert background.only.contents == [PCR.page_content, INCUBATOR.page_content]


def test_documents_given_with_the_question(callback, background):
    chain = ChatPromptTemplate.from_template("{context} {input}") | model()
    chain.invoke({"input": QUESTION, "context": [PCR]}, config(callback))

    assert background.only.question == QUESTION
    assert background.only.answer == ANSWER
    assert background.only.contents == [PCR.page_content]


def test_a_retriever_that_finds_nothing_counts(callback, background):
    rag(FixedRetriever(documents=[])).invoke(QUESTION, config(callback))

    assert background.only.notes == []


@pytest.mark.parametrize(
    "chain",
    [
        ChatPromptTemplate.from_template("{input}") | model(),
        model(),
        FixedRetriever(),
        RunnableLambda(lambda question: question) | FixedRetriever(),
    ],
    ids=["no documents", "a model alone", "a retriever alone", "documents as the output"],
)
def test_what_is_no_answer_from_documents_is_left_alone(callback, background, chain):
    chain.invoke(QUESTION, config(callback))

    assert background.submitted == []


def test_a_callback_inside_of_a_larger_chain(callback, background):
    outer = RunnableLambda(lambda text: text.upper()) | rag().with_config(callbacks=[callback])
    outer.invoke("question")

    assert background.only.question == "QUESTION"


def agent(*said: AIMessage) -> Runnable[Any, Any]:
    """What agents are to callbacks: models and tools in turn below a root, with messages in and
    out."""
    turns = GenericFakeChatModel(messages=iter(said))

    @tool
    def search_notes(query: str) -> str:
        """Searches the notes."""
        return "\n".join(one.page_content for one in FixedRetriever().invoke(query))

    def run(state: dict[str, Any]) -> dict[str, Any]:
        messages = list(state["messages"])
        for _ in said:
            messages.append(turns.invoke(messages))
            messages += [search_notes.invoke(call) for call in messages[-1].tool_calls]
        return {"messages": messages}

    return RunnableLambda(run)


CALL = {"name": "search_notes", "args": {"query": "PCR"}, "id": "1"}


def test_an_agent_with_tools(callback, background):
    steps = agent(AIMessage("", tool_calls=[CALL]), AIMessage(ANSWER))
    state = steps.invoke(
        {"messages": [SystemMessage("…"), HumanMessage(QUESTION)]}, config(callback)
    )

    assert any(isinstance(message, ToolMessage) for message in state["messages"])
    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)
    assert background.only.contents == [PCR.page_content, INCUBATOR.page_content]


def test_an_agent_that_stops_at_a_tool_call_has_no_answer(callback, background):
    steps = agent(AIMessage("I look it up.", tool_calls=[CALL]))
    steps.invoke({"messages": [("user", QUESTION)]}, config(callback))

    assert background.submitted == []


def test_the_name_of_the_model(callback, background):
    named = AIMessage(ANSWER, response_metadata={"model_name": "gpt-4o-mini"})
    chain = rag(llm=GenericFakeChatModel(messages=iter([named])))
    chain.invoke(QUESTION, config(callback))
    rag(llm=FakeListLLM(responses=[ANSWER], metadata={"ls_model_name": "tiny"})).invoke(
        QUESTION, config(callback)
    )

    assert [one.options.get("model") for one in background.submitted] == ["gpt-4o-mini", "tiny"]


def test_options_go_with_each_answer(background):
    callback = SearchQACallback(background, feature="search_qa", profile="초보 연구원")
    rag().invoke(QUESTION, config(callback))

    options = background.only.options
    assert (options["feature"], options["profile"]) == ("search_qa", "초보 연구원")


@pytest.mark.parametrize(
    ("inputs", "question"),
    [
        (QUESTION, QUESTION),
        ({"question": QUESTION, "history": "…"}, QUESTION),
        ({"query": QUESTION, "k": 3}, QUESTION),
        ({"text": QUESTION, "k": 3}, QUESTION),
        ({"input": {"question": QUESTION}}, QUESTION),
        (HumanMessage(QUESTION), QUESTION),
        ([HumanMessage("old"), AIMessage("old"), HumanMessage(QUESTION)], QUESTION),
        ({"messages": [("user", QUESTION)]}, QUESTION),
        ({"messages": [{"role": "user", "content": QUESTION}]}, QUESTION),
        ([HumanMessage([{"type": "text", "text": QUESTION}, {"type": "image_url"}])], QUESTION),
        ({"one": "text", "another": "text"}, None),
        ({"question": None, "note": "text"}, None),
        ({"messages": [AIMessage("hello")]}, None),
        ([], None),
        (None, None),
        (5, None),
        (b"bytes", None),
        ("  \n", None),
    ],
)
def test_where_the_question_is(callback, background, inputs, question):
    RunnableLambda(lambda _: FixedRetriever().invoke("x") and ANSWER).invoke(
        inputs, config(callback)
    )

    assert [one.question for one in background.submitted] == [question] * (question is not None)


@pytest.mark.parametrize(
    ("outputs", "answer"),
    [
        (ANSWER, ANSWER),
        (AIMessage(ANSWER), ANSWER),
        (AIMessageChunk(ANSWER), ANSWER),
        (AIMessage([{"type": "reasoning"}, {"type": "text", "text": ANSWER}]), ANSWER),
        ({"answer": ANSWER, "context": [PCR], "input": "x"}, ANSWER),
        ({"output": AIMessage(ANSWER)}, ANSWER),
        ({"result": ANSWER, "source_documents": [PCR]}, ANSWER),
        ({"reply": ANSWER, "tokens": 7}, ANSWER),
        ({"messages": [HumanMessage("x"), AIMessage(ANSWER)]}, ANSWER),
        ({"messages": [AIMessage("", tool_calls=[CALL])], "summary": "text"}, None),
        ([HumanMessage("x"), AIMessage(ANSWER)], ANSWER),
        (HumanMessage("x"), None),
        ([AIMessage("old"), HumanMessage("x")], None),
        ({"messages": [AIMessage("old"), ToolMessage("y", tool_call_id="1"), ("user", "x")]}, None),
        ([{"role": "assistant", "content": "old"}, {"role": "user", "content": "x"}], None),
        ([HumanMessage("x"), ("ai", ANSWER)], ANSWER),
        ({"answer": ""}, None),
        ({}, None),
        ([], None),
        (None, None),
        (0.5, None),
        (AgentFinish({"output": ANSWER}, ""), None),
    ],
)
def test_where_the_answer_is(callback, background, outputs, answer):
    chain = FixedRetriever() | RunnableLambda(lambda _: outputs)
    chain.invoke(QUESTION, config(callback))

    assert [one.answer for one in background.submitted] == [answer] * (answer is not None)


def test_keys_that_the_caller_names(background):
    callback = SearchQACallback(background, question_key="ask", answer_key="final")
    steps = RunnableLambda(
        lambda given: {
            "docs": FixedRetriever().invoke(given["ask"]),
            "final": ANSWER,
            "answer": "?",
        }
    )
    steps.invoke({"ask": QUESTION, "question": "?"}, config(callback))
    steps.invoke({"ask": QUESTION, "question": "?"} | {"ask": ""}, config(callback))

    assert (background.only.question, background.only.answer) == (QUESTION, ANSWER)


def test_odd_documents(callback, background):
    blank = Document(page_content=" \n")
    untitled = Document(page_content="te\0xt", metadata={"title": 5, "source": ["a"]})
    huge = Document(page_content="가" * 2_000_000, metadata={"title": "t" * 10_000})
    rag(FixedRetriever(documents=[blank, untitled, huge])).invoke(QUESTION, config(callback))

    assert [len(note.content) for note in background.only.notes] == [4, 2_000_000]
    assert [len(note.title) for note in background.only.notes] == [0, 500]


def test_a_thousand_documents(callback, background):
    documents = [Document(page_content=f"document {number}") for number in range(1_000)]
    rag(FixedRetriever(documents=documents)).invoke(QUESTION, config(callback))

    assert background.only.contents == [one.page_content for one in documents]


def test_roots_that_never_end_are_bounded(background):
    callback = SearchQACallback(background, max_open=10)
    roots = [uuid.uuid4() for _ in range(1_000)]
    for root in roots:
        callback.on_chain_start({}, QUESTION, run_id=root)
        callback.on_retriever_start({}, "x", run_id=uuid.uuid4(), parent_run_id=root)
    assert len(callback._open) == 20

    for root in roots:
        callback.on_chain_end(ANSWER, run_id=root)
    assert len(callback._open) == 0
    assert background.submitted == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of forking beside a thread
def test_a_forked_child_has_a_lock_and_open_runs_of_its_own(callback):
    root = uuid.uuid4()
    callback.on_chain_start({}, QUESTION, run_id=root)
    with callback._lock:
        child = os.fork()
        if not child:
            os._exit(callback._lock.locked() or len(callback._open) > 0)
    assert os.waitpid(child, 0)[1] == 0
    callback.on_chain_end(ANSWER, run_id=root)


def test_a_background_that_breaks_does_not_break_the_chain(
    caplog, callback, monkeypatch, background
):
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("secret text of the answer")

    monkeypatch.setattr(background, "submit", broken)
    with caplog.at_level(logging.WARNING):
        assert rag().invoke(QUESTION, config(callback)) == ANSWER

    assert "An answer will not be judged: ValueError" in caplog.text
    assert "secret" not in caplog.text


values = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.text()
    | st.binary()
    | st.just(PCR)
    | st.just(AIMessage("a")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text() | st.sampled_from(["messages", "input", "role"]), inner, max_size=3
        )
        | st.tuples(inner, inner)
    ),
    max_leaves=10,
)


@given(inputs=values, outputs=values, documents=values)
def test_events_of_any_content_never_raise(inputs, outputs, documents):
    background = RecordedBackground()
    callback = SearchQACallback(background)
    root, inner = uuid.uuid4(), uuid.uuid4()
    callback.on_chain_start(inputs, inputs, run_id=root)
    callback.on_llm_start(None, None, run_id=inner, parent_run_id=root, metadata=outputs)
    callback.on_llm_end(outputs, run_id=inner, parent_run_id=root)
    callback.on_retriever_start(None, inputs, run_id=inner, parent_run_id=root)
    callback.on_retriever_end(documents, run_id=inner, parent_run_id=root)
    callback.on_chain_end(outputs, run_id=root, inputs=inputs)
    callback.on_chain_end(outputs, run_id=root)
    callback.on_chain_error(None, run_id=uuid.uuid4())

    assert len(callback._open) == 0
    assert len(background.submitted) <= 1
    for one in background.submitted:
        assert one.question.strip()
        assert one.answer.strip()
