"""Files of notes made to do harm: each is read safely, or refused in a sentence that names it."""

import contextlib
import io
import itertools
import json
import os
import stat
import tracemalloc
import zipfile
from collections.abc import Sequence
from typing import Any

import pytest

from app.notes.importers import (
    ImportedNote,
    jsonl,
    nsx,
    parse_jsonl,
    parse_markdown,
    read_markdown_folder,
)
from app.notes.importers import html as html_module
from app.notes.importers.html import html_to_markdown
from app.notes.importers.nsx import read_nsx
from app.platform.errors import InvalidRequest
from cases import for_each

Member = tuple[str | zipfile.ZipInfo, object]


def member(value: object) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def archive(*members: Member) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as writer:
        for name, value in members:
            writer.writestr(name, member(value))
    file.seek(0)
    return file


def config(*names: str) -> Member:
    return "config.json", {"note": list(names), "notebook": []}


def note(content: object = "본문") -> dict[str, Any]:
    return {"title": "제목", "parent_id": "nb", "content": content}


def keys(notes: Sequence[ImportedNote]) -> list[str]:
    return [note.source_key for note in notes]


class TestArchives:
    @pytest.mark.parametrize(
        "name", ["../../outside", "/etc/passwd", "..\\outside", "C:\\outside", "a/../../outside"]
    )
    def test_a_name_leads_nowhere(self, name, tmp_path, monkeypatch):
        inside = tmp_path / "a" / "b"
        inside.mkdir(parents=True)
        monkeypatch.chdir(inside)

        notes = read_nsx(archive(config(name), (name, note())))

        assert notes == [ImportedNote(name, "제목", "본문")]
        assert list(tmp_path.rglob("*")) == [tmp_path / "a", inside], "nothing was unpacked"

    def test_a_file_of_this_machine_is_no_member(self, tmp_path):
        secret = tmp_path / "secret"
        secret.write_bytes(member(note("비밀")))

        for name in (str(secret), secret.as_uri()):
            with pytest.raises(InvalidRequest, match="is missing"):
                read_nsx(archive(config(name)))

    def test_a_symbolic_link_is_not_followed(self, tmp_path):
        secret = tmp_path / "secret"
        secret.write_bytes(member(note("비밀")))
        link = zipfile.ZipInfo("note_1")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16

        with pytest.raises(InvalidRequest, match="note_1 is not JSON"):
            read_nsx(archive(config("note_1"), (link, str(secret).encode())))

    def test_an_archive_in_the_archive_is_no_note(self):
        inner = archive(config("note_1"), ("note_1", note())).getvalue()

        with pytest.raises(InvalidRequest, match="note_1 is not JSON"):
            read_nsx(archive(config("note_1"), ("note_1", inner)))
        assert keys(read_nsx(archive(config("note_1"), ("note_1", note()), ("file_1", inner)))) == [
            "note_1"
        ], "attachments are not read"

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_a_name_that_is_there_twice_is_one_note(self):
        twice = archive(
            config("note_1", "note_1"), ("note_1", note("하나")), ("note_1", note("둘"))
        )

        assert read_nsx(twice) == [ImportedNote("note_1", "제목", "둘")]

    def test_an_encrypted_archive_is_named(self):
        file = archive(config("note_1"), ("note_1", note()))
        data = bytearray(file.getvalue())
        for record, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.index(record) + flags] |= 1

        with pytest.raises(InvalidRequest, match=r"config\.json is protected by a password"):
            read_nsx(io.BytesIO(bytes(data)))

    def test_text_that_is_no_text(self):
        with pytest.raises(InvalidRequest, match="note_1 is not JSON"):
            read_nsx(archive(config("note_1"), ("note_1", b'{"title": "\xff\xfe"}')))


