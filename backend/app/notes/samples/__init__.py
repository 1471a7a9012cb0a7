"""Notes to try SearchQA with: of a made-up laboratory, and on sorting waste."""

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from app.notes.importers import ImportedNote, parse_markdown
from app.text.language import Lang

# Folders of this package. The waste notes go with the domain pack of that name.
LABORATORY = "laboratory"
WASTE_SORTING = "waste_sorting"

# The sample notes answer all but the last.
SAMPLE_QUESTIONS: Final[list[tuple[Lang, str]]] = [
    ("ko", "PCR 어닐링 온도와 시간은 어떻게 설정하나요?"),
    ("ko", "CO2 배양기의 온도와 습도 설정값은 얼마인가요?"),
    ("ko", "3월 정기 회의에서 시약 주문은 언제 하기로 정했나요?"),
    ("ko", "출장 숙박비는 1박에 얼마까지 정산되나요?"),
    ("en", "How long can cDNA be stored, and at what temperature?"),
    ("en", "How often is the autoclave tested with spore strips?"),
    ("ko", "원심분리기 로터의 제조사는 어디인가요?"),
]


def sample_notes(name: str = LABORATORY) -> list[ImportedNote]:
    """The notes of LABORATORY (Korean and English) or WASTE_SORTING, by their keys."""
    found = sorted(_files(resources.files(__name__) / name, ""), key=lambda item: item[0])
    return [parse_markdown(file.read_text(encoding="utf-8"), key) for key, file in found]


def _files(folder: Traversable, key: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{key}{entry.name}/")
        else:
            yield f"{key}{entry.name}", entry
