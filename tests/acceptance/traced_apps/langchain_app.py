"""A retrieval chain of LangChain as OpenInference instruments it. Where its spans go, the
environment says: OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS."""

import sys

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LangChainInstrumentor().instrument(tracer_provider=provider)

NOTES = [
    Document("PCR 변성은 95도에서 30초 동안 한다.", metadata={"title": "PCR 조건"}),
    Document("배양기는 37도로 맞춘다.", metadata={"title": "배양기"}),
]


class Notes(BaseRetriever):
    """All of them, whatever is asked."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return NOTES


def joined(documents: list[Document]) -> str:
    return "\n".join(document.page_content for document in documents)


prompt = ChatPromptTemplate.from_template("{context}\n\n질문: {question}")
model = FakeListChatModel(responses=["변성은 95도에서 30초 동안 합니다. [노트 1]"])
chain = (
    {"context": Notes() | joined, "question": RunnablePassthrough()}
    | prompt
    | model
    | StrOutputParser()
)
chain.invoke(sys.argv[1])
provider.shutdown()
