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

Not supported: structured answers (`PydanticResponse`), images, what tools of agents return as text,
and workflows other than agents (each query within them is submitted by itself). The generator of a
streamed answer is replaced by one that gives the same tokens.
"""

from inspect import BoundArguments

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.base.response.schema import AsyncStreamingResponse, StreamingResponse
from llama_index.core.chat_engine.types import StreamingAgentChatResponse
from llama_index.core.instrumentation.span import BaseSpan
from llama_index.core.instrumentation.span_handlers import BaseSpanHandler
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import MetadataMode
from pydantic import PrivateAttr

from searchqa_client import Background
from searchqa_client._collecting import default_background, distinct, never_raises, note_of
from searchqa_client._llama_index_answers import Answer, OpenAnswers
from searchqa_client._llama_index_values import (
    argument_asked,
    awritten,
    delta_of,
    model_of,
    nodes_in,
    question_in,
    text_in,
    written,
)

_UUID_CHARS = 36


class SearchQASpanHandler(BaseSpanHandler[BaseSpan]):
    """Submits through `background`; by default through one that the process shares, set by
    SEARCHQA_URL and SEARCHQA_TOKEN.

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
        self._background = background or default_background()
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
        if isinstance(instance, StreamingAgentChatResponse):
            self._watch_writing(instance)
        method = id_[: -_UUID_CHARS - 1].rpartition(".")[2]
        asked = argument_asked(instance, method)
        # A synthesizer within a query engine makes the answer of that engine.
        if asked and not (isinstance(instance, BaseSynthesizer) and self._answers.has(parent_id)):
            question = question_in(bound_args.arguments.get(asked))
            self._answers.begin_answer(id_, parent_id, question)
        # What is asked outside of answers is nobody's business, and may have no metadata.
        elif self._answers.has(parent_id):
            is_retriever = isinstance(instance, BaseRetriever) and method.endswith("retrieve")
            model = model_of(instance) if isinstance(instance, BaseLLM) else None
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
        answer = self._answers.end(id_, nodes_in(result))
        if answer:
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
            self._answers.drop_stream(instance)

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
            if not result.is_writing_to_memory:
                self._watch_writing(result)
            self._meet(result, answer=answer)
            if result.exception:
                self._answers.drop_stream(result)
        elif isinstance(result, StreamingResponse) and result.response_gen:
            result.response_gen = written(result.response_gen, submit, str)
        elif isinstance(result, AsyncStreamingResponse) and result.response_gen:
            result.response_gen = awritten(result.response_gen, submit, str)
        else:
            submit(text_in(result))

    def _watch_writing(self, stream: StreamingAgentChatResponse) -> None:
        """Before its writer, or its reader where it has no writer, reads what the model says."""

        def done(text: str) -> None:
            self._meet(stream, text=text)

        if stream.chat_stream:
            stream.chat_stream = written(stream.chat_stream, done, delta_of)
        if stream.achat_stream:
            stream.achat_stream = awritten(stream.achat_stream, done, delta_of)

    @never_raises
    def _meet(
        self,
        stream: StreamingAgentChatResponse,
        *,
        answer: Answer | None = None,
        text: str | None = None,
    ) -> None:
        complete = self._answers.meet(stream, answer=answer, text=text)
        if complete:
            self._submit(*complete)

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
            attributes=answer.attributes,
        )
