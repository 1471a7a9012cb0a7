"""`searchqa doctor`: what works, what does not, and how to fix it."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from app.cli import checks, postgres_checks
from app.cli.checks import Finding, State
from app.cli.language import _
from app.cli.output import AsJson, console, print_json
from app.operations.embedded.data_dir import running_stack
from app.platform.errors import SetupError
from app.platform.settings import get_settings

_MARKS = {State.OK: ("✔", "green"), State.NOTE: ("·", "yellow"), State.BROKEN: ("✘", "bold red")}


AskModels = Annotated[
    bool,
    typer.Option(
        "--models", help="Ask each configured model server one small question, which may cost."
    ),
]


def doctor(models: AskModels = False, json: AsJson = False) -> None:
    """Check configuration and connections, and suggest fixes.

    Exit code 1 when something required for answers or verdicts is broken. Without --models no model
    is called. No secret is shown.

    Examples:

    searchqa doctor

    searchqa doctor --models

    searchqa doctor --json | jq '.[] | select(.state == "broken")'
    """
    findings = list(_findings(models=models))
    if json:
        print_json([asdict(finding) for finding in findings])
    else:
        _show(findings)
    if any(finding.state is State.BROKEN for finding in findings):
        raise typer.Exit(1)


def _findings(*, models: bool) -> Iterator[Finding]:
    yield checks.system()
    try:
        settings = get_settings()
    except SetupError as error:
        yield Finding(
            "Configuration", State.BROKEN, str(error), "Correct the setting, or unset it."
        )
        return
    yield checks.timing(settings)
    yield checks.retention(settings)
    yield from checks.models(settings)
    yield from checks.endings(settings)
    yield checks.embedding(settings)
    if models:
        yield from checks.model_servers(settings)
    yield checks.domain_pack(settings)
    yield from checks.login_provider(settings)
    yield from checks.embedded_servers(settings)
    running = running_stack(settings.stack.data_dir)
    yield checks.stack(running, settings)
    if url := settings.cli.url or (running and running.api_url):
        yield checks.api(url)
    if database := settings.database.url or (running and running.database_url):
        stack_api = running.api_url if running and not settings.redis.url else None
        yield from postgres_checks.postgres(database, settings, stack_api)
        if replica := settings.database.read_url:
            yield postgres_checks.replica(
                database, replica, settings.database.replica_max_lag_seconds
            )
    if settings.redis.url:
        yield checks.redis(settings.redis.url)
    elif running:
        yield checks.embedded_redis(running.redis_url)
    if settings.redis.broker_url:
        yield checks.redis(settings.redis.broker_url, "Broker", "BROKER_URL")
    if settings.redis.message_url:
        yield checks.workers(settings.redis.message_url, settings)


def _show(findings: list[Finding]) -> None:
    out = console()
    width = max(len(finding.about) for finding in findings)
    for finding in findings:
        mark, style = _MARKS[finding.state]
        out.print(Text.assemble((f"{mark} ", style), f"{finding.about:<{width}}  {finding.detail}"))
        if finding.mend:
            out.print(Text(f"  {'':<{width}}  → {finding.mend}", style))
    broken = sum(finding.state is State.BROKEN for finding in findings)
    out.print()
    if broken:
        out.print(_("{broken} to fix.", broken=broken))
    else:
        out.print(_("Nothing is broken."))
