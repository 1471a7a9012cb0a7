"""Files of test cases: what is written is read again, and what is wrong is named by its line."""

import io
import json
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.formats import (
    ImportedCases,
    Passage,
    pack,
    read_beir,
    read_csv,
    read_jsonl,
    read_trec,
    unpack,
    write_beir,
    write_csv,
    write_jsonl,
    write_trec,
)
from app.experiments.datasets.formats.csv_file import COLUMNS
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
def test_jsonl_says_the_same_again(cases: list[TestCase]) -> None:
    assert read_jsonl(write_jsonl(cases)) == ImportedCases(cases)


@given(CASES)
def test_csv_says_the_same_again(cases: list[TestCase]) -> None:
    assert read_csv(write_csv(cases)) == ImportedCases(cases)


@given(CASES)
def test_beir_says_the_same_again(cases: list[TestCase]) -> None:
    passages = [
        Passage(each, "제목", "글")
        for each in sorted({each for case in cases for each in case.ground_truth_chunk_ids})
    ]
    files = unpack(pack(write_beir(cases, passages)))
    read = read_beir(files["queries.jsonl"], files["qrels/test.tsv"], files["corpus.jsonl"])
    assert read == ImportedCases(cases, [], passages)


@given(CASES)
def test_trec_carries_questions_and_chunks(cases: list[TestCase]) -> None:
    files = write_trec(cases)
    read = read_trec(files["topics.tsv"], files["qrels.txt"]).cases
    assert [(case.id, case.question, case.ground_truth_chunk_ids) for case in read] == [
        (case.id, " ".join(case.question.split()), case.ground_truth_chunk_ids) for case in cases
    ]


def test_cases_without_ids_get_one_where_a_format_needs_it() -> None:
    cases = [TestCase("가나다?", ("c",), None, "ko", "q1"), TestCase("라마바?", ("c",), None, "ko")]
    files = write_beir(cases)
    read = read_beir(files["queries.jsonl"], files["qrels/test.tsv"]).cases
    assert [case.id for case in read] == ["q1", "q2"]
    assert read_jsonl(write_jsonl(cases)).cases == cases


def test_the_language_is_told_from_the_question_and_a_bom_does_not_matter() -> None:
    line = b'{"question": "How long?", "ground_truth_chunk_ids": ["c"]}'
    assert read_jsonl(BOM + line).cases == [TestCase("How long?", ("c",), None, "en")]


