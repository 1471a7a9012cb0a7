"""Attacks on judges: texts that give orders, forge verdicts or try to leave the data they are in.

They stand in tests/data/attacks.jsonl, one a line: `id`, `kind`, `lang`, `where` it would stand,
and `text`, `repeat` times over. One that is split over notes has `parts` instead; one of the kind
"quote" has a `quote` that a judge may give for the text, and that must not count as found in it.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

FILE = Path(__file__).parents[1] / "data" / "attacks.jsonl"


@dataclass(frozen=True)
class Attack:
    id: str
    kind: str
    lang: str
    where: str
    text: str
    parts: tuple[str, ...]
    quote: str | None

    @classmethod
    def of(cls, case: dict[str, Any]) -> Self:
        parts = tuple(case.get("parts", ()))
        text = "\n".join(parts) if parts else case["text"] * case.get("repeat", 1)
        return cls(
            case["id"],
            case["kind"],
            case["lang"],
            case["where"],
            text,
            parts or (text,),
            case.get("quote"),
        )


ATTACKS = [Attack.of(json.loads(line)) for line in FILE.read_text("utf-8").splitlines()]


@dataclass(frozen=True)
class Foreign:
    """Every text of a prompt that nobody vouches for. remarks: what models wrote before, such as
    missing information, suggestions and nuggets."""

    question: str
    answer: str
    notes: tuple[str, ...]
    titles: tuple[str, ...]
    profile: str
    remarks: tuple[str, ...]

    def texts(self) -> tuple[str, ...]:
        scattered = (self.question, self.answer, self.profile)
        return (*scattered, *self.notes, *self.titles, *self.remarks)


_PLAIN = "변성은 95도에서 한다."
CALM = Foreign(_PLAIN, _PLAIN, (_PLAIN,) * 3, ("PCR",) * 3, "연구원", (_PLAIN,))


def calm_as_long_as(given: Foreign) -> Foreign:
    """Harmless notes that are cut where those given are."""
    lengths = map(len, given.notes)
    return replace(CALM, notes=tuple((_PLAIN * n)[:n] for n in lengths))


def in_its_place(attack: Attack) -> Foreign:
    """The attack where it would stand, and harmless texts around it."""
    match attack.where:
        case "notes":
            return replace(CALM, notes=attack.parts)
        case "note":
            return replace(CALM, notes=(attack.text, _PLAIN, _PLAIN))
        case "title":
            return replace(CALM, titles=(attack.text, "PCR", "PCR"))
        case "feedback":
            return replace(CALM, remarks=(attack.text,))
        case "question":
            return replace(CALM, question=attack.text)
        case "profile":
            return replace(CALM, profile=attack.text)
        case _:
            return replace(CALM, answer=attack.text)


def everywhere(attack: Attack) -> Foreign:
    text, parts = attack.text, (*attack.parts, *(attack.text,) * 3)[:3]
    return Foreign(text, text, parts, parts, text, (text[:400],))
