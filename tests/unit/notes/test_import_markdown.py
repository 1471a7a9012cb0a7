import dataclasses
from unicodedata import normalize

import pytest

from app.notes.importers import markdown
from app.notes.importers.markdown import is_blank, parse_markdown, read_markdown_folder
from app.notes.samples import SAMPLE_QUESTIONS, sample_notes
from app.platform.errors import InvalidRequest
from app.text.language import detect_language
from cases import for_each


def test_front_matter():
    text = (
        "---\ntitle: \"PCR: 조건\"\ntags: [PCR, '실험']\ncategory: 실험\nsubcategory: 분자\n"
        "other: {x: 1}\n---\n# 제목\n\n본문"
    )
    note = parse_markdown(text, "a/b.md")
    assert dataclasses.asdict(note) == {
        "source_key": "a/b.md",
        "title": "PCR: 조건",
        "content_text": "# 제목\n\n본문",
        "category": "실험",
        "subcategory": "분자",
        "tags": ["PCR", "실험"],
        "notebook": None,
    }


@for_each("head", ["tags:\n- 하나\n- 둘", "tags: 하나, 둘", "Tags: ['하나',둘]", "tags: #하나, 둘"])
def test_tags_in_several_spellings(head):
    assert parse_markdown(f"---\n{head}\n---\nx", "x.md").tags == ["하나", "둘"]


@for_each(
    ("text", "title", "content"),
    [
        ("\ufeff\r\n# 배양기 설정 #\r\n\r\n온도 37도", "배양기 설정", "온도 37도"),
        ("# 옛 맥\r본문\r둘째 줄", "옛 맥", "본문\n둘째 줄"),
        ("머리말\n\n## 제목\n본문", "제목", "머리말\n\n## 제목\n본문"),
        ("본문", "기록", "본문"),
        ("```\n# 설치\n```\n# 제목", "제목", "```\n# 설치\n```\n# 제목"),
    ],
)
def test_the_first_heading_or_else_the_file_name_is_the_title(text, title, content):
    note = parse_markdown(text, "lab/기록.md")
    assert (note.title, note.content_text) == (title, content)


@pytest.mark.parametrize("head", ["# \u3000", "---\ntitle: ' '\n---", "---\ntitle: >-\n  x\n---"])
def test_a_title_of_blanks_is_none(head):
    assert parse_markdown(f"{head}\ntext", "memo.md").title == "memo"
    assert parse_markdown(f"{head}\ntext", " .md").title == " .md"


def test_folders_are_category_and_subcategory():
    note = parse_markdown("본문", "실험/분자/기록.md")
    assert (note.category, note.subcategory) == ("실험", "분자")


@pytest.mark.parametrize("between", ["오늘의 회의", "https://example.com", "- 하나\n- 둘"])
def test_text_between_two_rules_is_content(between):
    text = f"---\n{between}\n---\n본문"
    assert parse_markdown(text, "a.md").content_text == text
    assert not is_blank(f"---\n{between}\n---\n")


def test_an_unclosed_front_matter_is_content():
    assert parse_markdown("---\ntitle: x\n본문", "a.md").content_text == "---\ntitle: x\n본문"


def test_a_folder_is_read_by_path_without_hidden_and_foreign_files(tmp_path):
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / ".trash").mkdir()
    (tmp_path / "secret.md").write_text("비밀", encoding="utf-8")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / "linked").symlink_to(tmp_path)
    (folder / ".trash" / "old.md").write_text("지운 것", encoding="utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    (folder / "b.md").write_text("나", encoding="utf-8")
    (folder / "sub" / "a.MARKDOWN").write_bytes("가".encode("cp949"))
    notes = read_markdown_folder(folder).notes
    assert [(note.source_key, note.content_text) for note in notes] == [
        ("b.md", "나"),
        ("sub/a.MARKDOWN", "가"),
    ]


def test_unreadable_input_is_named(tmp_path):
    with pytest.raises(InvalidRequest, match="is not a folder"):
        read_markdown_folder(tmp_path / "nowhere")
    with pytest.raises(InvalidRequest, match=r"no \.md files"):
        read_markdown_folder(tmp_path)
    (tmp_path / "binary.md").write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(InvalidRequest, match=r"binary\.md is neither") as caught:
        read_markdown_folder(tmp_path)
    assert "UTF-8로 저장하세요" in caught.value.detail["ko"]


def test_two_files_whose_names_only_differ_by_how_they_are_encoded_are_refused(tmp_path):
    for form in ("NFC", "NFD"):
        (tmp_path / f"{normalize(form, '환불')}.md").write_text(form)
    with pytest.raises(InvalidRequest, match=r"two files named '환불\.md'"):
        read_markdown_folder(tmp_path)


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(markdown, "MAX_FILE_BYTES", 10)
    (tmp_path / "big.md").write_text("x" * 11)
    with pytest.raises(InvalidRequest, match=r"big\.md is larger"):
        read_markdown_folder(tmp_path)


def test_the_samples_are_complete_and_in_two_languages():
    notes = sample_notes()
    languages = [detect_language(note.content_text) for note in notes]
    assert languages.count("ko") >= 8
    assert languages.count("en") >= 4
    assert all(note.title and note.category and note.tags for note in notes)
    assert [detect_language(question) for _, question in SAMPLE_QUESTIONS] == [
        lang for lang, _ in SAMPLE_QUESTIONS
    ]


def test_a_file_of_a_folder_without_text_is_left_out_and_named(tmp_path):
    (tmp_path / "full.md").write_text("# 배양기\n\n37도")
    (tmp_path / "heading.md").write_text("# 제목만")
    (tmp_path / "blank.md").write_text(" \n\n")
    (tmp_path / "head.md").write_text("---\ntitle: x\n---\n")
    blank: list[str] = []

    notes = read_markdown_folder(tmp_path, blank.append).notes

    assert [note.source_key for note in notes] == ["full.md", "heading.md"]
    assert blank == ["blank.md", "head.md"]


def test_a_folder_of_empty_files_is_refused(tmp_path):
    (tmp_path / "blank.md").touch()

    with pytest.raises(InvalidRequest, match="with text"):
        read_markdown_folder(tmp_path)
