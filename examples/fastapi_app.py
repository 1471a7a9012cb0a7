"""A FastAPI application whose answers are judged after the response is sent.

uvicorn --app-dir examples fastapi_app:app --port 8000
curl 'http://127.0.0.1:8000/ask?question=…'
"""

from typing import Annotated

from fastapi import Depends, FastAPI
from searchqa_client.fastapi import Judge, Judging

judging = Judging()
app = FastAPI(lifespan=judging.lifespan)

NOTES = [{"title": "출장 규정", "content": "출장 숙박비는 1박에 15만 원까지 정산한다."}]


@app.get("/ask")
async def ask(question: str, judge: Annotated[Judge, Depends(judging)]) -> str:
    answer = "1박에 15만 원까지 정산됩니다. [노트 1]"  # what your model wrote
    judge.submit(question, answer, NOTES)
    return answer
