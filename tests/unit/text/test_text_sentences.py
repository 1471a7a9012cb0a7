import itertools

from app.text.sentences import split_sentences
from cases import for_each


@for_each(
    ("text", "expected"),
    [
        ("변성은 95.5도에서 한다. 그다음 식힌다.", ["변성은 95.5도에서 한다.", "그다음 식힌다."]),
        ("정했다! 언제? 내일", ["정했다!", "언제?", "내일"]),
        ("합니다.그리고 갔다.", ["합니다.", "그리고 갔다."]),
        ("2024. 3. 15. 회의에서 정했다.", ["2024. 3. 15. 회의에서 정했다."]),
        ("Ask Dr. Kim, e.g. today. Then go.", ["Ask Dr. Kim, e.g. today.", "Then go."]),
        ("Use v1.2.3 of a.com. Good", ["Use v1.2.3 of a.com.", "Good"]),
        ('"Stop!" he said. "Why?"', ['"Stop!" he said.', '"Why?"']),
        ("It was... maybe five.", ["It was... maybe five."]),
        ("No. 5 is next.", ["No. 5 is next."]),
        ("好。다음。", ["好。", "다음。"]),
        ("", []),
        ("---\n***\n", []),
        ("We keep it\nat -20 C.", ["We keep it\nat -20 C."]),
        # A mark belongs to the sentence before it.
        ("둔다. [노트 1] 다음이다.", ["둔다. [노트 1]", "다음이다."]),
        ("둔다.[노트 1][노트 2] 다음.", ["둔다.[노트 1][노트 2]", "다음."]),
        ("둔다. [노트 1, 2] 끝", ["둔다. [노트 1, 2]", "끝"]),
        ("둔다 [노트 1]. 다음.", ["둔다 [노트 1].", "다음."]),
        ("둔다. [노트 1]에 따르면 높다.", ["둔다.", "[노트 1]에 따르면 높다."]),
        ("Keep it. [Note 3] Next.", ["Keep it. [Note 3]", "Next."]),
        ("둔다.\n[노트 1]", ["둔다.\n[노트 1]"]),
        ("[노트 1] 둔다.", ["[노트 1] 둔다."]),
    ],
)
def test_sentences(text, expected):
    assert [span.text for span in split_sentences(text)] == expected


def test_markdown_lines_are_sentences_without_their_marks():
    text = (
        "## 온도\n\n- 변성: 95도\n* [x] 확인. 완료\n1. 시약\n> 인용\n"
        "| a | b |\n|---|---|\n| 1 | 2 |"
    )
    assert [span.text for span in split_sentences(text)] == [
        "온도",
        "변성: 95도",
        "확인.",
        "완료",
        "시약",
        "인용",
        "| a | b |",
        "| 1 | 2 |",
    ]


def test_spans_name_their_place():
    text = "  # 제목\n\n- 하나. 둘!\n[노트 1]\r\n\r\nThree, four.  Five"
    spans = split_sentences(text)
    assert len(spans) == 5
    assert all(text[span.start : span.end] == span.text for span in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