class TestHtml:
    @for_each(
        "html",
        [
            "<script>steal()</script>글",
            '<img src=x onerror="steal()">글',
            "<p onclick='steal()' style='background:url(javascript:steal())'>글</p>",
            "<svg onload=steal()><script>steal()</script></svg>글",
            "<math><mtext><a href=javascript:steal()>x</a></mtext></math>글",
            "<iframe srcdoc='<script>steal()</script>'></iframe>글",
            "<video poster=javascript:steal() src=data:steal()>x</video>글",
            "<object data=data:text/html,steal()></object><embed src=javascript:steal()>글",
            "<form action=javascript:steal()><button formaction=steal()>글</button></form>",
            "<base href=javascript:steal()><meta http-equiv=refresh content=0;steal()>글",
            "<!-- steal() --><template><script>steal()</script></template>글",
            "<textarea><script>steal()</script></textarea>글",
        ],
    )
    def test_only_its_text_is_kept(self, html):
        assert html_to_markdown(html) == "글"

    @for_each(
        "address",
        [
            "javascript:steal()",
            " JavaScript:steal()",
            "java\tscript:steal()",
            "java\nscript:steal()",
            "\x01javascript:steal()",
            "&#106;avascript&colon;steal()",
            "data:text/html,<script>steal()</script>",
            "vbscript:steal()",
            "file:///etc/passwd",
            "blob:https://x/steal()",
        ],
    )
    def test_a_link_that_runs_something_is_text(self, address):
        assert html_to_markdown(f'<a href="{address}">글</a>') == "글"

    @for_each(
        ("link", "written"),
        [
            ("<a href='https://예.kr/가?x=1&amp;y=%20#z'>글</a>", "[글](https://예.kr/가?x=1&y=%20#z)"),
            ("<a href='mailto:a@b.kr'>글</a>", "[글](mailto:a@b.kr)"),
            ("<a href='https://x/)[y](javascript:1)'>글</a>",
             "[글](https://x/%29%5By%5D%28javascript:1%29)"),
            ("<a href='https://x' title='\"](javascript:1)'>글</a>", "[글](https://x)"),
        ],
    )  # fmt: skip
    def test_other_links_stay_and_cannot_end_early(self, link, written):
        assert html_to_markdown(link) == written

    @for_each(
        ("odd", "text"),
        [
            ("a <![ b", "a <![ b"),
            ("a <!-- b", "a <!-- b"),
            ("a <a href='b", "a <a href='b"),
            ("I </3 you", "I </3 you"),
            ("1 < 2 > 0", "1 < 2 > 0"),
            ("AT&T", "AT&T"),
            ("<ol start='½'><li>a</ol>", "1. a"),
            ("<td colspan='²'>a</td>", "a |"),
            ("<td colspan='5000'>a</td>", "a" + " |" * 100),
            (f"<ol start='{'9' * 5_000}'><li>a</ol>", "1. a"),
            (f"&#{'9' * 5_000};a", "\ufffda"),
            (f"<h{'9' * 5_000}>a", "###### a"),
            ("<![CDATA[a<b]]>c", "a<bc"),
            ("<a href='x' title='a > b'>c</a>", "[c](x)"),
            ("<a b='>c</a>", "c"),
        ],
    )
    def test_odd_html_is_text_and_never_fails_its_archive(self, odd, text):
        notes = read_nsx(archive(config("n1", "n2"), ("n1", note(odd)), ("n2", note("둘"))))
        assert [each.content_text for each in notes] == [text, "둘"]

    def test_a_note_that_is_too_long_is_named(self, monkeypatch):
        for limit, content in (("MAX_TAGS", "<b>" * 20), ("MAX_TEXT_CHARS", "<p>" + "a" * 20)):
            with monkeypatch.context() as patched:
                patched.setattr(html_module, limit, 10)
                with pytest.raises(InvalidRequest, match="The note '제목' has more than 10 "):
                    read_nsx(archive(config("n1"), ("n1", note(content))))


