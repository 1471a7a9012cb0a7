"""What reads texts of strangers does work in proportion to their length.

Work is counted in lines of our own code that run; regular expressions, whose work no line shows,
have tests of their own (test_linear_patterns). What neither sees, such as a text copied once for
each of its parts, the last test would not get through: it reads long texts with little CPU time.
"""

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import app
from app.ai_router.prompts.quoting import fence, quote, quoted
from app.ai_router.providers import extractive
from app.answering.refine.query_rewriter import query_of
from app.experiments.datasets.files import read_csv
from app.experiments.datasets.rule_questions import SourceChunk, key_sentences
from app.judges import answer_parts as marks
from app.judges.answer import AnswerToJudge
from app.judges.model.ask_judge import parse_reply
from app.judges.phases.citation import cite
from app.judges.phases.groundedness import evaluate_groundedness
from app.judges.phases.reading import Reading
from app.judges.published.search_qa import _Verdict
from app.judges.quotes import Locator, quote_found
from app.judges.rules import judge as rules_judge
from app.notes.importers import parse_jsonl, parse_markdown
from app.notes.importers.html import TooLong, html_to_markdown
from app.notes.indexing import split_chunks
from app.platform.errors import InvalidRequest, MalformedOutput
from app.text import morphemes
from app.text.language import detect_language, is_third_language
from app.text.passages import telling_quote
from app.text.redaction import Redactor
from app.text.sentences import split_sentences
from app.text.standalone import stand_alone
from app.text.turns import Turn, recent_turns
from cases import for_each
from hostile_text import FRAGMENTS

pytestmark = pytest.mark.slow

REDACTOR = Redactor(b"key of thirty-two bytes or longer")
QUESTION, ANSWER = "노트 1은 no 답?", "냉동고는 영하 80도이다. [노트 1] It is 5 mg."
# Four times the text may be so many times the work.
GROWTH = 6
# A longer text is cut into passages, and analysed anew each time.
SMALL = 1_100

Reader = Callable[[str], object]
PARSERS: dict[str, Reader] = {
    "sentences": split_sentences,
    "chunks": split_chunks,
    "language": lambda text: (detect_language(text), is_third_language(text)),
    "html": html_to_markdown,
    "markdown": lambda text: parse_markdown(text, "a.md"),
    "front_matter": lambda text: parse_markdown(f"---\n{text}\n---\n", "a.md"),
    "jsonl": lambda text: parse_jsonl(text.encode()),
    "marks": lambda text: (
        marks.cited_notes(text),
        marks.mark_spans(text),
        marks.without_marks(text),
    ),
    "fence": lambda text: fence(text, b"key"),
    "quote": lambda text: (quote("text", text), quoted("text", text)),
    "judge_reply": lambda text: parse_reply(text, _Verdict),
    "quote_found": lambda text: quote_found(text[:50], text),
    "locator": lambda text: Locator(text).find("가나다"),
    "rewritten_query": lambda text: query_of(text, QUESTION),
    "redaction": lambda text: REDACTOR.redact(text),
    "turns": lambda text: stand_alone(text, recent_turns([Turn(text, text)] * 20)),
    "csv": lambda text: read_csv(f"question,ground_truth_chunk_ids\n{text}".encode()),
}
JUDGES: dict[str, Reader] = {
    "morphemes": morphemes.morphemes,
    "search_terms": lambda text: morphemes.search_terms_of_many([text]),
    "telling_quote": lambda text: telling_quote(text, ["노트", "no"]),
    "questions": lambda text: list(key_sentences(SourceChunk("c", "n", "제목", text))),
    "judge_answer": lambda text: rules_judge.judge(_given(QUESTION, text, ANSWER)),
    "judge_note": lambda text: rules_judge.judge(_given(QUESTION, ANSWER, text)),
    "judge_question": lambda text: rules_judge.judge(_given(text, ANSWER, ANSWER)),
    "phases": lambda text: _phases(text),
    "extractive": lambda text: extractive.answer(QUESTION, ["t"], [text]),
    "extractive_question": lambda text: extractive.answer(text, ["t"], [ANSWER]),
    "summary": extractive.summarise,
}


