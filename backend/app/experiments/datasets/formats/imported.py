"""What a reader hands over: cases, passages, and notices on what it left out."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.experiments.datasets.cases import TestCase
from app.platform.errors import InvalidRequest
from app.text.language import Lang, detect_language

_LINES_NAMED = 5


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence for the reader, in both languages."""

    en: str
    ko: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A document of a BEIR corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ImportedCases:
    """cases: at least one. passages: of BEIR with a corpus only."""

    cases: list[TestCase]
    notices: list[Notice] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)


def at_line(error: InvalidRequest, number: int, file: str | None = None) -> InvalidRequest:
    """The error with the line it is about, from 1, and the file where there are several."""
    where = (f" of {file}", f"{file} ") if file else ("", "")
    return InvalidRequest(
        f"Line {number}{where[0]}: {error.detail['en']}",
        ko=f"{where[1]}{number}번째 줄: {error.detail['ko']}",
    )


@contextmanager
def on_line(number: int, file: str | None = None) -> Iterator[None]:
    """Raises an InvalidRequest of its block with the line it is about."""
    try:
        yield
    except InvalidRequest as error:
        raise at_line(error, number, file) from error


def case_of(
    question: str,
    chunk_ids: Iterable[str],
    *,
    reference_answer: str | None = None,
    lang: str | None = None,
    case_id: str | None = None,
) -> TestCase:
    """A case from the fields of a file; an empty optional text counts as left out."""
    told: Lang
    if lang in ("ko", "en"):
        told = "ko" if lang == "ko" else "en"
    elif lang:
        raise InvalidRequest(
            f"lang is {lang!r}; write ko or en, or leave it out.",
            ko=f"lang이 {lang!r}입니다. ko나 en을 쓰거나 비워 두세요.",
        )
    else:
        told = detect_language(question)
    reference = reference_answer if reference_answer and reference_answer.strip() else None
    return TestCase(question, tuple(chunk_ids), reference, told, case_id or None)


class Collected:
    """Cases of a file as they are read: refuses an id that comes twice, leaves out a case that
    repeats another one word for word, and reports it."""

    def __init__(self) -> None:
        self.cases: list[TestCase] = []
        self._line_of_id: dict[str, int] = {}
        self._seen: set[tuple[str, frozenset[str]]] = set()
        self._repeated: list[int] = []

    def add(self, case: TestCase, line: int) -> None:
        """Raises InvalidRequest, without the line."""
        if case.id is not None:
            if case.id in self._line_of_id:
                first = self._line_of_id[case.id]
                raise InvalidRequest(
                    f"the id {case.id!r} is that of line {first}; give each case its own.",
                    ko=f"id {case.id!r}은(는) {first}번째 줄과 같습니다. 서로 다르게 적어 주세요.",
                )
            self._line_of_id[case.id] = line
        key = (case.question, frozenset(case.ground_truth_chunk_ids))
        if key in self._seen:
            self._repeated.append(line)
            return
        self._seen.add(key)
        self.cases.append(case)

    def imported(
        self, notices: Iterable[Notice] = (), passages: Iterable[Passage] = ()
    ) -> ImportedCases:
        """Raises InvalidRequest when there are no cases."""
        if not self.cases:
            raise empty_file()
        told = list(notices)
        if self._repeated:
            told.append(
                Notice(
                    f"Left out, same question and chunks as before: {lines_en(self._repeated)}.",
                    f"앞과 질문·청크가 같아 뺀 줄: {lines_ko(self._repeated)}.",
                )
            )
        return ImportedCases(self.cases, told, list(passages))


def empty_file() -> InvalidRequest:
    return InvalidRequest(
        "The file holds no test cases; write at least one question with its chunk ids.",
        ko="테스트 케이스가 없습니다. 질문과 청크 id를 하나 이상 적어 주세요.",
    )


def unknown_fields(found: dict[str, int]) -> list[Notice]:
    """found: fields that mean nothing here, with the first line of each."""
    return [
        Notice(
            f"The field {name!r} (first on line {line}) is not known and was ignored.",
            f"알 수 없는 필드 {name!r}({line}번째 줄부터)은(는) 무시했습니다.",
        )
        for name, line in found.items()
    ]


def lines_en(lines: list[int]) -> str:
    more = f" and {len(lines) - _LINES_NAMED} more" if len(lines) > _LINES_NAMED else ""
    return f"line {', '.join(map(str, lines[:_LINES_NAMED]))}{more}"


def lines_ko(lines: list[int]) -> str:
    more = f" 외 {len(lines) - _LINES_NAMED}줄" if len(lines) > _LINES_NAMED else ""
    return f"{', '.join(map(str, lines[:_LINES_NAMED]))}번째 줄{more}"


def with_ids(cases: Iterable[TestCase]) -> list[tuple[str, TestCase]]:
    """Each case with its id, or with q1, q2, … where it has none and that is free."""
    cases = list(cases)
    taken = {case.id for case in cases if case.id is not None}
    named = []
    number = 0
    for case in cases:
        name = case.id
        while name is None:
            number += 1
            name = f"q{number}" if f"q{number}" not in taken else None
        named.append((name, case))
    return named
