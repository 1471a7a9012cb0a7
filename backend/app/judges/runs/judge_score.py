"""The score of one answer in one respect."""

from dataclasses import dataclass

from app.judges.search_qa.verdict import SearchQAEvaluation


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """score: 0 to 1, 0 where the judge gave no usable verdict (`parsed` is False).

    reasoning: in the words of the judge, or why its reply could not be used.
    spans: places in the answer, (start, end) in characters, that nothing supports; None where the
    judge does not give places. evaluation: the verdict whose correctness the score is, None where
    there is none.
    """

    score: float
    reasoning: str
    parsed: bool
    spans: tuple[tuple[int, int], ...] | None = None
    evaluation: SearchQAEvaluation | None = None
