"""What a request may name: the feature and the asker's profile. Imports nothing slow."""

import enum
from collections.abc import Mapping
from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints

from app.ai_router.types import Lang

# PostgreSQL's JSON cannot hold NUL, and a name is one line of a prompt.
_Name = Annotated[str, StringConstraints(pattern=r"^[^\x00-\x1f\x7f]+$", max_length=100)]

SLOT_LABELS: Mapping[str, Mapping[Lang, str]] = {
    "age": {"ko": "나이", "en": "age"},
    "sex": {"ko": "성별", "en": "sex"},
    "conditions": {"ko": "질환", "en": "conditions"},
    "medications": {"ko": "약물", "en": "medications"},
}


def _either(name: str) -> AliasChoices:
    return AliasChoices(name, SLOT_LABELS[name]["ko"])


class Slots(BaseModel):
    """Age in years, sex, conditions and medications, each where known. Fields may be given by
    their English or their Korean names (나이, 성별, 질환, 약물)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    age: int | None = Field(default=None, ge=0, le=150, validation_alias=_either("age"))
    sex: _Name | None = Field(default=None, validation_alias=_either("sex"))
    conditions: tuple[_Name, ...] = Field(
        default=(), max_length=20, validation_alias=_either("conditions")
    )
    medications: tuple[_Name, ...] = Field(
        default=(), max_length=20, validation_alias=_either("medications")
    )

    def named(self, lang: Lang) -> dict[str, str]:
        """The known ones by their name: {"나이": "60", "질환": "고혈압, 2형 당뇨병"}."""
        values = {
            "age": "" if self.age is None else str(self.age),
            "sex": self.sex or "",
            "conditions": ", ".join(self.conditions),
            "medications": ", ".join(self.medications),
        }
        return {SLOT_LABELS[name][lang]: value for name, value in values.items() if value}

    def values(self) -> list[str]:
        """The known ones as words to search for; a bare age finds nothing and is left out."""
        return [*([self.sex] if self.sex else []), *self.conditions, *self.medications]


def described(profile_summary: str | None, slots: Slots | None, lang: Lang) -> str | None:
    """Profile and slots in one line, None when nothing is known."""
    known = slots.named(lang) if slots else {}
    parts = [profile_summary or "", ", ".join(f"{name}: {value}" for name, value in known.items())]
    return "; ".join(line for part in parts if (line := " ".join(part.split()))) or None


class Feature(enum.StrEnum):
    """`search_qa` answers from notes; `insight` explains a text or, in search mode, notes;
    `writing` drafts."""

    SEARCH_QA = "search_qa"
    INSIGHT = "insight"
    WRITING = "writing"
