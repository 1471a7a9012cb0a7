"""Notes from Markdown: a single text, or a folder of files."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import normalize

from app.platform.errors import InvalidRequest


@dataclass(frozen=True)
class ImportedNote:
    """A note to be stored.

    source_key: its name where it came from, unique there; importing it again updates it.
    content_text: plain text or Markdown.
    notebook: the notebook it was in, None when its source has no notebooks.
    """

    source_key: str
    title: str
    content_text: str
    category: str | None = None
    subcategory: str | None = None
    tags: list[str] = field(default_factory=list)
    notebook: str | None = None


@dataclass(frozen=True)
class NoteSource:
    """Notes that were found to be right, to be read one by one. total: how many."""

    total: int
    notes: Iterable[ImportedNote]


# `key: value`, `key: [a, b]`, and `key:` with lines `- a` below it.
_FIELD = re.compile(r"([A-Za-z_][\w-]*):(.*)")
_ITEM = re.compile(r"[ \t]*-[ \t](.+)")
_BLOCK = re.compile(r"[>|][-+\d]*")
_KEY = re.compile(r"^[^\s:][^:\n]*:(?!//)", re.MULTILINE)
_HEAD = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


class FrontMatter:
    """Fields by lower-case name; what is not understood is left out."""

    def __init__(self, head: str) -> None:
        self._fields: dict[str, list[str]] = {}
        name = None
        for line in head.splitlines():
            if field := _FIELD.match(line):
                name = field[1].lower()
                self._fields[name] = _values(field[2].strip())
            elif (item := _ITEM.match(line)) and name:
                self._fields[name].append(_unquoted(item[1]))

    def text(self, name: str) -> str | None:
        return ", ".join(self._fields.get(name, [])) or None

    def list(self, name: str) -> "list[str]":
        values = self._fields.get(name, [])
        if len(values) == 1:
            values = values[0].split(",")
        return [value.strip().removeprefix("#") for value in values if value.strip()]


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The fields, and the text behind them: all of it if it begins with no front matter. What
    stands between two rules and has no key is text."""
    head = _HEAD.match(text)
    if head is None or (head[1].strip() and not _KEY.search(head[1])):
        return FrontMatter(""), text
    return FrontMatter(head[1]), text[head.end() :]


def _values(value: str) -> "list[str]":
    if value.startswith("[") and value.endswith("]"):
        return [_unquoted(item) for item in value[1:-1].split(",") if item.strip()]
    # The text of a block (`>`, `|`) stands on lines that are not read.
    return [] if not value or _BLOCK.fullmatch(value) else [_unquoted(value)]


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


MAX_FILES = 100_000
MAX_FILE_BYTES = 10_000_000
_SUFFIXES = frozenset({".md", ".markdown"})
# In code # begins a comment.
_CODE = re.compile(r"^```.*?^```|^~~~.*?^~~~", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+(?=[^ \t\n])(.+)$", re.MULTILINE)


def parse_markdown(text: str, source_key: str) -> ImportedNote:
    """One note. Its title is that of its front matter, else its first heading, else the name of
    the file. Category and subcategory are those of its front matter, else the two outermost
    folders of `source_key`, a path with slashes.
    """
    fields, body = split_front_matter(_with_plain_lines(text))
    title = (fields.text("title") or "").strip()
    if not title:
        heading = _HEADING.search(_CODE.sub(lambda code: " " * len(code[0]), body))
        title = _without_closing_marks(heading[1]).strip() if heading else ""
        if heading and not body[: heading.start()].strip():
            body = body[heading.end() :]
    folders = [*Path(source_key).parts[:-1], None, None]
    return ImportedNote(
        source_key=source_key,
        title=title or Path(source_key).stem.strip() or source_key,
        content_text=body.strip(),
        category=fields.text("category") or folders[0],
        subcategory=fields.text("subcategory") or folders[1],
        tags=fields.list("tags"),
    )


def is_blank(text: str) -> bool:
    """Whether a file has no text besides its front matter."""
    _, body = split_front_matter(_with_plain_lines(text))
    return not body.strip()


def _with_plain_lines(text: str) -> str:
    """Without a mark of byte order; lines end as those of Unix do, also of Windows and old Macs."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _without_closing_marks(heading: str) -> str:
    """`Title ##` is `Title`, but `C#` is `C#`. A regular expression would take a time that grows
    with the cube of the blanks in a heading."""
    heading = heading.rstrip(" \t")
    opened = heading.rstrip("#")
    return opened.rstrip(" \t") if opened.endswith((" ", "\t")) else heading


def read_markdown_folder(
    folder: Path, on_blank: Callable[[str], object] = lambda _: None
) -> NoteSource:
    """A note for each .md and .markdown file of a folder and those below it, by path. A file
    without text is left out, and `on_blank` receives its path within the folder.

    Hidden folders, symbolic links that lead out of the folder and what is no file are left out.
    Files are read as UTF-8, else as CP949 (Korean Windows): all of them now, and each again when
    its note is wanted. Raises InvalidRequest naming what cannot be read.
    """
    if not folder.is_dir():
        raise InvalidRequest.worded("not-a-folder", folder=folder)
    paths = []
    for path in sorted(_files(folder)):
        if is_blank(_read(path)):
            on_blank(path.relative_to(folder).as_posix())
        else:
            paths.append(path)
    if not paths:
        raise InvalidRequest.worded("folder-without-notes", folder=folder)
    names = Counter(normalize("NFC", path.relative_to(folder).as_posix()) for path in paths)
    [(name, count)] = names.most_common(1)
    if count > 1:
        raise InvalidRequest.worded("note-files-alike", name=name, folder=folder)
    notes = (parse_markdown(_read(path), path.relative_to(folder).as_posix()) for path in paths)
    return NoteSource(len(paths), notes)


def _files(folder: Path) -> Iterator[Path]:
    root = folder.resolve()
    count = 0
    for parent, subfolders, names in os.walk(folder):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        for name in names:
            path = Path(parent, name)
            if path.suffix.lower() not in _SUFFIXES or not _is_file_within(root, path):
                continue
            count += 1
            if count > MAX_FILES:
                raise InvalidRequest.worded("too-many-note-files", folder=folder, most=MAX_FILES)
            yield path


def _is_file_within(root: Path, path: Path) -> bool:
    """Pipes and devices are no files: reading them may never end."""
    # Path.resolve raises for a link that leads to itself.
    real = Path(os.path.realpath(path))
    return real.is_relative_to(root) and real.is_file()


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InvalidRequest.worded("note-file-too-large", path=path, most=MAX_FILE_BYTES)
        data = path.read_bytes()
    except OSError as error:
        raise InvalidRequest.worded(
            "note-file-unreadable", path=path, reason=error.strerror
        ) from error
    return decoded(data, str(path))


def decoded(data: bytes, name: str) -> str:
    """The text of a file, read as UTF-8, else as CP949. Raises InvalidRequest naming it."""
    for encoding in ("utf-8", "cp949"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InvalidRequest.worded("text-not-utf-8", name=name)
