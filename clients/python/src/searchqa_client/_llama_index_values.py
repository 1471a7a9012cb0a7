"""What calls and results of LlamaIndex hold: questions, nodes, text, names of models."""

from collections.abc import AsyncGenerator, Callable, Generator
from typing import TypeVar

from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, BaseWorkflowAgent
from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.base.llms.types import ChatResponse, LLMMetadata
from llama_index.core.base.response.schema import Response
from llama_index.core.chat_engine.types import AgentChatResponse, BaseChatEngine
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import NodeWithScore

from searchqa_client._collecting import field_of, last_of_role, text_of

PartT = TypeVar("PartT")

# By the class that answers: its methods, and the argument with the question.
_ASKED = (
    (BaseQueryEngine, ("query", "aquery"), "str_or_query_bundle"),
    (BaseChatEngine, ("chat", "achat", "stream_chat", "astream_chat"), "message"),
    (BaseSynthesizer, ("synthesize", "asynthesize"), "query"),
    (BaseWorkflowAgent, ("run",), "start_event"),
    (AgentWorkflow, ("run",), "start_event"),
)


def argument_asked(instance: object, method: str) -> str | None:
    for kind, methods, argument in _ASKED:
        if isinstance(instance, kind) and method in methods:
            return argument
    return None


def question_in(asked: object) -> str:
    """Of a text, a QueryBundle, a ChatMessage or the event that starts an agent."""
    if isinstance(asked, str):
        return asked
    said = field_of(asked, "query_str") or field_of(asked, "user_msg") or field_of(asked, "content")
    if not said:
        history = field_of(asked, "chat_history")
        said = last_of_role(history, "user")
    return said if isinstance(said, str) else text_of(field_of(said, "content"))


def nodes_in(result: object) -> list[NodeWithScore]:
    """What a retriever found, or what a response names as its sources."""
    nodes = result if isinstance(result, list) else field_of(result, "source_nodes")
    listed = nodes if isinstance(nodes, list) else []
    return [one for one in listed if isinstance(one, NodeWithScore)]


def text_in(result: object) -> str:
    """Empty for what is no text; of an agent the last message."""
    if isinstance(result, Response | AgentChatResponse):
        return result.response or ""
    output = field_of(result, "result")
    return output.response.content or "" if isinstance(output, AgentOutput) else ""


def model_of(llm: BaseLLM) -> str | None:
    name = llm.metadata.model_name
    return None if name == LLMMetadata.model_fields["model_name"].default else name


def delta_of(part: ChatResponse) -> str:
    return part.delta or ""


def written(
    parts: Generator[PartT, None, None], done: Callable[[str], None], text: Callable[[PartT], str]
) -> Generator[PartT, None, None]:
    texts = []
    for part in parts:
        texts.append(text(part))
        yield part
    done("".join(texts))


async def awritten(
    parts: AsyncGenerator[PartT, None], done: Callable[[str], None], text: Callable[[PartT], str]
) -> AsyncGenerator[PartT, None]:
    texts = []
    async for part in parts:
        texts.append(text(part))
        yield part
    done("".join(texts))
