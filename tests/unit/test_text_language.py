import pytest

from app.text.language import detect_language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("온도는 얼마인가요?", "ko"),
        ("What is the temperature?", "en"),
        ("PCR 변성 온도는?", "ko"),
        ("What does 김치 taste like?", "en"),
        ("", "ko"),
        ("42 + 1", "ko"),
        ("가ab", "ko"),
    ],
)
def test_language(text: str, expected: str) -> None:
    assert detect_language(text) == expected
