"""LlamaIndex: has each answer of query engines, chat engines and agents judged, with its nodes.

    from llama_index.core.instrumentation import get_dispatcher
    from searchqa_client.llama_index import SearchQASpanHandler

    get_dispatcher().add_span_handler(SearchQASpanHandler())

From then on every outermost `query`, `chat`, `stream_chat` and `synthesize`, their async forms, and
every `run` of an agent submits its answer once, streamed or not:

- **question**: the query or message, as it was asked; for agents the user's message;
- **notes**: the source nodes of the answer, as the model was given them. Of queries within it
  (sub-questions, routers, tools of agents) those nodes count, not the answers made from them.
  Where the answer names none, what retrievers returned within it.

Nothing is submitted for a call that fails, for a stream that is left before its end, or where
nothing was retrieved: then there is nothing to judge the answer by.

Not supported: structured answers (`PydanticResponse`), images, workflows other than agents, and
what tools of agents return as text. Of a streamed answer `response_gen` is replaced by one that
gives the same tokens.
"""

from collections.abc import AsyncGenerator, Callable, Generator
from inspect import BoundArguments

from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, BaseWorkflowAgent
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.base.llms.types import LLMMetadata
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.chat_engine.types import (
    AgentChatResponse,
    BaseChatEngine,
    StreamingAgentChatResponse,
)
from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import MetadataMode, NodeWithScore
from pydantic import PrivateAttr

from searchqa_client import Background
from searchqa_client._collecting import (
    distinct,
    field_of,
    last_of_role,
    never_raises,
    note_of,
    text_of,
)
from searchqa_client._llama_index_answers import Answer, OpenAnswers

# By the class that answers: its methods, and the argument with the question.
_ASKED = (
    (BaseQueryEngine, ("query", "aquery"), "str_or_query_bundle"),
    (BaseChatEngine, ("chat", "achat", "stream_chat", "astream_chat"), "message"),
    (BaseSynthesizer, ("synthesize", "asynthesize"), "query"),
    (BaseWorkflowAgent, ("run",), "start_event"),
    (AgentWorkflow, ("run",), "start_event"),
)
_UUID_CHARS = 36


