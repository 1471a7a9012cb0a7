import re

from app.notes.indexing import MAX_CHUNK_CHARS, split_chunks


def _without_space(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_a_short_note_is_one_chunk_as_it_is():
    assert split_chunks("# 제목\n\n본문이다.\n\n- 목록\n") == ["# 제목\n\n본문이다.\n\n- 목록"]


def test_no_text_has_no_chunk():
    assert split_chunks(" \n\n \t\n") == []


def test_chunks_are_filled_with_whole_paragraphs():
    paragraphs = [f"{number} " + "가" * 298 for number in range(5)]
    assert split_chunks("\n\n".join(paragraphs)) == [
        "\n\n".join(paragraphs[0:2]),
        "\n\n".join(paragraphs[2:4]),
        paragraphs[4],
    ]


def test_a_long_paragraph_is_cut_between_sentences():
    sentence = "배양기의 온도를 확인하고 기록지에 적는다."
    chunks = split_chunks(" ".join([sentence] * 100))
    assert len(chunks) > 2
    assert all(chunk.endswith("적는다.") and len(chunk) <= MAX_CHUNK_CHARS for chunk in chunks)


def test_a_long_sentence_is_cut_at_a_space_and_a_long_word_anywhere():
    text = "가나다 " * 500 + "라" * 2000
    chunks = split_chunks(text)
    assert all(0 < len(chunk) <= MAX_CHUNK_CHARS for chunk in chunks)
    assert all("가나다" in chunk[-3:] for chunk in chunks[:2])
    assert _without_space("".join(chunks)) == _without_space(text)


def test_nothing_but_space_is_lost():
    text = "\n\n".join(f"- 항목 {n}. 둘째 문장! " + "다라 " * n for n in range(1, 300, 7))
    assert _without_space("".join(split_chunks(text))) == _without_space(text)
