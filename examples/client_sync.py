"""An answer of your own application, handed over and waited for."""

from searchqa_client import SearchQA

QUESTION = "출장 숙박비는 얼마까지 정산되나요?"
NOTES = [{"title": "출장 규정", "content": "출장 숙박비는 1박에 15만 원까지 정산한다."}]
ANSWER = "1박에 15만 원까지 정산됩니다. [노트 1]"  # what your model wrote

with SearchQA() as searchqa:  # SEARCHQA_URL and SEARCHQA_TOKEN say where
    handle = searchqa.submit(QUESTION, ANSWER, NOTES)
    verdict = handle.wait(timeout=60)

print(verdict.status, "by", verdict.judged_by)
if found := verdict.qa_evaluation:  # None where the status is failed or skipped
    print(found.confidence, found.correctness, found.utility, found.grounding_issues)
