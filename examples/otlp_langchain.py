"""A LangChain chain that OpenInference instruments. Nothing in it knows of SearchQA: where its
spans go, the environment says.

export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:8765
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$SEARCHQA_TOKEN"
"""

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
LangChainInstrumentor().instrument(tracer_provider=provider)

store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
store.add_documents(
    [Document("출장 숙박비는 1박에 15만 원까지 정산한다.", metadata={"title": "출장 규정"})]
)
model = FakeListChatModel(responses=["1박에 15만 원까지 정산됩니다. [노트 1]"])
# from langchain_openai import ChatOpenAI; model = ChatOpenAI(model="gpt-6-luna")
prompt = ChatPromptTemplate.from_template("{context}\n\n질문: {question}")
chain = {"context": store.as_retriever(), "question": RunnablePassthrough()} | prompt | model
print(chain.invoke("출장 숙박비는 얼마까지 정산되나요?").content)
provider.shutdown()  # sends what is left
