# pip install './clients/python[llama-index]'
from llama_index.core.instrumentation import get_dispatcher
from searchqa_client import Background
from searchqa_client.llama_index import SearchQASpanHandler

background = Background(url="{{url}}", token="{{token}}")
get_dispatcher().add_span_handler(SearchQASpanHandler(background))
