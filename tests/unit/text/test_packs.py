"""Domain packs: the shipped ones can be read, and a mistake is named with its line."""

import pytest

from app.text.packs.loader import (
    PackError,
    get_instruction_for_tag,
    load_pack,
    read_pack,
    shipped_packs,
)
from cases import for_each

GOOD = """\
name: kitchen
lang: ko
title: 부엌
tags:
  - name: 뜨거움
    keywords: [뜨거]
    instruction: {ko: 장갑을 낀다., en: Wear gloves.}
nuggets:
  - name: 시간
    keywords: [분, 시간]
"""


@for_each("name", shipped_packs())
def test_shipped_packs_can_be_read(name):
    assert load_pack(name).name == name


def test_the_generic_pack_knows_nothing():
    pack = load_pack("generic")

    assert (pack.categories, pack.tags, pack.nuggets, pack.keywords) == ((), (), (), ())


def test_a_tag_says_what_to_do_in_both_languages():
    pack = load_pack("waste_sorting")

    assert get_instruction_for_tag(pack, "라벨_부착", "ko") == "라벨을 떼어 낸 뒤 배출합니다."
    assert get_instruction_for_tag(pack, "라벨_부착", "en") == "Take the label off first."
    assert get_instruction_for_tag(pack, "없는_태그", "ko") is None


def test_a_file_of_ones_own(tmp_path):
    file = tmp_path / "kitchen.yaml"
    file.write_text(GOOD, encoding="utf-8")

    assert load_pack(str(file)).nuggets[0].keywords == ("분", "시간")


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(PackError, match=r"no domain pack 'wast'.*generic, waste_sorting"):
        load_pack("wast")


@for_each(
    ("wrong", "message"),
    [
        (GOOD.replace("keywords: [뜨거]", "keyword: [뜨거]"), "line 6, tags.0.keyword: Extra"),
        (GOOD.replace("[분, 시간]", "[]"), "line 10, nuggets.0.keywords: Tuple should have"),
        (GOOD.replace("lang: ko", "lang: jp"), "line 2, lang: Input should be 'ko' or 'en'"),
        (GOOD.replace("title: 부엌\n", ""), "line 1, title: Field required"),
        (GOOD.replace("- name: 시간", "- name: [시간"), "line 1[01]: .*mend the YAML there"),
        ("- a\n- b\n", "the pack: Input should be"),
        ("", "the pack: Input should be"),
        (GOOD + "keywords: &a [x]\ncategories: *a\n", "YAML aliases"),
        (GOOD + "next_steps: {actions: [{tag: 차가움, action: 기다린다}]}", "lacks: 차가움"),
    ],
)
def test_a_mistake_is_named_with_file_and_line(wrong, message):
    with pytest.raises(PackError, match=f"kitchen.yaml.*{message}"):
        read_pack(wrong, "kitchen.yaml")


def test_a_file_that_is_not_there_or_no_text(tmp_path):
    with pytest.raises(PackError, match="cannot be read"):
        load_pack(str(tmp_path / "no.yaml"))
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PackError, match="not UTF-8"):
        load_pack(str(tmp_path / "bytes.yaml"))
