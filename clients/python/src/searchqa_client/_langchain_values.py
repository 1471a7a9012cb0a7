"""What inputs and outputs of LangChain's runs hold: documents, text, names of models."""

from collections.abc import Mapping, Sequence

from langchain_core.documents import Document
from langchain_core.outputs import LLMResult

from searchqa_client._collecting import (
    Turns,
    field_of,
    is_of_role,
    last_of_role,
    name_or_none,
    text_of,
    turns_before,
)


def documents_in(value: object) -> list[Document]:
    """Those of a list, perhaps paired with scores, or of the lists in a mapping."""
    if isinstance(value, Mapping):
        return [one for part in value.values() for one in _listed_documents(part)]
    return _listed_documents(value)


def _listed_documents(value: object) -> list[Document]:
    if not isinstance(value, list | tuple):
        return []
    firsts = (one[0] if isinstance(one, tuple) and one else one for one in value)
    return [one for one in firsts if isinstance(one, Document)]


def text_in(
    value: object, keys: Sequence[str], roles: Sequence[str], others: Sequence[str] = ()
) -> str:
    """Empty where there is none. A mapping without any of several `keys` may have one text. Of
    messages it is that of the last one of `roles`, if none of `others` comes after it."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        given = [value[key] for key in keys if key in value]
        if not given and len(keys) > 1:
            given = [part for part in value.values() if isinstance(part, str)]
            given = given if len(given) == 1 else []
        return next(filter(None, (text_in(part, keys, roles, others) for part in given)), "")
    messages = value if isinstance(value, list | tuple) else [value]
    message = last_of_role(messages, *roles, *others)
    if is_of_role(message, others) or field_of(message, "tool_calls"):
        return ""
    return text_of(field_of(message, "content"))


def turns_in(value: object, asking: Sequence[str], answering: Sequence[str]) -> Turns | None:
    """The turns before the question of an input: of its `chat_history`, else of its messages."""
    if isinstance(value, Mapping):
        if earlier := value.get("chat_history"):
            asked = {"role": asking[0], "content": "?"}
            messages = [*earlier, asked] if isinstance(earlier, list | tuple) else None
            return turns_before(messages, asking, answering)
        value = value.get("messages", value.get("input"))
    return turns_before(value, asking, answering)


def model_of(response: object) -> str | None:
    """What an LLMResult says of its model: for all generations, or in a message's metadata."""
    names = [field_of(field_of(response, "llm_output"), "model_name")]
    for generations in response.generations if isinstance(response, LLMResult) else ():
        for generation in generations:
            said = field_of(field_of(generation, "message"), "response_metadata")
            names += [field_of(said, "model_name"), field_of(said, "model")]
    return next(filter(None, map(name_or_none, names)), None)