READERS: list[Callable[[bytes], ImportedCases]] = [
    read_jsonl,
    read_csv,
    lambda data: read_beir(data, data),
    lambda data: read_trec(data, data),
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("data", [b"", BOM, b"\n \r\n"])
def test_an_empty_file_is_refused(read: Callable[[bytes], ImportedCases], data: bytes) -> None:
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
def test_a_wrong_line_of_jsonl_is_named(line: bytes, problem: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_jsonl(write_jsonl([CASE]) + b"\n" + line)
    assert caught.value.detail["en"].startswith("Line 3: ")
    assert caught.value.detail["ko"].startswith("3번째 줄: ")
    assert problem in caught.value.detail["en"]


def test_what_is_left_out_is_told() -> None:
    line = {"question": "변성 온도는?", "ground_truth_chunk_ids": ["c1"], "colour": 1}
    data = "\n".join([json.dumps(line), json.dumps(line)]).encode()
    read = read_jsonl(data)
    assert len(read.cases) == 1
    assert [notice.en for notice in read.notices] == [
        "The field 'colour' (first on line 1) is not known and was ignored.",
        "Left out, same question and chunks as before: line 2.",
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
def test_csv_as_spreadsheets_write_it(delimiter: str, encoding: str) -> None:
    rows = [["question", "ground_truth_chunk_ids", "note"], ["변성 온도는?", "c1 c2", "x"]]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    read = read_csv(text.encode(encoding))
    assert read.cases == [TestCase("변성 온도는?", ("c1", "c2"), None, "ko")]
    assert "'note'" in read.notices[0].en


@pytest.mark.parametrize("cell", ["c1 c2", "c1,c2", "c1; c2", "c1|c2", '["c1", "c2"]'])
def test_csv_takes_ids_as_people_separate_them(cell: str) -> None:
    quoted = cell.replace('"', '""')
    data = f'question,ground_truth_chunk_ids\nwhy so?,"{quoted}"\n'.encode()
    assert read_csv(data).cases[0].ground_truth_chunk_ids == ("c1", "c2")


def test_no_cell_of_csv_is_a_formula() -> None:
    cases = [TestCase("＝HYPERLINK(1)", ("@c",), "-1", "en", "+q")]
    row = write_csv(cases).decode("utf-8-sig").splitlines()[1]
    assert row.startswith("'+q,'＝HYPERLINK(1),")
    assert read_csv(write_csv(cases)).cases == cases


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
def test_a_wrong_row_of_csv_is_named(rows: str, start: str, problem: str) -> None:
    if not start:
        assert len(read_csv(rows.encode()).cases) == 1
        return
    with pytest.raises(InvalidRequest) as caught:
        read_csv(rows.encode())
    assert caught.value.detail["en"].startswith(start)
    assert problem in caught.value.detail["en"]


QUERIES = b'{"_id": "q1", "text": "How long?"}\n{"_id": "q2", "text": "How far?", "metadata": {}}'


def test_judgments_of_beir_become_chunks() -> None:
    qrels = b"query-id\tcorpus-id\tscore\nq1\td2\t2\nq1\td1\t1\nq1\td3\t0\n"
    read = read_beir(QUERIES, qrels, b'{"_id": "d1", "text": "x"}')
    assert read.cases == [TestCase("How long?", ("d2", "d1"), None, "en", "q1")]
    assert read.passages == [Passage("d1", "", "x")]
    told = " ".join(notice.en for notice in read.notices)
    assert "1 queries have no relevant document" in told
    assert "1 judgments of 0 or less" in told
    assert "1 judgments are higher than 1" in told
    assert "1 judged documents are not in corpus.jsonl" in told


@pytest.mark.parametrize(
    ("queries", "qrels", "problem"),
    [
        (QUERIES, b"q1\td1\t1\nq9\td1\t1", "Line 2 of qrels/test.tsv: query 'q9' is not in"),
        (QUERIES, b"q1 d1 1", "Line 1 of qrels/test.tsv: the line has 1 columns"),
        (QUERIES, b"q1\td1\tyes", "Line 1 of qrels/test.tsv: the relevance is 'yes'"),
        (QUERIES, b"q1\td1\t1\nq1\td1\t1", "Line 2 of qrels/test.tsv: query 'q1' and document"),
        (QUERIES, b"q1\t\xff\t1", "Line 1 of qrels/test.tsv: this is not UTF-8"),
        (QUERIES + b"\n" + QUERIES, b"q1\td1\t1", "Line 3 of queries.jsonl: the id 'q1'"),
        (b'{"_id": "q1"}', b"q1\td1\t1", "Line 1 of queries.jsonl: text"),
    ],
)
def test_a_wrong_line_of_beir_is_named(queries: bytes, qrels: bytes, problem: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_beir(queries, qrels)
    assert caught.value.detail["en"].startswith(problem)


TAGGED = b"""<top>
<num> Number: 301
<title> International  crime
<desc> Description:
Something else.
</top>

<top>
<num> 302 </num>
<title> Topic: Polio </title>
</top>
"""


def test_tagged_topics_are_read_by_their_titles() -> None:
    read = read_trec(TAGGED, b"301 0 A-1 1\n301 0 A-2 0\n302 Q0 A-3 1\n")
    assert [(case.id, case.question, case.ground_truth_chunk_ids) for case in read.cases] == [
        ("301", "International crime", ("A-1",)),
        ("302", "Polio", ("A-3",)),
    ]


@pytest.mark.parametrize(
    ("topics", "problem"),
    [
        (b"1\twhy\n2 how", "Line 2 of topics.tsv: the line has no tab"),
        (b"1\twhy\n1\thow", "Line 2 of topics.tsv: the id '1'"),
        (b"1\twhy\n2\t\xff", "Line 2 of topics.tsv: this is not UTF-8"),
        (TAGGED + b"<top>\n<num> 303\n</top>", "Line 12 of topics.tsv: the topic lacks"),
    ],
)
def test_a_wrong_topic_is_named(topics: bytes, problem: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        read_trec(topics, b"1 0 d 1")
    assert caught.value.detail["en"].startswith(problem)


def test_an_archive_may_hold_everything_in_one_folder() -> None:
    files = {"queries.jsonl": b"q", "qrels/test.tsv": b"r"}
    assert unpack(pack({f"set/{name}": data for name, data in files.items()})) == files
    assert pack(files) == pack(dict(files))


def test_what_is_no_archive_or_too_large_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="no ZIP archive"):
        unpack(b"PK\3\4 but no more")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w") as archive:
        for number in range(101):
            archive.writestr(f"{number}", b"")
    with pytest.raises(InvalidRequest, match="more than 100 files"):
        unpack(bomb.getvalue())
