from app.text.language import Bilingual, alternatives, detect_language, is_third_language
from cases import for_each


@for_each(
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
def test_language(text, expected):
    assert detect_language(text) == expected


@for_each(
    "text",
    [
        "試料は4度で保管します。",
        "样品保存在冰箱里。",
        "Образцы хранятся при 4 градусах.",
        "Die Proben werden bei 4 Grad gelagert und sind mit Datum zu beschriften.",
        "Les échantillons sont dans le congélateur et ne sont pas prêts.",
        "Las muestras se guardan en el congelador y no se usan para nada más.",
    ],
)
def test_a_third_language(text):
    assert is_third_language(text)


@for_each(
    "text",
    [
        "",
        "42 °C, 5 µL, α-아밀라제",
        "시료는 4도에 보관한다. RNA 추출 키트는 Qiagen 제품이다.",
        "大韓民國 헌법의 전문은 다음과 같이 시작한다.",
        "The samples are stored at 4 degrees and must not be used.",
        "Crème brûlée is a dessert from the de la Croix family.",
        "Chez Pierre",
    ],
)
def test_korean_and_english_are_no_third_language(text):
    assert not is_third_language(text)


@for_each(
    ("pattern", "expected"),
    [
        ("않|없", ["않", "없"]),
        (r"(?:안|못) |\b(?:no|not)\b", ["(?:안|못) ", r"\b(?:no|not)\b"]),
        (r"[|(]a|\|b|c\(", ["[|(]a", r"\|b", r"c\("]),
    ],
)
def test_alternatives(pattern, expected):
    assert alternatives(pattern) == expected


@for_each(
    ("text", "expected"),
    [
        ("It is NOT so", [(6, 9)]),
        ("It is NOT so – 않다", [(6, 9), (15, 16)]),
        ("않고", [(0, 1)]),
        ("nothing", []),
    ],
)
def test_a_bilingual_pattern_finds_both_languages_in_any_case(text, expected):
    pattern = Bilingual(r"않|\bnot\b")
    assert [match.span() for match in pattern.finditer(text)] == expected
    assert (pattern.search(text) is not None) == bool(expected)
