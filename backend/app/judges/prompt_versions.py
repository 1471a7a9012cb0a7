"""Versions of a workspace's prompts: added, found, listed, retired."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pydantic import BaseModel
from sqlalchemy import RowMapping, insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.judges.models import JudgePrompt, JudgePromptExample
from app.judges.prompts.one_call import Example, OneCallPrompt, Sections
from app.judges.verdict_prompts import (
    DEFAULT_PROMPT,
    ONE_CALL_PROMPTS,
    Instructions,
    in_place_of,
    is_of_workspace,
    with_instructions,
)
from app.platform.db.owned_queries import Listed, Page, existing, one_and_page, page
from app.platform.db.statements import SqlFile
from app.platform.errors import Conflict, InvalidRequest, NotFound, no_such
from app.platform.ids import new_id

_SQL = SqlFile("app.judges", "prompts")
_PROMPT, _PROMPT_PAGE = one_and_page(_SQL("prompts"), "w.id")
_BY_REFERENCE = text(_SQL("by_reference"))
_LOCK_NAME = text(_SQL("lock_name"))
_LATEST_PROMPT = text(_SQL("latest_prompt"))
_RETIRE = text(_SQL("retire"))
_COPY_EXAMPLES = text(_SQL("copy_examples"))


class PromptVersion(Listed):
    """A version of a prompt of the workspace. reference: how policies, benches and verdicts name
    it. base: the shipped prompt of which sections and form are; parent: what it was written from.
    texts: its instructions by language. examples: labelled answers behind them, by `searchqa policy
    learn`. in_policy: whether the workspace is judged by it now.
    retired_at: since when it cannot be chosen any more; null while it can."""

    name: str
    version: int
    reference: str
    base: str
    parent: str
    texts: dict[Lang, str]
    examples: list[Example]
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
    def from_prompt(cls, prompt: OneCallPrompt, default: str) -> Self:
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


@dataclass(frozen=True, slots=True)
class NewVersion:
    """parent: the shipped version or the reference that it was written from; its base is that of
    the new one, and its text what is left out. examples: in place of those of the parent."""

    name: str
    parent: str
    texts: Mapping[Lang, str]
    note: str
    made_by: str
    examples: Sequence[Example] = ()


def shipped_prompts() -> Sequence[ShippedPrompt]:
    """Those that instructions can be written for, the usual one first."""
    return [
        ShippedPrompt.from_prompt(prompt, DEFAULT_PROMPT) for prompt in ONE_CALL_PROMPTS.values()
    ]


async def add_version(
    session: AsyncSession, workspace_id: uuid.UUID, new: NewVersion
) -> PromptVersion:
    """Keeps the next version of a name; the caller commits. Raises InvalidRequest for a parent that
    there is not and for broken instructions, Conflict where nothing differs from the version
    before."""
    parent = await parent_of(session, workspace_id, new.parent)
    texts = {**parent.texts, **new.texts}
    Instructions.checked(parent.base, texts)
    named = {"workspace_id": str(workspace_id), "name": new.name}
    await session.execute(_LOCK_NAME, named)
    latest = (await session.execute(_LATEST_PROMPT, named)).one_or_none()
    kept = (parent.base, texts["ko"], texts["en"])
    alike = latest and (latest.base, latest.text_ko, latest.text_en) == kept
    if latest and alike and not new.examples:
        raise Conflict.worded("same-instructions", name=new.name, version=latest.version)
    values = {
        "id": new_id(),
        "workspace_id": workspace_id,
        "name": new.name,
        "version": latest.version + 1 if latest else 1,
        "base": parent.base,
        "parent": new.parent,
        "text_ko": texts["ko"],
        "text_en": texts["en"],
        "note": new.note,
        "made_by": new.made_by,
    }
    id_ = await session.scalar(insert(JudgePrompt).values(**values).returning(JudgePrompt.id))
    assert id_ is not None
    await _add_examples(session, workspace_id, id_, new)
    return await prompt_version_view(session, workspace_id, id_)


async def _add_examples(
    session: AsyncSession, workspace_id: uuid.UUID, prompt_id: uuid.UUID, new: NewVersion
) -> None:
    about = {"workspace_id": workspace_id, "prompt_id": prompt_id}
    if not new.examples:
        await session.execute(_COPY_EXAMPLES, about | {"parent": new.parent})
        return
    rows = [
        about
        | {
            "position": position,
            "answer_id": each.answer_id,
            "example": each.model_dump(mode="json"),
        }
        for position, each in enumerate(new.examples)
    ]
    await session.execute(insert(JudgePromptExample), rows)


async def parent_of(session: AsyncSession, workspace_id: uuid.UUID, version: str) -> Instructions:
    """The instructions of a shipped version or of one of the workspace, retired or not. Raises
    InvalidRequest where there is no such one."""
    if shipped := ONE_CALL_PROMPTS.get(version):
        return Instructions(version, dict(shipped.system))
    row = await _by_reference(session, workspace_id, version)
    if row is None:
        raise _unknown(version)
    return Instructions(in_place_of(row["base"]), _texts(row))


async def find_prompt(
    session: AsyncSession, workspace_id: uuid.UUID, version: str | None
) -> OneCallPrompt | None:
    """The text of a workspace's version, retired or not, None where it is another one or this
    release lacks its base."""
    if version is None or not is_of_workspace(version):
        return None
    row = await _by_reference(session, workspace_id, version)
    if row is None:
        return None
    return _prompt(version, row)


async def usable_prompt(
    session: AsyncSession, workspace_id: uuid.UUID, version: str | None, field: str = "prompt"
) -> OneCallPrompt | None:
    """The text of a version that is chosen now; None for one that is not of the workspace, which
    others check. Raises InvalidRequest for one that is not there or retired, as `field`."""
    if version is None or not is_of_workspace(version):
        return None
    row = await _by_reference(session, workspace_id, version)
    if row is None:
        raise _unknown(version, field)
    if row["retired_at"] is not None:
        raise InvalidRequest.worded("prompt-retired", field=field, version=version)
    found = _prompt(version, row)
    if found is None:
        raise InvalidRequest.worded(
            "prompt-without-base", field=field, version=version, base=row["base"]
        )
    return found


async def prompt_version_view(
    session: AsyncSession, workspace_id: uuid.UUID, prompt_id: uuid.UUID
) -> PromptVersion:
    """Raises NotFound, also for one of another workspace."""
    row = await existing(session, _PROMPT, workspace_id, prompt_id, _no_such_version())
    return _view(row)


async def prompt_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> PromptVersionPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await page(session, _PROMPT_PAGE, workspace_id, after=after, limit=limit)
    return PromptVersionPage.of([_view(row) for row in rows], limit)


async def retire(
    session: AsyncSession, workspace_id: uuid.UUID, prompt_id: uuid.UUID
) -> PromptVersion:
    """May be repeated; the caller commits. Raises NotFound, and Conflict for the version that the
    workspace is judged by."""
    given = {"workspace_id": workspace_id, "id": prompt_id}
    retired = await session.scalar(_RETIRE, given)
    found = await prompt_version_view(session, workspace_id, prompt_id)
    if retired is None:
        raise Conflict.worded("prompt-in-policy", reference=found.reference)
    return found


async def _by_reference(
    session: AsyncSession, workspace_id: uuid.UUID, reference: str
) -> RowMapping | None:
    given = {"workspace_id": workspace_id, "reference": reference}
    return (await session.execute(_BY_REFERENCE, given)).mappings().one_or_none()


def _prompt(version: str, row: RowMapping) -> OneCallPrompt | None:
    examples = [Example.model_validate(each) for each in row["examples"]]
    return with_instructions(version, row["base"], _texts(row), examples)


def _view(row: RowMapping) -> PromptVersion:
    return PromptVersion.model_validate({**row, "texts": _texts(row)})


def _texts(row: RowMapping) -> dict[Lang, str]:
    return {"ko": row["text_ko"], "en": row["text_en"]}


def _unknown(version: str, field: str = "prompt") -> InvalidRequest:
    return InvalidRequest.worded("no-such-workspace-prompt", field=field, version=version)


def _no_such_version() -> NotFound:
    return no_such("prompt version", "프롬프트 버전이", "/judge-prompts")
