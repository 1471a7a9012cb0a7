"""`searchqa webhooks …`: who is told of verdicts and alerts."""

from typing import Annotated

import typer

from app.cli import webhook_fields as fields
from app.cli.client import connect
from app.cli.language import translated, value_title
from app.cli.options import AsJson, Yes, command_group
from app.cli.output import View, print_json, print_result
from app.cli.tables import print_rows
from app.cli.webhook_deliveries import WebhookId, deliveries, replay, send_test
from app.cli.webhook_fields import body_of, cleared, read_url
from app.cli.webhook_view import show_webhook, state_of
from app.integrations.webhooks.formats import FormatName

webhooks = command_group(
    "webhooks",
    """Deliveries are signed as Standard Webhooks defines it and retried for a day. docs/webhooks.md
    has the events, their payloads, and how to verify them.""",
)


@webhooks.command()
def add(
    name: Annotated[str, typer.Argument(help="What people call it.")],
    url: Annotated[str, typer.Argument(help="Where to send; - reads it from standard input.")],
    event: fields.Events = None,
    format_: Annotated[FormatName, typer.Option("--format", help="For whom.")] = FormatName.JSON,
    confidence: fields.Confidences = None,
    judge: fields.Judges = None,
    notebook: fields.Notebooks = None,
    feature: fields.Features = None,
    threshold: fields.Thresholds = None,
    backlog_minutes: fields.Minutes = None,
    content: fields.Content = None,
    message_lang: fields.MessageLang = None,
    json: AsJson = False,
) -> None:
    """Add a webhook and print its secret. It is shown only this once.

    Examples:

    searchqa webhooks add alerts https://example.com/hooks --event verdict.failed

    searchqa webhooks add team - --format slack --event verdict.succeeded --confidence low

    searchqa webhooks add cost https://example.com/c --event threshold.crossed
    --threshold 'cost_usd>5'
    """
    address = read_url(url)
    with connect() as client:
        body = body_of(
            client,
            events=event,
            confidences=confidence,
            judges=judge,
            notebooks=notebook,
            features=feature,
            thresholds=threshold,
            backlog_minutes=backlog_minutes,
            include_content=content,
            lang=message_lang,
            name=name,
            url=address,
            format=format_,
        )
        added = client.post("/webhooks", body)
    if json:
        print_json(added)
        return
    show_webhook(added)
    _show_secret(added["secret"])


@webhooks.command("list")
def list_(json: AsJson = False) -> None:
    """List webhooks and whether their receivers take what is sent.

    Example:

    searchqa webhooks list
    """
    with connect() as client:
        found = client.get("/webhooks")["items"]
    if not found and not json:
        typer.echo(translated("There is no webhook.", "웹훅이 없습니다."))
        return
    columns = ("id", ("state", _state), "format", "pending", "name", "events")
    print_rows(found, *columns, as_json=json, last_folds=True)


@webhooks.command()
def show(webhook_id: WebhookId, json: AsJson = False) -> None:
    """Show one webhook with its filters and its health.

    Example:

    searchqa webhooks show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        print_result(client.get(f"/webhooks/{webhook_id}"), show_webhook, as_json=json)


@webhooks.command()
def edit(
    webhook_id: WebhookId,
    name: Annotated[str | None, typer.Option(help="What people call it.")] = None,
    url: Annotated[
        str | None, typer.Option(help="Where to send; - reads it from standard input.")
    ] = None,
    event: fields.Events = None,
    format_: Annotated[FormatName | None, typer.Option("--format", help="For whom.")] = None,
    confidence: fields.Confidences = None,
    judge: fields.Judges = None,
    notebook: fields.Notebooks = None,
    feature: fields.Features = None,
    threshold: fields.Thresholds = None,
    backlog_minutes: fields.Minutes = None,
    content: fields.Content = None,
    message_lang: fields.MessageLang = None,
    clear: Annotated[
        list[str] | None,
        typer.Option(help=f"Take a filter away: {', '.join(fields.FILTERS)}; repeatable."),
    ] = None,
    enabled: Annotated[bool | None, typer.Option("--on/--off", help="Switch it on or off.")] = None,
    json: AsJson = False,
) -> None:
    """Change what is given; everything else stays as it is.

    Examples:

    searchqa webhooks edit 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --on

    searchqa webhooks edit 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --clear confidence --feature insight
    """
    address = url and read_url(url)
    with connect() as client:
        body = body_of(
            client,
            events=event,
            confidences=confidence,
            judges=judge,
            notebooks=notebook,
            features=feature,
            thresholds=threshold,
            backlog_minutes=backlog_minutes,
            include_content=content,
            lang=message_lang,
            name=name,
            url=address,
            format=format_,
            enabled=enabled,
        )
        changed = client.patch(f"/webhooks/{webhook_id}", cleared(clear or ()) | body)
    print_result(changed, show_webhook, as_json=json)


@webhooks.command()
def remove(webhook_id: WebhookId, yes: Yes = False) -> None:
    """Delete a webhook with its deliveries, those that wait as well.

    Example:

    searchqa webhooks remove 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --yes
    """
    if not yes:
        question = translated("Delete it with its deliveries?", "전송 기록과 함께 삭제할까요?")
        typer.confirm(question, abort=True)
    with connect() as client:
        client.delete(f"/webhooks/{webhook_id}")
    typer.echo(translated("Deleted.", "삭제했습니다."))


@webhooks.command()
def rotate(
    webhook_id: WebhookId,
    overlap_hours: Annotated[
        int, typer.Option(min=0, max=168, help="How long both secrets are used; 0 after a leak.")
    ] = 24,
    json: AsJson = False,
) -> None:
    """Make a new secret and print it. Until the old one ends, deliveries carry both signatures.

    Example:

    searchqa webhooks rotate 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        rotated = client.post(
            f"/webhooks/{webhook_id}/rotate-secret", {"overlap_hours": overlap_hours}
        )
    print_result(rotated, lambda view: _show_secret(view["secret"]), as_json=json)


webhooks.command("test")(send_test)
for command in (deliveries, replay):
    webhooks.command()(command)


def _state(webhook: View) -> str:
    return value_title(state_of(webhook))


def _show_secret(secret: str) -> None:
    typer.echo(secret)
    typer.echo(
        translated(
            "Save the secret now; it is not shown again. Receivers verify signatures with it.",
            "다시 표시되지 않으니 지금 저장하세요. 받는 쪽에서 이 비밀로 서명을 확인합니다.",
        ),
        err=True,
    )
