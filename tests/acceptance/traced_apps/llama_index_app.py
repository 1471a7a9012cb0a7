"""A query engine of LlamaIndex as OpenInference instruments it. Where its spans go, the environment
says: OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS."""

import sys
from typing import Any

from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(compression=Compression.Gzip)))
LlamaIndexInstrumentor().instrument(tracer_provider=provider)


class Model(CustomLLM):
    """Says the same whatever it is asked."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="canned")

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text="The incubator is kept at 37 degrees. [Note 1]")

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
        raise NotImplementedError


class Notes(BaseRetriever):
    """One of them, whatever is asked."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        node = TextNode(
            text="The incubator is kept at 37 degrees Celsius.", metadata={"title": "Incubator"}
        )
        return [NodeWithScore(node=node, score=0.8)]


RetrieverQueryEngine.from_args(Notes(), llm=Model()).query(sys.argv[1])
provider.shutdown()
