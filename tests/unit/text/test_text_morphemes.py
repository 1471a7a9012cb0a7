import threading

import pytest

from app.text import morphemes as module
from app.text.morphemes import morphemes, morphemes_of_many, search_terms_of_many
from cases import for_each


def test_korean_keeps_nouns_and_stems_and_drops_particles_and_endings():
    assert morphemes("변성 온도는 어디에서 확인하나요? 시약을 넣었다.") == [
        "변성",
        "온도",
        "확인",
        "시약",
        "넣다",
    ]


def test_the_same_content_in_other_grammar_has_the_same_morphemes():
    assert morphemes("프라이머를 녹인다") == morphemes("프라이머는 녹였습니다")


@for_each(
    ("text", "expected"),
    [
        ("72.5", ["72.5"]),
        ("1,000 rpm", ["1000", "rpm"]),
        ("12,345.60", ["12345.6"]),
        ("03", ["3"]),
        ("0.50", ["0.5"]),
        ("5mL", ["5", "ml"]),
        ("H2O", ["h2o"]),
        ("95℃", ["95", "c"]),
        ("１２", ["12"]),
    ],
)
def test_numbers_and_units(text, expected):
    assert morphemes(text) == expected


def test_english_is_stemmed_without_function_words():
    assert morphemes("The samples weren't stored in the Freezers, they're") == [
        "sampl",
        "store",
        "freezer",
    ]


def test_a_latin_word_is_the_same_beside_a_korean_particle():
    assert morphemes("DNA를 72.5도에서")[:2] == morphemes("DNA at 72.5")


def test_english_does_not_load_the_korean_model(monkeypatch):
    def refuse() -> None:
        raise AssertionError("the Korean model was loaded")

    monkeypatch.setattr(module._analyser, "get", refuse)
    assert morphemes("Only English, 42 words") == ["onli", "english", "42", "word"]
    with pytest.raises(AssertionError, match="was loaded"):
        morphemes("한 글자")


def test_many_texts_give_what_each_gives_alone():
    texts = ["배양기 온도", "plain English", "", "시약 주문", "大韓民國"]
    assert morphemes_of_many(texts) == [morphemes(text) for text in texts]


def test_broken_unicode_is_read_as_far_as_it_goes():
    assert "온도" in morphemes("온도\ud800 \x00")


def test_the_model_serves_several_threads_at_once():
    text = "세포 배양실의 배양기 온도를 확인하고 시약을 주문했다. " * 20
    expected = morphemes(text)
    outcomes: list[list[str]] = []
    threads = [threading.Thread(target=lambda: outcomes.append(morphemes(text))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [expected] * 4


def test_search_terms_add_compounds_as_a_whole():
    [terms] = search_terms_of_many(["초저온냉동고와 PCR기기를 쓴다"])
    assert terms[: len(morphemes("초저온냉동고와 PCR기기를 쓴다"))] == morphemes(
        "초저온냉동고와 PCR기기를 쓴다"
    )
    assert {"초저온냉동고", "pcr기기"} <= set(terms)


def test_words_with_a_space_between_are_no_compound():
    [terms] = search_terms_of_many(["세포 배양"])
    assert "세포 배양" not in terms
    assert "세포배양" not in terms
