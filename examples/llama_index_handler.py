"""A LlamaIndex query engine whose answers are judged by a span handler, with their nodes."""

from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.llms import MockLLM
from llama_index.core.schema import Document
from searchqa_client.llama_index import SearchQASpanHandler

get_dispatcher().add_span_handler(SearchQASpanHandler())

documents = [
    Document(text="출장 숙박비는 1박에 15만 원까지 정산한다.", metadata={"title": "출장 규정"})
]
index = VectorStoreIndex.from_documents(documents, embed_model=MockEmbedding(embed_dim=8))
model = MockLLM()  # repeats what it is asked
# from llama_index.llms.openai import OpenAI; model = OpenAI(model="gpt-6-luna")
engine = index.as_query_engine(llm=model)
print(engine.query("출장 숙박비는 얼마까지 정산되나요?"))
