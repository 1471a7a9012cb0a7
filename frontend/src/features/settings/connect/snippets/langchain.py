# pip install './clients/python[langchain]'
from searchqa_client import Background
from searchqa_client.langchain import SearchQACallback

judging = SearchQACallback(Background(url="{{url}}", token="{{token}}"))
chain.invoke("{{question}}", config={"callbacks": [judging]})
