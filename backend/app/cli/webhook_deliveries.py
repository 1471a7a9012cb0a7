"""`searchqa webhooks test`, `deliveries` and `replay`: what was sent, and what came of it."""

import time
import uuid
from typing import Annotated

import typer

from app.cli.client import Client, connect
from app.cli.options import AsJson
from app.cli.output import View, print_result
from app.cli.tables import print_rows
from app.cli.webhook_view import show_delivery
from app.integrations.webhooks.events import DeliveryStatus

_POLL_SECONDS = 0.3
WebhookId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa webhooks list`.")]
DeliveryId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa webhooks deliveries`.")]


def send_test(webhook_id: WebhookId, json: AsJson = False) -> None:
    """Send a test event and show what the receiver answered.

    Example:

    searchqa webhooks test 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        delivery = client.post(f"/webhooks/{webhook_id}/test")
        ended = _until_ended(client, delivery)
    print_result(ended, show_delivery, as_json=json)
    if ended["status"] != DeliveryStatus.DELIVERED:
        raise typer.Exit(1)


def deliveries(
    webhook_id: WebhookId,
    delivery_id: Annotated[
        uuid.UUID | None, typer.Argument(help="Show this one with its attempts.")
    ] = None,
    status: Annotated[DeliveryStatus | None, typer.Option(help="Only these.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of deliveries.")] = 20,
    json: AsJson = False,
) -> None:
    """List deliveries, newest first, or show one with its attempts and replies.

    Example:

    searchqa webhooks deliveries 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --status failed
    """
    path = f"/webhooks/{webhook_id}/deliveries"
    with connect() as client:
        if delivery_id is not None:
            print_result(client.get(f"{path}/{delivery_id}"), show_delivery, as_json=json)
            return
        found = client.list_items(path, limit, status=status)
    columns = ("id", "created_at", "status", "tries", "event", ("error", _last_error))
    print_rows(found, *columns, as_json=json, last_folds=True)


def replay(webhook_id: WebhookId, delivery_id: DeliveryId, json: AsJson = False) -> None:
    """Send a delivery again, under the same webhook-id.

    Example:

    searchqa webhooks replay 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c12
    """
    with connect() as client:
        delivery = client.post(f"/webhooks/{webhook_id}/deliveries/{delivery_id}/replay")
    print_result(delivery, show_delivery, as_json=json)


def _until_ended(client: Client, delivery: View) -> View:
    """The delivery once it was tried, or as it stands when no worker takes it for a minute."""
    path = f"/webhooks/{delivery['webhook_id']}/deliveries/{delivery['id']}"
    deadline = time.monotonic() + 60
    while delivery["status"] == DeliveryStatus.PENDING and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        delivery = client.get(path)
    return delivery


def _last_error(delivery: View) -> str | None:
    attempts = delivery["attempts"]
    return attempts[-1]["error"] if attempts else None
