"""Prompts of judges as readers get them."""

import datetime as dt
import uuid
from typing import Self

from pydantic import BaseModel

from app.ai_router.types import Lang
from app.judges.prompts.one_call import OneCallPrompt, Sections
from app.platform.db.owned_queries import Listed, Page


class PromptVersion(Listed):
    """A version of a prompt of the workspace. reference: how policies, benches and verdicts name
    it. base: the shipped prompt of which sections and form are; parent: what it was written from.
    texts: its instructions by language. in_policy: whether the workspace is judged by it now.
    retired_at: since when it cannot be chosen any more; null while it can."""

    name: str
    version: int
    reference: str
    base: str
    parent: str
    texts: dict[Lang, str]
    note: str
    made_by: str
    in_policy: bool
    created_at: dt.datetime
    retired_at: dt.datetime | None


class PromptVersionPage(Page[PromptVersion, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


class ShippedPrompt(BaseModel):
    """A prompt that instructions can be written for. texts: its own ones by language, with the
    placeholders; fixed: what takes their place, the sections as where all of them are wanted."""

    version: str
    default: bool
    texts: dict[Lang, str]
    fixed: dict[Lang, dict[str, str]]

    @classmethod
    def of(cls, prompt: OneCallPrompt, default: str) -> Self:
        asked = Sections(("…",), (), next_steps=True)
        fixed = {
            lang: {name.strip("{}"): text for name, text in prompt.fixed(asked, lang).items()}
            for lang in prompt.system
        }
        return cls(
            version=prompt.version,
            default=prompt.version == default,
            texts=dict(prompt.system),
            fixed=fixed,
        )
