"""An answer that is shown only if its notes bear it out, known within a second and a half."""

from searchqa_client import SearchQA

QUESTION = "출장 숙박비는 얼마까지 정산되나요?"
NOTES = [{"title": "출장 규정", "content": "출장 숙박비는 1박에 15만 원까지 정산한다."}]
ANSWER = "1박에 25만 원까지 정산됩니다. [노트 1]"  # what your model wrote

with SearchQA() as searchqa:
    found = searchqa.guard(QUESTION, ANSWER, NOTES, within=1.5)  # never raises
print(found.decision, found.reason)
print(ANSWER if found.allowed else "담당자에게 확인한 뒤 알려 드리겠습니다.")
