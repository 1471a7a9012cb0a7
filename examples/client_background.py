"""Handing answers over without waiting: a server that is away neither delays nor breaks the
application. What is still waiting is sent when the process ends."""

from searchqa_client import Background

background = Background()  # one for the whole process

NOTES = [{"title": "출장 규정", "content": "출장 숙박비는 1박에 15만 원까지 정산한다."}]


def answer(question: str) -> str:
    answer = "1박에 15만 원까지 정산됩니다. [노트 1]"  # what your model wrote
    background.submit(question, answer, NOTES)  # returns at once and never raises
    return answer


print(answer("출장 숙박비는 얼마까지 정산되나요?"))
background.flush()  # for the figures below alone
print(background.stats)
