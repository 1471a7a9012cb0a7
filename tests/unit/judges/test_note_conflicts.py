"""Which sentences of two notes may contradict each other; a false warning is worse than none."""

from app.judges.rules.conflicts import NoteText, compare
from cases import for_each


def found(*notes):
    """Of the first note beside the second."""
    ours, theirs = (NoteText(title, text) for title, text in notes)
    return compare(ours, [theirs]).conflicts


@for_each(
    ("ours", "theirs", "kind", "words"),
    [
        (
            ("재택근무 규정", "# 재택근무 규정\n\n재택근무는 주 2일까지 할 수 있다."),
            ("신입사원 안내서", "# 신입사원 안내서\n\n재택근무는 주 3일까지 할 수 있다."),
            *("value", "2일 ↔ 3일"),
        ),
        (
            ("환불 정책", "환불은 구매 후 7일 이내에 가능하다."),
            ("고객 응대 매뉴얼", "- 환불은 구매 후 14일 이내에 가능합니다."),
            *("value", "7일 ↔ 14일"),
        ),
        (
            ("회의실 예약", "회의실은 최대 2시간 예약할 수 있다."),
            ("시설 이용 안내", "## 회의실\n\n회의실은 최대 3시간 예약할 수 있습니다."),
            *("value", "2시간 ↔ 3시간"),
        ),
        (
            ("사무실 출입", "주말에는 사무실에 출입할 수 있다."),
            ("보안 지침", "주말에는 사무실에 출입할 수 없다."),
            *("negation", ""),
        ),
        (
            ("Password rules", "Passwords must have at least 12 characters."),
            ("Security handbook", "Passwords must have at least 8 characters."),
            *("value", "12 ↔ 8"),
        ),
        (
            ("Pet policy", "Dogs are allowed in the office."),
            ("Office guide", "Dogs are not allowed in the office."),
            *("negation", ""),
        ),
    ],
)
def test_notes_that_say_otherwise(ours, theirs, kind, words):
    [conflict] = found(ours, theirs)
    assert (conflict.kind, conflict.words) == (kind, words)
    assert conflict.ours in ours[1]
    assert conflict.theirs in theirs[1]
    assert len(found(theirs, ours)) == 1


@for_each(
    ("ours", "theirs"),
    [
        (("서울 지점 안내", "주차는 2시간 무료다."), ("부산 지점 안내", "주차는 1시간 무료다.")),
        (("2023년 휴가 규정", "연차는 15일이다."), ("2024년 휴가 규정", "연차는 16일이다.")),
        (("3월 4일 일지", "문의는 총 12건이다."), ("3월 5일 일지", "문의는 총 15건이다.")),
        (
            ("회의실 안내", "2층 회의실에는 프로젝터가 있다."),
            ("시설 안내", "3층 회의실에는 프로젝터가 있다."),
        ),
        (
            ("정규직 휴가", "정규직은 연차가 15일이다."),
            ("계약직 휴가", "계약직은 연차가 11일이다."),
        ),
        (("배송 안내", "국내 배송은 2일 걸린다."), ("해외 배송 안내", "해외 배송은 10일 걸린다.")),
        (
            ("환불 정책", "환불은 구매 후 7일 이내에 신청해야 한다."),
            ("환불 처리 절차", "환불은 구매 후 3일 이내에 처리된다."),
        ),
        (
            ("냉장고 설명서", "제품의 보증 기간은 구입일부터 1년이다."),
            ("세탁기 설명서", "제품의 보증 기간은 구입일부터 2년이다."),
        ),
        (
            ("주차 규정", "방문객은 지하 1층에 주차할 수 있다."),
            ("주차 안내", "직원은 지하 1층에 주차할 수 없다."),
        ),
        (
            ("지점 안내", "## 서울\n\n영업 시간은 하루 8시간이다."),
            ("지점 정리", "## 부산\n\n영업 시간은 하루 9시간이다."),
        ),
        (("회의", "회의는 3월 5일에 열렸다."), ("회의 기록", "회의는 4월 2일에 열렸다.")),
        (
            ("EU customers", "Data is kept for 30 days."),
            ("US customers", "Data is kept for 90 days."),
        ),
        (("Plans", "The plan may cost 10 dollars."), ("Plan list", "The plan costs 12 dollars.")),
    ],
)
def test_notes_about_different_things(ours, theirs):
    assert found(ours, theirs) == []


def test_a_note_with_nearly_the_same_text_is_a_copy():
    text = " ".join(f"규정 {number}항은 그대로 둔다." for number in range(40))
    others = [NoteText("사본", text + " 끝."), NoteText("다른 노트", "회의는 매주 한다.")]
    assert compare(NoteText("규정", text), others).copies == [0]


def test_what_both_say_as_well_contradicts_nothing():
    both = "신청은 3일 전까지 한다. 신청은 5일 전까지 한다."
    assert found(("휴가", both), ("연차", both)) == []
