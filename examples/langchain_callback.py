"""A LangChain chain whose answers are judged by a callback, with the documents it retrieved."""

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from langchain_core.vectorstores import InMemoryVectorStore
from searchqa_client.langchain import SearchQACallback

store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
store.add_documents(
    [Document("출장 숙박비는 1박에 15만 원까지 정산한다.", metadata={"title": "출장 규정"})]
)
model = FakeListChatModel(responses=["1박에 15만 원까지 정산됩니다. [노트 1]"])
# from langchain_openai import ChatOpenAI; model = ChatOpenAI(model="gpt-6-luna")
prompt = ChatPromptTemplate.from_template("{context}\n\n질문: {question}")
chain = (
    {"context": store.as_retriever(), "question": RunnablePassthrough()}
    | prompt
    | model
    | StrOutputParser()
)

judging = SearchQACallback()
print(chain.invoke("출장 숙박비는 얼마까지 정산되나요?", config={"callbacks": [judging]}))
