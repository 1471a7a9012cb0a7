"""Short texts that a judge writes: nuggets, suggestions."""

from typing import Annotated

from pydantic import AfterValidator, Field

from app.judges.parsing import JudgeText


def _one_line(text: str) -> str:
    return " ".join(text.split())


ShortText = Annotated[JudgeText, AfterValidator(_one_line), Field(min_length=1, max_length=400)]
