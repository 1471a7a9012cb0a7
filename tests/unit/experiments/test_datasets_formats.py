"""Files of test cases: what is written is read again, and what is wrong is named by its line."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.files import COLUMNS, read_csv, read_jsonl, write_csv, write_jsonl
from app.platform.errors import InvalidRequest

BOM = b"\xef\xbb\xbf"
CASE = TestCase("변성 온도는?", ("c1", "c2"), "95도, 3분", "ko", "q1")

TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30
).filter(lambda text: bool(text.strip()))
ID = TEXT.filter(lambda text: not any(char.isspace() for char in text) and text[:1] != "\ufeff")
CASES = st.lists(
    st.builds(
        TestCase,
        TEXT,
        st.lists(ID, min_size=1, max_size=4, unique=True).map(tuple),
        st.none() | TEXT,
        st.sampled_from(["ko", "en"]),
        ID,
    ),
    min_size=1,
    max_size=6,
    unique_by=(lambda case: case.id, lambda case: " ".join(case.question.split())),
)


@given(CASES)
def test_jsonl_says_the_same_again(cases):
    assert read_jsonl(write_jsonl(cases)) == cases


@given(CASES)
def test_csv_says_the_same_again(cases):
    assert read_csv(write_csv(cases)) == cases


def test_the_language_is_told_from_the_question_and_a_bom_does_not_matter():
    line = b'{"question": "How long?", "ground_truth_chunk_ids": ["c"]}'
    assert read_jsonl(BOM + line) == [TestCase("How long?", ("c",), None, "en")]


READERS: list[Callable[[bytes], list[TestCase]]] = [read_jsonl, read_csv]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("data", [b"", BOM, b"\n \r\n"])
def test_an_empty_file_is_refused(read, data):
    with pytest.raises(InvalidRequest, match="holds no test cases"):
        read(data)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "not a JSON object"),
        (b"\xff", "not a JSON object"),
        (b"[" * 100_000, "not a JSON object"),
        (b"[]", "not an object"),
        (b'{"question": "a"}', "ground_truth_chunk_ids"),
        (b'{"question": 1, "ground_truth_chunk_ids": ["c"]}', "question"),
        (b'{"question": "a", "ground_truth_chunk_ids": "c"}', "ground_truth_chunk_ids"),
        (b'{"question": "a", "ground_truth_chunk_ids": []}', "name 1 to"),
        (b'{"question": "\\ud800", "ground_truth_chunk_ids": ["c"]}', "question"),
        (b'{"question": "a", "ground_truth_chunk_ids": ["c"], "lang": "de"}', "'de'"),
        (b'{"question": "a", "ground_truth_chunk_ids": ["c"], "id": "q1"}', "that of line 1"),
    ],
)
def test_a_wrong_line_of_jsonl_is_named(line, problem):
    with pytest.raises(InvalidRequest) as caught:
        read_jsonl(write_jsonl([CASE]) + b"\n" + line)
    assert caught.value.detail["en"].startswith("Line 3: ")
    assert caught.value.detail["ko"].startswith("3번째 줄: ")
    assert problem in caught.value.detail["en"]


def test_a_repeated_case_and_unknown_fields_are_left_out():
    line = {"question": "변성 온도는?", "ground_truth_chunk_ids": ["c1"], "colour": 1}
    data = "\n".join([json.dumps(line), json.dumps(line)]).encode()
    assert read_jsonl(data) == [TestCase("변성 온도는?", ("c1",), None, "ko")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
def test_csv_as_spreadsheets_write_it(delimiter, encoding):
    rows = [["question", "ground_truth_chunk_ids", "note"], ["변성 온도는?", "c1 c2", "x"]]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    read = read_csv(text.encode(encoding))
    assert read == [TestCase("변성 온도는?", ("c1", "c2"), None, "ko")]


@pytest.mark.parametrize("cell", ["c1 c2", "c1,c2", "c1; c2", "c1|c2", '["c1", "c2"]'])
def test_csv_takes_ids_as_people_separate_them(cell):
    quoted = cell.replace('"', '""')
    data = f'question,ground_truth_chunk_ids\nwhy so?,"{quoted}"\n'.encode()
    assert read_csv(data)[0].ground_truth_chunk_ids == ("c1", "c2")


def test_no_cell_of_csv_is_a_formula():
    cases = [TestCase("＝HYPERLINK(1)", ("@c",), "-1", "en", "+q")]
    row = write_csv(cases).decode("utf-8-sig").splitlines()[1]
    assert row.startswith("'+q,'＝HYPERLINK(1),")
    assert read_csv(write_csv(cases)) == cases


@pytest.mark.parametrize(
    ("rows", "start", "problem"),
    [
        ("question\nx", "Line 1: ", "header"),
        ("question,question,ground_truth_chunk_ids\n1,2,3", "Line 1: ", "header"),
        (f"{','.join(COLUMNS)}\nq1,a,c,,", "", ""),
        (f"{','.join(COLUMNS)}\n\nq1,a", "Line 3: ", "2 cells"),
        (f'{",".join(COLUMNS)}\nq1,"a\nb",c,,\nq1,b,c,,', "Line 4: ", "that of line 2"),
        (f'{",".join(COLUMNS)}\nq1,a,"[1]",,', "Line 2: ", "JSON list"),
        (f'{",".join(COLUMNS)}\nq1,"a,c', "Line 2: ", "not CSV"),
    ],
)
def test_a_wrong_row_of_csv_is_named(rows, start, problem):
    if not start:
        assert len(read_csv(rows.encode())) == 1
        return
    with pytest.raises(InvalidRequest) as caught:
        read_csv(rows.encode())
    assert caught.value.detail["en"].startswith(start)
    assert problem in caught.value.detail["en"]
