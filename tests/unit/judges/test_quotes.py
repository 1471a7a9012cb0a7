"""Which quotes are evidence, and whether a note holds them."""

from itertools import combinations, product

from app.judges.quotes import (
    _is_copied,
    comparable,
    is_evidence,
    quote_found,
    stands_in,
    stands_in_comparable,
)
from cases import for_each

NOTE = '회의록: "예산은 1,200만 원"으로\n  확정되었다. The **autoclave** runs at 121.5 °C.'


@for_each(
    "quote",
    [
        "예산은 1,200만 원",
        "“예산은 1,200만 원”으로 확정되었다",
        "예산은   1,200만\n원으로 확정되었다.",
        "The autoclave runs at 121.5 °C",
        "the AUTOCLAVE runs",
        "회의록: … 확정되었다",
        "예산은 ... autoclave",
        "예산은 1,200만　원",
    ],
)
def test_finds_quotes_whatever_their_spacing_and_marks(quote):
    assert quote_found(quote, NOTE)


@for_each(
    "quote",
    [
        *("", "  ", '""', "...", "예산은 1,300만 원", "1215 °C", "autoclave … 예산은"),
        *("예산안", "확정되지"),
    ],
)
def test_does_not_find_what_the_note_does_not_say(quote):
    assert not quote_found(quote, NOTE)


# Everything that is quoted below stands in it.
EVERYTHING = """김민수 과장은 37.0도에서 3일 동안 30명을 관찰했다. 도는 kg과 mg,
the 95% 수치도 있다.
2024년 예산은 1,250,000이며 폐의약품은 약국에 냅니다. The centrifuge is in room B and the of it."""


@for_each(
    "quote",
    [
        *("는", "도", "은", "에서", "을", "있다", "도는"),
        *("kg", "mg", "kg과", "%", "명"),
        *("the", "The", "is", "and the of it", "in"),
        *("30", "2024", "3", "37.0", "95"),
        *("", "…", "는 … 도", "도 ... 는"),
        *("예산", "예산은", "centrifuge", "약국에"),
    ],
)
def test_what_says_nothing_is_no_evidence_though_it_stands_there(quote):
    assert not is_evidence(quote)
    assert not quote_found(quote, EVERYTHING)


@for_each(
    "quote",
    [
        *("37.0도", "95%", "30명", "3일", "2024년", "1,250,000"),
        *("김민수 과장", "폐의약품은 약국에", "centrifuge is in room", "예산은 1,250,000"),
        "The centrifuge is in room B",
    ],
)
def test_a_short_quote_that_says_something_is_evidence(quote):
    assert is_evidence(quote)
    assert quote_found(quote, EVERYTHING)


@for_each(
    ("quote", "note"),
    [
        ("7.0도", "37.0도에서 반응한다"),
        ("95%", "195% 늘었다"),
        ("5분", "15분 동안 젓는다"),
        ("예산 1,250", "예산 1,250,000원"),
        ("온도는 37", "온도는 37.5도"),
        ("온도는 3", "온도는 37도"),
        ("500원", "1,500원"),
    ],
)
def test_a_number_is_not_found_inside_of_a_longer_one(quote, note):
    assert not stands_in(quote, note)
    assert not stands_in(quote, f"가 {note}")


@for_each(
    ("quote", "note"),
    [
        ("95%", "표 2 95% 이상"),
        ("5분", "15분이 아니라 5분이다"),
        ("온도는 37", "온도는 37."),
        ("37", "3. 37, 4. 38"),
    ],
)
def test_a_number_beside_others_is_found(quote, note):
    assert stands_in(quote, note)


@for_each(
    ("quote", "note"),
    [
        ("온도는 37.5도", "온\u00ad도는 37\u200b.5도"),
        ("온\u200b도는 37.5도", "온도는 37.5도"),
        ("온도는 ３７．５도", "온도는 37.5도"),
        ("농도는 10² mg", "농도는 10²mg"),
        ("CO₂ 5%로", "CO2  5%로 배양한다"),
        ("표 1\n5도에서", "표 1 5도에서 녹는다"),
        ("물 1½컵", "물 1½ 컵"),
    ],
)
def test_what_reads_the_same_is_found(quote, note):
    assert quote_found(quote, note)


def test_looking_up_letter_by_letter_finds_nothing_more():
    """The short way to what is copied, against the whole comparison, over all short texts."""
    for letters in product('1가 ,²½"', repeat=4):
        text = "".join(letters)
        whole = comparable(text)
        for start, end in combinations(range(5), 2):
            passage = text[start:end]
            if _is_copied(passage, text):
                assert stands_in_comparable(passage, whole), (passage, text)