def _given(question: str, answer: str, note: str) -> AnswerToJudge:
    return AnswerToJudge.from_texts(question, answer, [note], ["t"])


def _phases(text: str) -> None:
    reading = Reading(_given(QUESTION, text, ANSWER))
    cite(reading)
    evaluate_groundedness(reading)


def read(reader: Reader, text: str) -> None:
    """A sentence that says what is wrong is an answer too."""
    with contextlib.suppress(InvalidRequest, MalformedOutput, TooLong):
        reader(text)


def lines_run(reader: Reader, text: str) -> int:
    count = 0
    known: dict[CodeType, bool] = {}
    ours = str(Path(app.__file__).parent)

    def call(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        code = frame.f_code
        if code not in known:
            known[code] = code.co_filename.startswith(ours)
        if not known[code]:
            return None
        count += 1
        return line

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += 1
        return line

    before = sys.gettrace()
    sys.settrace(call)
    try:
        read(reader, text)
    finally:
        sys.settrace(before)
    return count


def slow(reader: Reader, fragments: Sequence[str], size: int) -> Iterator[tuple[str, int, int]]:
    for fragment in fragments:
        less, more = (fragment * (most // len(fragment)) for most in (size, 4 * size))
        # The first time some sentences become known that the second finds ready.
        for text in (less, more):
            read(reader, text)
        few, many = lines_run(reader, less), lines_run(reader, more)
        if many > GROWTH * max(few, 50):
            yield fragment, few, many


@for_each("name", PARSERS)
def test_four_times_the_text_is_four_times_the_work(name):
    assert list(slow(PARSERS[name], FRAGMENTS[::2], SMALL)) == []


@pytest.mark.parametrize("name", JUDGES)
def test_four_times_the_text_is_four_times_the_work_of_judging(name, monkeypatch):
    # Both texts are analysed in parts, which takes lines that a single part does not.
    monkeypatch.setattr(morphemes, "MAX_ANALYSED_CHARS", 500)
    assert list(slow(JUDGES[name], FRAGMENTS[::6], SMALL)) == []


def test_a_square_would_be_found():
    def square(text: str) -> int:
        return len(Locator(text)._text) + sum(len(split_sentences(text)) for _ in text)

    assert list(slow(square, [". "], 100)) != []


LONG_TEXTS = [
    "." * 49_000 + "x",
    "." * 200_000,
    "<p>" + " " * 50_000,
    "<a " * 60_000,
    "<!--" * 50_000,
    "<![" * 60_000,
    "no " * 4_000,
    "가나다라 " * 2_500,
    "한" * 12_500,
    "다.\n[노트 1]" * 15_000,
    "다. " + "[노트 1]." * 15_000 + "x",
    "\n" * 200_000,
    "# " * 60_000,
    "<ol><li>" * 20_000,
    "<ol>" + "<li>a</li>" * 15_000,
    "<pre>" + " " * 150_000 + "x",
    "<b>" * 60_000,
    "[노트 " + ", ".join(map(str, range(1, 400))) + " 참고]",
    "[Notes " + ", ".join(map(str, range(1, 400))) + " and 400]",
    "(note " + " , ".join(map(str, range(1, 400))),
]
# Notes and answers are cut to about this before they are judged; the first part is as hostile.
MAX_JUDGED = 13_000
CPU_SECONDS = 120


def read_long_texts() -> None:
    for text in LONG_TEXTS:
        for reader in PARSERS.values():
            read(reader, text)
        for reader in JUDGES.values():
            read(reader, text[:MAX_JUDGED])


def test_long_texts_are_read_with_little_cpu_time():
    """They take some ten seconds. Each was one that took minutes, or that never ended."""
    limited = (
        f"import resource; resource.setrlimit(resource.RLIMIT_CPU, ({CPU_SECONDS},) * 2);"
        f"import sys; sys.path[:0] = {[str(Path(__file__).parent), *sys.path]!r};"
        "import test_linear_parsers; test_linear_parsers.read_long_texts()"
    )
    ended = subprocess.run([sys.executable, "-c", limited], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
