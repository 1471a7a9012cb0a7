"""The documents that a span carries, with their texts."""

import re
from collections.abc import Iterable, Iterator, Mapping

from app.integrations.traces.spans import Document, RawSpan, SpanKind, Value
from app.integrations.traces.texts import PASSED_ON, RETRIEVED, document_of, documents_in, parsed

_DOCUMENT = re.compile(
    r"(?P<of>retrieval\.documents|reranker\.output_documents)\.(?P<index>\d{1,6})\.document\."
    r"(?P<field>id|content|score|metadata)"
)
_RETRIEVING = frozenset({SpanKind.RETRIEVER, SpanKind.RERANKER})
_OUTPUTS = ("output.value", "traceloop.entity.output")
_INPUTS = ("input.value", "traceloop.entity.input")
_PLACES = {
    **dict.fromkeys(_RETRIEVING, _OUTPUTS),
    **dict.fromkeys((SpanKind.CHAIN, SpanKind.AGENT), (*_OUTPUTS, *_INPUTS)),
}
_MAX_TEXTLESS = 1_000_000


def is_document(key: str) -> bool:
    """Whether an attribute describes a retrieved document."""
    return bool(_DOCUMENT.fullmatch(key)) or key.startswith("db.query.result")


def documents_of(kind: SpanKind, span: RawSpan) -> tuple[list[Document], int]:
    """Those with text, and how many have none."""
    found = list(_described(kind, span))
    documents = [document for each in found if (document := document_of(each))]
    if not documents:
        documents = _documents_elsewhere(kind, span)
    return documents, 0 if documents else min(len(found), _MAX_TEXTLESS)


def _documents_elsewhere(kind: SpanKind, span: RawSpan) -> list[Document]:
    """Documents in the output of a retriever, and in what a chain passes on."""
    keys = _PLACES.get(kind, ())
    for key in keys:
        named = RETRIEVED if kind in _RETRIEVING else PASSED_ON
        found = map(document_of, documents_in(span.attributes.get(key), named))
        if documents := [document for document in found if document]:
            return documents
    return []


def _described(kind: SpanKind, span: RawSpan) -> Iterable[Mapping[str, Value]]:
    """The documents that conventions put into attributes and events."""
    of = "reranker.output_documents" if kind is SpanKind.RERANKER else "retrieval.documents"
    indexed: dict[int, dict[str, Value]] = {}
    for key, value in span.attributes.items():
        found = _DOCUMENT.fullmatch(key)
        if found and found["of"] == of:
            indexed.setdefault(int(found["index"]), {})[found["field"]] = value
    yield from (indexed[index] for index in sorted(indexed))
    sources = (span.attributes, *(attributes for _, attributes in span.events))
    for attributes in sources:
        yield from _listed(attributes.get("gen_ai.retrieval.documents"))
    prefix = "db.query.result."
    for name, attributes in span.events:
        if name == "db.query.result":
            yield {key.removeprefix(prefix): value for key, value in attributes.items()}


def _listed(value: Value) -> Iterator[Mapping[str, Value]]:
    documents = parsed(value)
    if isinstance(documents, list):
        yield from (each for each in documents if isinstance(each, Mapping))