class TestSizes:
    """What an archive may cost follows from its size, whatever it unpacks to."""

    def test_a_bomb_is_refused(self, monkeypatch):
        monkeypatch.setattr(nsx, "ALWAYS_BYTES", 100_000)
        names = [f"n{number}" for number in range(50)]
        notes = [(name, note("가나다 " * 10_000)) for name in names]
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as writer:
            for name, value in (config(*names), *notes):
                writer.writestr(name, member(value))
        with pytest.raises(InvalidRequest, match="is too large"):
            read_nsx(packed)

    def test_tags_that_many_notes_share(self, monkeypatch):
        monkeypatch.setattr(nsx, "ALWAYS_TAGS", 0)
        names = [f"n{number}" for number in range(9)]
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as writer:
            for name, value in (config(*names), *((name, note("<b>" * 900)) for name in names)):
                writer.writestr(name, member(value))
        with pytest.raises(InvalidRequest, match="too many tags"):
            read_nsx(packed)

    def test_values_that_would_fill_the_memory(self, monkeypatch):
        monkeypatch.setattr(jsonl, "MAX_VALUES", 100)
        for value in (b"[" + b"[]," * 200 + b"1]", b"[" + b'"",' * 200 + b"1]"):
            with pytest.raises(InvalidRequest, match="n1 has too many values"):
                read_nsx(archive(config("n1"), ("n1", value)))
            with pytest.raises(InvalidRequest, match="Line 1 has too many values"):
                parse_jsonl(value)
        assert jsonl.has_too_many_values(member('a, "b", ' * 150)) is False

    def test_a_directory_is_counted_before_it_is_read(self, monkeypatch):
        monkeypatch.setattr(nsx, "MAX_MEMBERS", 3)
        monkeypatch.setattr(nsx, "_OTHER_ENTRIES", 0)
        monkeypatch.setattr(nsx.zipfile, "ZipFile", None)
        with pytest.raises(InvalidRequest, match="more than 3 members"):
            read_nsx(io.BytesIO(b"PK\x01\x02" * 4))

    @for_each(
        "fragment", ["<p>", "<b>x</b>", "<br>", "<li>a", "<td>", "<pre> ", "x ", "&#65;", "<a "]
    )
    def test_memory_follows_the_length_of_a_note(self, fragment):
        html = (fragment * 100_000)[:100_000]
        tracemalloc.start()
        try:
            with contextlib.suppress(html_module.TooLong):
                html_to_markdown(html)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 100 * len(html)


class TestMarkdown:
    def test_links_that_leave_the_folder_are_not_followed(self, tmp_path):
        folder, outside = tmp_path / "notes", tmp_path / "outside"
        folder.mkdir()
        outside.mkdir()
        (outside / "secret.md").write_text("비밀", encoding="utf-8")
        (folder / "a.md").write_text("글", encoding="utf-8")
        (folder / "file.md").symlink_to(outside / "secret.md")
        (folder / "relative.md").symlink_to("../outside/secret.md")
        (folder / "again.md").symlink_to("file.md")
        (folder / "folder").symlink_to(outside, target_is_directory=True)
        (folder / "round").symlink_to(folder, target_is_directory=True)
        (folder / "self.md").symlink_to("self.md")

        assert keys(read_markdown_folder(folder).notes) == ["a.md"]

    def test_pipes_and_devices_are_not_read(self, tmp_path):
        (tmp_path / "a.md").write_text("글", encoding="utf-8")
        os.mkfifo(tmp_path / "pipe.md")
        (tmp_path / "zero.md").symlink_to("/dev/zero")

        assert keys(read_markdown_folder(tmp_path).notes) == ["a.md"]

    def test_aliases_are_text(self):
        bomb = "a: &a [x, x]\n" + "".join(
            f"{name}: [*{before}, *{before}]\n" for before, name in itertools.pairwise("abcdefghi")
        )

        read = parse_markdown(f"---\n{bomb}tags: *i\ntitle: &t 제목\n---\n글", "a.md")

        assert (read.title, read.tags) == ("&t 제목", ["*i"])

    def test_a_tag_of_yaml_makes_no_object(self):
        read = parse_markdown("---\ntitle: !!python/object/apply:os.system [ls]\n---\n글", "a.md")

        assert read.title == "!!python/object/apply:os.system [ls]"

    @for_each(
        "text",
        [
            "---\n" + "a: b\n" * 100_000 + "---\n글",
            "---\n" + "tags:\n" + "- x\n" * 100_000 + "---\n글",
            "---\ntitle: " + "x" * 1_000_000 + "\n---\n글",
            "---\n" * 100_000,
            "# " + " " * 100_000 + "x",
            "# a" + " " * 100_000 + "b" + " #" * 50_000 + "c",
            "#" * 1_000_000,
        ],
        ids=range(7),
    )
    def test_hostile_texts_are_parsed(self, text):
        assert parse_markdown(text, "a.md").source_key == "a.md"

    @for_each(("heading", "title"), [("# C#", "C#"), ("# 제목 ##  ", "제목"), ("#\n# 둘", "둘")])
    def test_marks_that_close_a_heading(self, heading, title):
        assert parse_markdown(heading, "a.md").title == title


class TestLines:
    def test_text_that_is_no_text_is_named(self):
        good = b'{"title": "a", "content": "b"}\n'

        for bad in (b'{"title": "\xff"}', b"[" * 100_000, b'{"title": 1e999}', b"9" * 10_000):
            with pytest.raises(InvalidRequest, match=r"^Line 2 "):
                parse_jsonl(good + bad)
