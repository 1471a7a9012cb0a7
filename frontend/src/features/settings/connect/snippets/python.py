# pip install ./clients/python
from searchqa_client import Background, Note

judge = Background(url="{{url}}", token="{{token}}")
judge.submit(
    "{{question}}",
    "{{answer}}",
    [Note(title="{{title}}", content="{{note}}")],
)
