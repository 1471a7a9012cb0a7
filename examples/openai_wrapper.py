"""The OpenAI SDK: calls within `context` are judged, whole or streamed, with the notes it names."""

import httpx
from openai import OpenAI
from searchqa_client.openai import context, judged

ANSWER = "1박에 15만 원까지 정산됩니다. [노트 1]"


def canned(request: httpx.Request) -> httpx.Response:
    """In place of a model server."""
    message = {"role": "assistant", "content": ANSWER}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "canned"}
    return httpx.Response(200, json=reply | {"choices": [choice]})


openai = OpenAI(api_key="none", http_client=httpx.Client(transport=httpx.MockTransport(canned)))
# openai = OpenAI()
client = judged(openai)

question = "출장 숙박비는 얼마까지 정산되나요?"
notes = [{"title": "출장 규정", "content": "출장 숙박비는 1박에 15만 원까지 정산한다."}]
prompt = f"{notes[0]['content']}\n\n질문: {question}"
with context(notes, question=question):
    reply = client.chat.completions.create(
        model="gpt-6-luna", messages=[{"role": "user", "content": prompt}]
    )
print(reply.choices[0].message.content)
