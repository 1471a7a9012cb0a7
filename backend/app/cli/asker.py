"""What a question says of the asker and of its matter, as options of commands."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from app.answering.refine.profile import SLOT_LABELS, Slots

Profile = Annotated[
    str | None, typer.Option("--profile", help="About the asker; leads the improvement of answers.")
]
SlotValues = Annotated[
    list[str] | None,
    typer.Option(
        "--slot",
        metavar="NAME=VALUE",
        help="age, sex, conditions or medications of the asker (나이, 성별, 질환, 약물); repeat it"
        " for several.",
    ),
]
Classified = Annotated[
    str | None,
    typer.Option(
        "--classification",
        metavar="MAJOR[/MINOR]",
        help="What the question is about; its notes are searched first.",
    ),
]


def slots_of(given: Sequence[str] | None) -> dict[str, Any] | None:
    """The slots as the API takes them. Raises BadParameter for one that there is not."""
    if not given:
        return None
    english = {label: name for name, labels in SLOT_LABELS.items() for label in labels.values()}
    slots: dict[str, Any] = {}
    for each in given:
        name, equals, value = (part.strip() for part in each.partition("="))
        known = english.get(name)
        if not equals or not value or known is None:
            raise typer.BadParameter(
                f"{each!r} is not NAME=VALUE; the names are {', '.join(english)}."
            )
        if known in {"conditions", "medications"}:
            slots.setdefault(known, []).append(value)
        elif known in slots:
            raise typer.BadParameter(f"{name} is given twice; name it once.")
        else:
            slots[known] = value
    try:
        return Slots.model_validate(slots).model_dump(mode="json", exclude_defaults=True)
    except ValidationError as error:
        what = error.errors()[0]
        raise typer.BadParameter(f"{what['loc'][0]}: {what['msg']}.") from None


def classification_of(given: str | None) -> dict[str, str] | None:
    """The classification as the API takes it. Raises BadParameter for an empty one."""
    if given is None:
        return None
    major, slash, minor = (part.strip() for part in given.partition("/"))
    if not major or (slash and not minor):
        raise typer.BadParameter(f"{given!r} is not MAJOR or MAJOR/MINOR.")
    return {"major_category": major} | ({"minor_category": minor} if minor else {})
