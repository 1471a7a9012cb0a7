"""What a workspace has judged, by whom and for how much."""

import re
from typing import Annotated

from fastapi import APIRouter, Header, Response

from app.api.openapi import TEXT_HEADER, Responses
from app.api.problems import Language
from app.api.services import ServicesDep
from app.api.sessions import AdminAccess, ReadAccess
from app.errors import PreconditionFailed
from app.verdicts.policy.document import WorkspacePolicy
from app.verdicts.policy.service import EvaluationSettings, evaluation_settings, save_policy

router = APIRouter(prefix="/settings/evaluation", tags=["operation"])

_ETAG: Responses = {200: {"headers": {"ETag": TEXT_HEADER}}}

IfMatch = Annotated[str | None, Header(max_length=100)]


@router.get("", responses=_ETAG)
async def get_policy(
    access: ReadAccess, services: ServicesDep, response: Response, lang: Language
) -> EvaluationSettings:
    """The workspace's policy, what holds with the server's settings below it, and how much of
    today's budget is left."""
    found = await evaluation_settings(access.session, access.workspace_id, services.settings, lang)
    response.headers["ETag"] = f'"{found.version}"'
    return found


@router.put(
    "", responses=_ETAG | {412: {"description": "If-Match names another version of the policy."}}
)
async def replace_policy(
    body: WorkspacePolicy,
    access: AdminAccess,
    services: ServicesDep,
    response: Response,
    lang: Language,
    if_match: IfMatch = None,
) -> EvaluationSettings:
    """Replaces the whole policy: what is left out, or null, is left to the server. It holds for
    the next answer that is finished. With If-Match only if nobody has changed it since."""
    settings, expected = services.settings, _version(if_match)
    await save_policy(access.session, access.workspace_id, body, settings, expected=expected)
    return await get_policy(access, services, response, lang)


def _version(if_match: str | None) -> int | None:
    """The version that an ETag of ours names; `*` is any."""
    if if_match is None or if_match.strip() == "*":
        return None
    if found := re.fullmatch(r'\s*"(\d{1,9})"\s*', if_match, re.ASCII):
        return int(found[1])
    raise PreconditionFailed(
        "If-Match is not the ETag of a policy; send the one that GET gave, or leave it out.",
        ko="If-Match가 정책의 ETag가 아닙니다. GET으로 받은 값을 보내거나 생략하세요.",
    )
