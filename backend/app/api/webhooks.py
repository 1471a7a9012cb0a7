"""Webhooks: receivers of verdicts and alerts, and the state of each delivery."""

import uuid
from typing import Annotated, Any, Self

from fastapi import APIRouter, Query, Response
from pydantic import Field, model_validator

from app.api.openapi import conflict, not_found
from app.api.parameters import After, Limit
from app.api.problems import Language
from app.api.schemas import NonEmpty, StrictBody
from app.api.services import ServicesDep
from app.api.sessions import AdminAccess
from app.integrations.webhooks import service, views
from app.integrations.webhooks.addresses import MAX_URL_CHARS
from app.integrations.webhooks.events import DeliveryStatus, EventName
from app.integrations.webhooks.formats import FormatName
from app.judges.answer import Confidence
from app.text.language import Lang
from app.verdicts.policy.document import Number

router = APIRouter(prefix="/webhooks", tags=["webhooks"])

_NO_WEBHOOK = not_found("The workspace has no such webhook.")
_NO_DELIVERY = not_found("The webhook has no such delivery.")

_Name = Annotated[str, NonEmpty, Field(max_length=100)]
_Url = Annotated[str, NonEmpty, Field(max_length=MAX_URL_CHARS)]
_Word = Annotated[str, NonEmpty, Field(max_length=200)]
_Events = Annotated[list[EventName], Field(min_length=1, max_length=len(EventName))]
_Confidences = Annotated[list[Confidence], Field(min_length=1, max_length=3)]
_Words = Annotated[list[_Word], Field(min_length=1, max_length=50)]
_Notebooks = Annotated[list[uuid.UUID], Field(min_length=1, max_length=100)]
_Minutes = Annotated[int, Field(ge=1, le=7 * 24 * 60), Number]
_Thresholds = Annotated[list[views.Threshold], Field(max_length=10)]


class WebhookCreate(StrictBody):
    """url: a public http or https address. lang: of texts that people read, as in Slack. Filters
    hold for verdicts, `judges` also for judges; null lets everything pass. include_content: also
    send question, answer and claims, which leave the server then. backlog_minutes: when the oldest
    waiting answer makes a backlog. thresholds: of the event threshold.crossed."""

    name: _Name
    url: _Url
    format: FormatName = FormatName.JSON
    lang: Lang = "ko"
    events: _Events
    confidences: _Confidences | None = None
    judges: _Words | None = None
    notebook_ids: _Notebooks | None = None
    features: _Words | None = None
    include_content: bool = False
    backlog_minutes: _Minutes = 10
    thresholds: _Thresholds = Field(default_factory=list)
    enabled: bool = True


class WebhookUpdate(StrictBody):
    """What is left out stays as it is; null takes a filter away."""

    name: _Name | None = None
    url: _Url | None = None
    format: FormatName | None = None
    lang: Lang | None = None
    events: _Events | None = None
    confidences: _Confidences | None = None
    judges: _Words | None = None
    notebook_ids: _Notebooks | None = None
    features: _Words | None = None
    include_content: bool | None = None
    backlog_minutes: _Minutes | None = None
    thresholds: _Thresholds | None = None
    enabled: bool | None = None

    @model_validator(mode="after")
    def _only_filters_are_null(self) -> Self:
        nullable = {"confidences", "judges", "notebook_ids", "features"}
        for name in self.model_fields_set - nullable:
            if getattr(self, name) is None:
                raise ValueError(f"{name} cannot be null; leave it out to keep it")
        return self


class SecretRotate(StrictBody):
    """overlap_hours: how long deliveries are also signed with the present secret; 0 ends it now,
    as after a leak."""

    overlap_hours: Annotated[int, Field(ge=0, le=168), Number] = 24


@router.get("")
async def list_webhooks(access: AdminAccess, lang: Language) -> views.WebhookPage:
    """The webhooks of the workspace; their secrets are not shown."""
    return views.WebhookPage(items=await service.list_webhooks(*access.workspace, lang))


@router.post(
    "", status_code=201, responses=conflict("The workspace has as many webhooks as it may have.")
)
async def create_webhook(
    body: WebhookCreate, access: AdminAccess, services: ServicesDep
) -> views.WebhookCreated:
    """Adds a webhook. Its secret is shown this one time."""
    values = _columns(body)
    return await service.add_webhook(*access.workspace, values, services.settings)


