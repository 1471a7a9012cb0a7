"""What must hold for any text at all."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from searchqa_client.sse import ServerEvent, SSEParser

from app.judges.model.ask_judge import parse_reply
from app.judges.published.search_qa import _Verdict
from app.notes.importers.markdown import split_front_matter
from app.platform.errors import MalformedOutput
from app.text.sentences import split_sentences

# The same examples on every run and machine, and none kept on disk.
few = settings(max_examples=60, derandomize=True, deadline=None, database=None)

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)
scores = st.floats(0, 1)
verdicts = st.fixed_dictionaries(
    {
        "grounding_issues": st.lists(texts, max_size=3),
        "source_coverage": st.lists(
            st.fixed_dictionaries(
                {
                    "note_index": st.integers(1, 9),
                    "cited": st.booleans(),
                    "relevant_claim": texts,
                    "quote": texts,
                }
            ),
            max_size=3,
        ),
        "summary": texts,
        "correctness": scores | st.sampled_from([0, 1]),
        "utility": scores,
    }
)
blanks = st.text(" \t\r\n", max_size=3)


def refused_or_whole(reply: str) -> None:
    try:
        found = parse_reply(reply, _Verdict)
    except MalformedOutput:
        return
    assert 0 <= found.correctness <= 1
    assert 0 <= found.utility <= 1


class TestReplies:
    @few
    @given(st.text(st.characters()))
    def test_any_text_is_a_verdict_or_malformed(self, reply):
        refused_or_whole(reply)

    @few
    @given(any_json)
    def test_any_json_is_a_verdict_or_malformed(self, value):
        refused_or_whole(json.dumps(value))

    @few
    @given(verdicts, st.sampled_from(list(_Verdict.model_fields)), any_json)
    def test_a_verdict_with_anything_in_a_field_too(self, verdict, field, value):
        refused_or_whole(json.dumps(verdict | {field: value}))

    @few
    @given(verdicts, st.data())
    def test_a_verdict_that_was_cut_is_malformed(self, verdict, data):
        reply = json.dumps(verdict)
        cut = data.draw(st.integers(0, len(reply) - 1))
        with pytest.raises(MalformedOutput):
            parse_reply(reply[:cut], _Verdict)

    @few
    @given(verdicts, blanks, blanks, st.booleans(), st.booleans())
    def test_a_verdict_comes_back_as_it_was(self, verdict, before, after, fenced, ascii_only):
        body = json.dumps(verdict, ensure_ascii=ascii_only)
        reply = f"```json\n{body}\n```" if fenced else body
        assert parse_reply(before + reply + after, _Verdict).model_dump() == verdict


# Words, marks, ends of sentences and of lines, in any order.
WORDS = [
    "변성은 95.5도이다.",
    "끝났다",
    "It ran.",
    "e.g.",
    "[노트 1]",
    "[Note 2, 3]",
    "2024. 3. 1.",
]
MARKS = [
    ". ",
    "? ",
    "…",
    "。",
    "다.",
    "- ",
    "1) ",
    "> ",
    "# ",
    '"',
    ")",
    "\n",
    "\r\n",
    "\u2028",
    "\t",
]
pieces = st.sampled_from(WORDS + MARKS)
prose = st.lists(pieces | st.text(max_size=4), max_size=30).map("".join)


class TestSentences:
    @few
    @given(prose)
    def test_spans_are_slices_in_order(self, text):
        end = 0
        for span in split_sentences(text):
            assert end <= span.start < span.end <= len(text)
            assert span.text == text[span.start : span.end]
            assert span.text == span.text.strip()
            assert any(char.isalnum() for char in span.text)
            end = span.end

    @few
    @given(prose)
    def test_no_letter_that_follows_no_list_mark_is_lost(self, text):
        kept = "".join(span.text for span in split_sentences(text))
        assert sum(map(str.isalpha, kept)) == sum(map(str.isalpha, text))


lines = st.sampled_from(
    [
        "data: {}",
        "data:",
        "data",
        "data: 가🌡",
        "id: 7-1",
        "event: quality",
        ": beat",
        "",
        "retry: 5",
    ]
)
streams = st.lists(st.tuples(lines | texts, st.sampled_from(["\n", "\r\n"])), max_size=12).map(
    lambda parts: "".join(line + end for line, end in parts).encode()
)


def cut(stream: bytes, places: Sequence[int]) -> list[bytes]:
    bounds = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[a:b] for a, b in pairwise(bounds)]


def read_events(pieces: Iterable[bytes]) -> Iterator[ServerEvent]:
    parser = SSEParser()
    for piece in pieces:
        yield from parser.feed(piece)


class TestEventStreams:
    @few
    @given(streams, st.lists(st.integers(0, 2**16), max_size=8))
    def test_events_do_not_depend_on_the_cuts(self, stream, places):
        whole = list(read_events([stream]))
        assert list(read_events(cut(stream, places))) == whole
        assert list(read_events(bytes([byte]) for byte in stream)) == whole

    @few
    @given(st.lists(texts.filter(lambda text: not set("\r\n") & set(text)), min_size=1))
    def test_data_comes_back_as_it_was_sent(self, sent):
        stream = "".join(f"data: {text}\n\n" for text in sent).encode()
        assert [event.data for event in read_events([stream])] == sent

    @few
    @given(st.binary(max_size=200))
    def test_any_bytes_are_events_or_none(self, stream):
        assert all(event.name for event in read_events([stream]))


names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True)
plain = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)


class TestFrontMatter:
    @few
    @given(st.text(max_size=80) | st.text("-\n :[],'\"#ab\r\t", max_size=40).map("---\n{}".format))
    def test_the_text_is_all_that_is_behind_the_head(self, text):
        fields, body = split_front_matter(text)
        assert text.endswith(body)
        assert body == text or text.startswith("---")
        for name in ("title", "tags", "a"):
            assert fields.text(name) != ""
            assert all(value == value.strip() for value in fields.list(name))

    @few
    @given(st.dictionaries(names.map(str.lower), plain), st.booleans(), texts)
    def test_fields_come_back_as_they_were(self, given_fields, quotes, body):
        mark = '"' if quotes else ""
        head = "".join(f"{name}: {mark}{value}{mark}\n" for name, value in given_fields.items())
        fields, rest = split_front_matter(f"---\n{head}---\n{body}")
        assert rest == body
        assert {name: fields.text(name) for name in given_fields} == given_fields

    @few
    @given(st.lists(plain, min_size=2, max_size=5), st.booleans())
    def test_lists_may_be_written_in_both_ways(self, tags, inline):
        written = f" [{', '.join(tags)}]" if inline else "".join(f"\n- {tag}" for tag in tags)
        fields, _ = split_front_matter(f"---\ntags:{written}\n---\n")
        assert fields.list("tags") == tags
