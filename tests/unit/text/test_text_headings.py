"""Which lines of notes are headings."""

from app.text.passages import heading_lines
from cases import for_each

NOTE = """# PCR 조건

변성 단계
변성은 95도에서 한다.

**어닐링**
- 온도
- 58도에서 30초

연장:
72도에서 1분 동안 둡니다.

Storage
--------
Keep it at 4 degrees.
The buffer
lasts a week.
주의
"""


def headings(text: str) -> list[str]:
    return [text[start:end].strip() for start, end in heading_lines(text)]


def test_headings_of_a_note():
    assert headings(NOTE) == ["# PCR 조건", "변성 단계", "**어닐링**", "연장:", "Storage"]


@for_each(
    "line",
    [
        "변성은 95도이다",
        "온도: 95도",
        "라벨을 제거함",
        "물로 헹구어 주세요",
        "- 라벨 제거",
        "1. 라벨 제거",
        "The buffer lasts a week.",
        "아주 긴 줄은 제목이 아니라 문장의 앞부분일 뿐이고 그래서 제목으로 보지 않는다고",
    ],
)
def test_a_line_that_states_something_is_none(line):
    assert headings(f"{line}\n다음 줄이다.") == []


@for_each("text", ["", "\n\n", "제목뿐", "  \n제목뿐\n"])
def test_a_line_with_nothing_below_it_is_none(text):
    assert headings(text) == []
