"""LangChain: has each answer of a chain or agent judged, with the documents it retrieved.

    from searchqa_client.langchain import SearchQACallback

    judging = SearchQACallback()
    chain.invoke({"input": question}, config={"callbacks": [judging]})

One callback serves any number of runs, in any threads and event loops, streamed or not.

What is submitted, once per root run that ends well:

- **question**: the input, if it is text or messages (the last human one); of a mapping what is
  under `question`, `query`, `input` or `messages`, or its only text; or what `question_key` names;
- **answer**: the output, if it is text or messages (the last AI one, without tool calls, if no
  human one follows it); of a mapping what is under `answer`, `output`, `result` or `messages`; or
  what `answer_key` names;
- **history**: the messages before the question, or what the input has under `chat_history`;
- **notes**: what retrievers returned within the run, and documents in its input; where there are
  none, documents that its steps returned. A retriever within a retriever (compression, several
  queries) does not count: the outer one has the last word on what the model sees.

Nothing is submitted for a run that fails or whose stream is left before its end, nor where no
document was retrieved or given: then there is nothing to judge the answer by. A retriever that
finds nothing does count.

Not supported: outputs of a structured type (name a field of a mapping by `answer_key`), images, and
what tools return as text (only retrievers and documents are notes).
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document

from searchqa_client import Background
from searchqa_client._collecting import (
    OpenRuns,
    default_background,
    distinct,
    field_of,
    name_or_none,
    never_raises,
    note_of,
)
from searchqa_client._forks import starts_over_in_children
from searchqa_client._langchain_values import documents_in, model_of, text_in, turns_in
from searchqa_client.attributes import current_attributes

QUESTION_KEYS = ("question", "query", "input", "messages")
ANSWER_KEYS = ("answer", "output", "result", "messages")
_HUMAN = ("human", "user")
_AI = ("ai", "AIMessageChunk", "assistant")


@dataclass(slots=True)
class _Root:
    """What is known of an answer in the making. open_models: calls of models that have begun and
    not ended; returned: documents that steps gave on."""

    id: UUID
    inputs: object
    model: str | None = None
    retrieved: bool = False
    documents: list[Document] = field(default_factory=list)
    returned: list[Document] = field(default_factory=list)
    attributes: Mapping[str, object] = field(default_factory=current_attributes)
    open_models: set[UUID] = field(default_factory=set)


@dataclass(slots=True)
class _Run:
    root: _Root
    is_retriever: bool
    in_retriever: bool


class SearchQACallback(BaseCallbackHandler):
    """Submits through `background`; by default through one that the process shares, set by
    SEARCHQA_URL and SEARCHQA_TOKEN.

    question_key, answer_key: where the root's input and output have them, if not under the usual
    keys. feature, profile: sent with each answer. max_open: roots that may be open at a time; the
    oldest beyond it are given up.
    """

    run_inline = True  # a few microseconds each: a thread per event would cost far more

    def __init__(
        self,
        background: Background | None = None,
        *,
        question_key: str | None = None,
        answer_key: str | None = None,
        feature: str | None = None,
        profile: str | None = None,
        max_open: int = 1_000,
    ) -> None:
        self.background = background or default_background()
        self._question_keys = (question_key,) if question_key else QUESTION_KEYS
        self._answer_keys = (answer_key,) if answer_key else ANSWER_KEYS
        self._feature = feature
        self._profile = profile
        self._max_open = max_open
        self._start_over()
        starts_over_in_children(self)

    def _start_over(self) -> None:
        """Called in a forked child: the runs that are open are its parent's."""
        self._lock = threading.Lock()
        self._open: OpenRuns[_Run] = OpenRuns(self._max_open)

    @never_raises
    def on_chain_start(
        self,
        serialized: object,
        inputs: object,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: object,
    ) -> None:
        self._begin(run_id, parent_run_id, inputs)

    @never_raises
    def on_tool_start(
        self,
        serialized: object,
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: object,
    ) -> None:
        self._begin(run_id, parent_run_id)

    @never_raises
    def on_retriever_start(
        self,
        serialized: object,
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: object,
    ) -> None:
        self._begin(run_id, parent_run_id, retriever=True)

    @never_raises
    def on_llm_start(
        self,
        *_: object,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: Mapping[str, object] | None = None,
        **kwargs: object,
    ) -> None:
        self._begin_model(run_id, parent_run_id, metadata)

    on_chat_model_start = on_llm_start

    @never_raises
    def on_retriever_end(
        self, documents: Sequence[Document], *, run_id: UUID, **kwargs: object
    ) -> None:
        with self._lock:
            run = self._open.get(run_id)
            if run and not run.in_retriever:
                run.root.retrieved = True
                run.root.documents += documents_in(documents)
        self._end(run_id)

    @never_raises
    def on_llm_end(self, response: object, *, run_id: UUID, **kwargs: object) -> None:
        with self._lock:
            run = self._open.get(run_id)
            if run:
                run.root.model = model_of(response) or run.root.model
        self._end(run_id)

    @never_raises
    def on_tool_end(self, output: object, *, run_id: UUID, **kwargs: object) -> None:
        self._end(run_id, output)

    @never_raises
    def on_chain_end(
        self, outputs: object, *, run_id: UUID, inputs: object = None, **kwargs: object
    ) -> None:
        """inputs: given at the end by streamed runs, which begin before they know them."""
        root = self._end(run_id, outputs)
        # LangChain also reports a stream as ended that its reader has left: a model is still open.
        if root is None or root.id != run_id or root.open_models:
            return
        self._submit(root, root.inputs if inputs is None else inputs, outputs)

    @never_raises
    def on_chain_error(self, error: BaseException, *, run_id: UUID, **kwargs: object) -> None:
        self._end(run_id)

    on_tool_error = on_chain_error
    on_retriever_error = on_chain_error
    on_llm_error = on_chain_error

    def _begin(
        self,
        run_id: UUID,
        parent_run_id: UUID | None,
        inputs: object = None,
        *,
        retriever: bool = False,
    ) -> _Root:
        """A run is a root if its parent is not known here: the callback may be attached to a part
        of a larger chain."""
        with self._lock:
            parent = self._open.get(parent_run_id)
            root = parent.root if parent else _Root(run_id, inputs)
            below = parent is not None and (parent.is_retriever or parent.in_retriever)
            self._open.begin(run_id, root.id, _Run(root, retriever, below))
        return root

    def _begin_model(self, run_id: UUID, parent_run_id: UUID | None, metadata: object) -> None:
        root = self._begin(run_id, parent_run_id)
        with self._lock:
            root.open_models.add(run_id)
            root.model = name_or_none(field_of(metadata, "ls_model_name")) or root.model

    def _end(self, run_id: UUID, output: object = None) -> _Root | None:
        with self._lock:
            run = self._open.get(run_id)
            if run is None:
                return None
            root = run.root
            if run_id == root.id:
                self._open.release(run_id)
                return root
            self._open.end(run_id, root.id)
            root.open_models.discard(run_id)
            if not root.documents:
                root.returned += documents_in(output)
        return root

    def _submit(self, root: _Root, inputs: object, outputs: object) -> None:
        question = text_in(inputs, self._question_keys, _HUMAN)
        # A graph that stopped before it answered ends with the question, behind older answers.
        answer = text_in(outputs, self._answer_keys, _AI, _HUMAN)
        documents = [*root.documents, *documents_in(inputs)] or root.returned
        if not question.strip() or not answer.strip() or not (root.retrieved or documents):
            return
        self.background.submit(
            question,
            answer,
            distinct(note_of(one.page_content, one.metadata) for one in documents),
            feature=self._feature,
            model=root.model,
            profile=self._profile,
            history=turns_in(inputs, _HUMAN, _AI),
            idempotency_key=str(root.id),
            attributes=root.attributes,
        )
