from app.notes.keys import quoted, tsvector


def test_frequency_is_the_number_of_positions():
    assert tsvector(["온도", "dna", "온도"]) == "'온도':1,3 'dna':2"


def test_quotes_and_backslashes_are_doubled():
    assert quoted("a'b\\c") == "'a''b\\\\c'"


def test_long_terms_are_cut_and_nul_is_removed():
    assert quoted("가" * 3000) == "'" + "가" * 255 + "'"
    assert tsvector(["\x00", "a\x00b"]) == "'ab':2"