class SearchQASpanHandler(BaseSpanHandler[BaseSpan]):
    """Submits through `background`, by default one set by SEARCHQA_URL and SEARCHQA_TOKEN.

    feature, profile: sent with each answer. max_open: answers that may be in the making at a time;
    the oldest beyond it are given up.
    """

    _background: Background = PrivateAttr()
    _answers: OpenAnswers = PrivateAttr()
    _feature: str | None = PrivateAttr()
    _profile: str | None = PrivateAttr()

    def __init__(
        self,
        background: Background | None = None,
        *,
        feature: str | None = None,
        profile: str | None = None,
        max_open: int = 1_000,
    ) -> None:
        super().__init__()
        self._background = background or Background()
        self._answers = OpenAnswers(max_open)
        self._feature = feature
        self._profile = profile

    @classmethod
    def class_name(cls) -> str:
        return "SearchQASpanHandler"

    @never_raises
    def span_enter(
        self,
        id_: str,
        bound_args: BoundArguments,
        instance: object = None,
        parent_id: str | None = None,
        tags: object = None,
        **kwargs: object,
    ) -> None:
        method = id_[: -_UUID_CHARS - 1].rpartition(".")[2]
        asked = _argument_asked(instance, method)
        # A synthesizer within a query engine makes the answer of that engine.
        if asked and not (isinstance(instance, BaseSynthesizer) and self._answers.has(parent_id)):
            question = _question_in(bound_args.arguments.get(asked))
            self._answers.begin_answer(id_, parent_id, question)
        else:
            is_retriever = isinstance(instance, BaseRetriever) and method.endswith("retrieve")
            model = _model_of(instance) if isinstance(instance, BaseLLM) else None
            self._answers.begin_step(id_, parent_id, is_retriever=is_retriever, model=model)

    @never_raises
    def span_exit(
        self,
        id_: str,
        bound_args: BoundArguments,
        instance: object = None,
        result: object = None,
        **kwargs: object,
    ) -> None:
        answer = self._answers.end(id_, _nodes_in(result))
        if isinstance(instance, StreamingAgentChatResponse):
            self._submit_written(instance)
        elif answer:
            self._finish(answer, result)

    @never_raises
    def span_drop(
        self,
        id_: str,
        bound_args: BoundArguments,
        instance: object = None,
        err: BaseException | None = None,
        **kwargs: object,
    ) -> None:
        self._answers.drop(id_)
        if isinstance(instance, StreamingAgentChatResponse):
            self._answers.take_stream(instance)

    def close(self) -> None:
        """Sends what waits; called by the dispatcher's `shutdown`."""
        self._answers.clear()
        self._background.flush()

    def new_span(self, *args: object, **kwargs: object) -> None:
        """Spans are kept by span_enter."""

    def prepare_to_exit_span(self, *args: object, **kwargs: object) -> None:
        """Spans are ended by span_exit."""

    def prepare_to_drop_span(self, *args: object, **kwargs: object) -> None:
        """Spans are ended by span_drop."""

    def _finish(self, answer: Answer, result: object) -> None:
        """The call has returned; a stream has its text at its end only."""

        def submit(text: str) -> None:
            self._submit(answer, text)

        if isinstance(result, StreamingAgentChatResponse):
            self._answers.await_stream(result, answer)
            if result.is_done or result.exception:
                self._submit_written(result)
        elif isinstance(result, StreamingResponse) and result.response_gen:
            result.response_gen = _written(result.response_gen, submit)
        elif isinstance(result, AsyncStreamingResponse) and result.response_gen:
            result.response_gen = _awritten(result.response_gen, submit)
        else:
            submit(_text_in(result))

    def _submit_written(self, stream: StreamingAgentChatResponse) -> None:
        answer = self._answers.take_stream(stream)
        if answer and not stream.exception:
            self._submit(answer, stream.response)

    @never_raises
    def _submit(self, answer: Answer, text: str) -> None:
        nodes = answer.nodes
        if not answer.question.strip() or not text.strip() or not (answer.retrieved or nodes):
            return
        contents = ((node.get_content(MetadataMode.LLM), node.metadata) for node in nodes)
        self._background.submit(
            answer.question,
            text,
            distinct(note_of(content, metadata) for content, metadata in contents),
            feature=self._feature,
            model=answer.model,
            profile=self._profile,
            idempotency_key=answer.span_id[-_UUID_CHARS:],
        )


def _argument_asked(instance: object, method: str) -> str | None:
    for kind, methods, argument in _ASKED:
        if isinstance(instance, kind) and method in methods:
            return argument
    return None


def _question_in(asked: object) -> str:
    """Of a text, a QueryBundle, a ChatMessage or the event that starts an agent."""
    if isinstance(asked, str):
        return asked
    said = field_of(asked, "query_str") or field_of(asked, "user_msg") or field_of(asked, "content")
    if not said:
        history = field_of(asked, "chat_history")
        said = last_of_role(history, "user")
    return said if isinstance(said, str) else text_of(field_of(said, "content"))


def _nodes_in(result: object) -> list[NodeWithScore]:
    """What a retriever found, or what a response names as its sources."""
    nodes = result if isinstance(result, list) else field_of(result, "source_nodes")
    listed = nodes if isinstance(nodes, list) else []
    return [one for one in listed if isinstance(one, NodeWithScore)]


def _text_in(result: object) -> str:
    """Empty for what is no text; of an agent the last message."""
    if isinstance(result, Response | AgentChatResponse):
        return result.response or ""
    output = field_of(result, "result")
    return output.response.content or "" if isinstance(output, AgentOutput) else ""


def _model_of(llm: BaseLLM) -> str | None:
    name = llm.metadata.model_name
    return None if name == LLMMetadata.model_fields["model_name"].default else name


def _written(
    tokens: Generator[str, None, None], done: Callable[[str], None]
) -> Generator[str, None, None]:
    parts = []
    for token in tokens:
        parts.append(token)
        yield token
    done("".join(parts))


async def _awritten(
    tokens: AsyncGenerator[str, None], done: Callable[[str], None]
) -> AsyncGenerator[str, None]:
    parts = []
    async for token in tokens:
        parts.append(token)
        yield token
    done("".join(parts))