@router.get("/{webhook_id}", responses=_NO_WEBHOOK)
async def read_webhook(
    webhook_id: uuid.UUID, access: AdminAccess, lang: Language
) -> views.WebhookView:
    """One webhook, and whether its receiver takes what it is sent."""
    return await service.get_webhook(*access.workspace, webhook_id, lang)


@router.patch("/{webhook_id}", responses=_NO_WEBHOOK)
async def update_webhook(
    webhook_id: uuid.UUID,
    body: WebhookUpdate,
    access: AdminAccess,
    services: ServicesDep,
    lang: Language,
) -> views.WebhookView:
    """Changes what the body names. Switching a webhook on that the server had switched off has
    its pending deliveries sent."""
    return await service.change_webhook(
        *access.workspace, webhook_id, _columns(body), services.settings, lang
    )


@router.delete("/{webhook_id}", status_code=204, responses=_NO_WEBHOOK)
async def delete_webhook(webhook_id: uuid.UUID, access: AdminAccess) -> Response:
    """With its deliveries, those that wait as well."""
    await service.delete_webhook(*access.workspace, webhook_id)
    return Response(status_code=204)


@router.post("/{webhook_id}/rotate-secret", responses=_NO_WEBHOOK)
async def rotate_webhook_secret(
    webhook_id: uuid.UUID, access: AdminAccess, body: SecretRotate | None = None
) -> views.RotatedSecret:
    """A new secret, shown this one time. Until the one before it ends, deliveries carry the
    signatures of both."""
    hours = (body or SecretRotate()).overlap_hours
    return await service.rotate_secret(*access.workspace, webhook_id, hours)


@router.post(
    "/{webhook_id}/test",
    status_code=202,
    responses=_NO_WEBHOOK | conflict("The webhook is switched off."),
)
async def test_webhook(webhook_id: uuid.UUID, access: AdminAccess) -> views.DeliveryView:
    """Has the event `webhook.test` sent, once; read the delivery again to see what came of it."""
    return await service.send_test(*access.workspace, webhook_id)


@router.get("/{webhook_id}/deliveries", responses=_NO_WEBHOOK)
async def list_webhook_deliveries(
    webhook_id: uuid.UUID,
    access: AdminAccess,
    lang: Language,
    status: Annotated[DeliveryStatus | None, Query()] = None,
    after: After = None,
    limit: Limit = 50,
) -> views.DeliveryPage:
    """What was sent or is to be, newest first, each with its last attempts."""
    return await service.delivery_page(
        *access.workspace, webhook_id, status=status, after=after, limit=limit, lang=lang
    )


@router.get("/{webhook_id}/deliveries/{delivery_id}", responses=_NO_DELIVERY)
async def read_webhook_delivery(
    webhook_id: uuid.UUID, delivery_id: uuid.UUID, access: AdminAccess, lang: Language
) -> views.DeliveryView:
    """One delivery with its attempts."""
    return await service.get_delivery(*access.workspace, webhook_id, delivery_id, lang)


@router.post(
    "/{webhook_id}/deliveries/{delivery_id}/replay",
    status_code=202,
    responses=_NO_DELIVERY | conflict("It is being sent at the moment."),
)
async def replay_webhook_delivery(
    webhook_id: uuid.UUID, delivery_id: uuid.UUID, access: AdminAccess, lang: Language
) -> views.DeliveryView:
    """Has it sent again, under the same webhook-id, by which receivers know it."""
    return await service.replay_delivery(*access.workspace, webhook_id, delivery_id, lang)


def _columns(body: StrictBody) -> dict[str, Any]:
    """What of the body goes into the row: all of a new one, else what was sent."""
    values = body.model_dump(exclude_unset=isinstance(body, WebhookUpdate))
    if thresholds := values.get("thresholds"):
        values["thresholds"] = [
            {**each, "metric": each["metric"].value, "direction": each["direction"].value}
            for each in thresholds
        ]
    for name in ("events", "confidences", "features", "judges"):
        if values.get(name) is not None:
            values[name] = [str(each) for each in dict.fromkeys(values[name])]
    return values | ({"format": values["format"].value} if "format" in values else {})
