"""A workspace's own criteria beside correctness and utility."""

import json
import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field, StringConstraints

from app.ai_router.types import Lang
from app.api.openapi import conflict, not_found
from app.api.parameters import After, Limit
from app.api.problems import Language
from app.api.schemas import NO_NUL, StrictBody
from app.api.sessions import AdminAccess, ReadAccess
from app.judges.criteria import criterion as definition
from app.judges.criteria import versions
from app.judges.criteria.criterion import Criterion
from app.judges.criteria.rules import check_rule
from app.platform.errors import InvalidRequest
from app.verdicts.policy import changes as service
from app.verdicts.policy.document import Chars, Feature

router = APIRouter(prefix="/criteria", tags=["criteria"])

_NO_CRITERION = not_found("The workspace has no such criterion.")
_Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
_FILLED = StringConstraints(min_length=1, pattern=NO_NUL)
_STRIPPED = StringConstraints(min_length=1, pattern=NO_NUL, strip_whitespace=True)
_Word = Annotated[str, _STRIPPED, Field(max_length=definition.MAX_WORD_CHARS)]
_Question = Annotated[str, _STRIPPED, Field(max_length=definition.MAX_QUESTION_CHARS)]
_Pattern = Annotated[str, _FILLED, Field(max_length=definition.MAX_RULE_CHARS)]


class CriterionCreate(StrictBody):
    """question: what is asked of each answer. kind: `model` has the judge asked in the call of the
    verdict; `regex` looks for `pattern` in the answer, `json_schema` wants the answer to be JSON of
    that schema, and `length` counts its characters. scale: two to five words, the lowest first, or
    empty for a number from 0 to 1; of a rule the words for no and yes, or empty. features,
    languages: of the answers that it is for; null for all. note: what changed, and why."""

    name: _Name
    question: _Question
    kind: definition.Kind = "model"
    scale: Annotated[list[_Word], Field(max_length=definition.MAX_WORDS)] = Field(
        default_factory=list
    )
    pattern: _Pattern | None = None
    json_schema: dict[str, Any] | None = None
    min_chars: Chars | None = None
    max_chars: Chars | None = None
    features: Annotated[list[Feature], Field(min_length=1, max_length=3)] | None = None
    languages: Annotated[list[Lang], Field(min_length=1, max_length=2)] | None = None
    note: Annotated[str, StringConstraints(max_length=500, pattern=NO_NUL)] = ""

    def criterion(self) -> Criterion:
        values = self.model_dump(exclude={"note", "json_schema"})
        schema = None if self.json_schema is None else _as_text(self.json_schema)
        return Criterion.from_json(values | {"version": 1, "json_schema": schema})


def _as_text(schema: dict[str, Any]) -> str:
    try:
        text = json.dumps(schema, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest.worded("criterion-rule-broken", problem=str(error)) from None
    if len(text) > definition.MAX_RULE_CHARS:
        raise InvalidRequest.worded("criterion-schema-long", most=definition.MAX_RULE_CHARS)
    return text


@router.get("/examples")
async def list_criterion_examples(_: ReadAccess, lang: Language) -> list[versions.CriterionExample]:
    """Criteria to begin with, in the language of the request: POST one to have it judged."""
    return versions.examples(lang)


@router.get("")
async def list_criteria(
    access: ReadAccess, in_force: bool = False, after: After = None, limit: Limit = 50
) -> versions.CriterionPage:
    """The workspace's versions, newest first, or only those `in_force`, which new verdicts have.
    `after` is the `next` of the page before."""
    return await versions.criterion_page(
        *access.workspace, in_force=in_force, after=after, limit=limit
    )


@router.post(
    "", status_code=201, responses=conflict("Nothing differs from before, or there are ten others.")
)
async def create_criterion(
    body: CriterionCreate, access: AdminAccess, response: Response
) -> versions.CriterionVersion:
    """Keeps the next version of a name, which never changes, and has the next answers judged by it
    in the place of the version before."""
    new = body.criterion()
    definition.check(new)
    # Before the transaction has read anything: it may take a second.
    await check_rule(new)
    found = await service.add_criterion(
        *access.workspace, new, note=body.note.strip(), made_by=access.principal.name
    )
    response.headers["Location"] = f"/criteria/{found.id}"
    return found


@router.get("/{criterion_id:uuid}", responses=_NO_CRITERION)
async def read_criterion(criterion_id: uuid.UUID, access: ReadAccess) -> versions.CriterionVersion:
    """One version."""
    return await versions.criterion_view(*access.workspace, criterion_id)


@router.post("/{criterion_id:uuid}/archive", responses=_NO_CRITERION)
async def archive_criterion(
    criterion_id: uuid.UUID, access: AdminAccess
) -> versions.CriterionVersion:
    """No answer is judged by any version of its name from now on; scores stay. Keeping another
    version brings it back. May be repeated."""
    return await service.archive_criterion(*access.workspace, criterion_id)
