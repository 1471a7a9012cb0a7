"""Test cases as TREC topics and qrels, the files that trec_eval and its relatives read."""

import re
from collections.abc import Iterable, Iterator

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.formats.imported import ImportedCases, at_line, on_line, with_ids
from app.experiments.datasets.formats.judged import Query, join, repeated
from app.experiments.datasets.formats.lines import lines_of, text_of
from app.experiments.datasets.formats.qrels import read_trec_qrels, write_trec_qrels
from app.platform.errors import InvalidRequest

TOPICS = "topics.tsv"
QRELS = "qrels.txt"

_TOP = re.compile(r"<top>(?P<body>.*?)(?:</top>|(?=<top>)|\Z)", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number:\s*)?([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:\s*)?([^<]*)", re.IGNORECASE)


def read_trec(topics: bytes, qrels: bytes) -> ImportedCases:
    """A case for each topic with a relevant document.

    topics: lines of id, tab, question; or the tagged form with <top>, <num> and <title>, whose
    title is the question. qrels: lines of topic, iteration, document, relevance. Raises
    InvalidRequest naming file and line of what is wrong.
    """
    queries: dict[str, Query] = {}
    for number, name, text in _topics(topics):
        if name in queries:
            raise at_line(repeated(name, queries[name].line), number, TOPICS)
        queries[name] = Query(number, text)
    collected, notices = join(queries, read_trec_qrels(qrels, QRELS), TOPICS, QRELS)
    return collected.imported(notices)


def _topics(data: bytes) -> Iterator[tuple[int, str, str]]:
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:5].lower() == b"<top>":
        yield from _tagged(data)
        return
    for number, raw in lines_of(data):
        with on_line(number, TOPICS):
            name, tab, text = text_of(raw).partition("\t")
            if not tab:
                raise InvalidRequest(
                    "the line has no tab; write the topic's id, a tab and the question.",
                    ko="탭이 없습니다. 토픽 id, 탭, 질문 순으로 적어 주세요.",
                )
        yield number, name.strip(), text.strip()


def _tagged(data: bytes) -> Iterator[tuple[int, str, str]]:
    with on_line(1, TOPICS):
        text = text_of(data)
    line, counted = 1, 0
    for topic in _TOP.finditer(text):
        line += text.count("\n", counted, topic.start())
        counted = topic.start()
        number = _NUMBER.search(topic["body"])
        title = _TITLE.search(topic["body"])
        if number is None or title is None:
            problem = InvalidRequest(
                "the topic lacks <num> or <title>; write both.",
                ko="토픽에 <num>이나 <title>이 없습니다. 둘 다 적어 주세요.",
            )
            raise at_line(problem, line, TOPICS)
        yield line, number[1], " ".join(title[1].split())


def write_trec(cases: Iterable[TestCase]) -> dict[str, bytes]:
    """The files by their names. Questions are put on one line; reference answers and languages
    have no place in these files. Cases without an id get q1, q2, …"""
    named = with_ids(cases)
    topics = "".join(f"{name}\t{' '.join(case.question.split())}\n" for name, case in named)
    judged = ((name, each) for name, case in named for each in case.ground_truth_chunk_ids)
    return {TOPICS: topics.encode(), QRELS: write_trec_qrels(judged)}
