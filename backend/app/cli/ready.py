"""The banner of `searchqa up` when the stack is ready."""

from rich.console import Console
from rich.text import Text

from app.cli.login import login_link
from app.embedded.stack import RunningStack
from app.settings import get_settings


def show_ready(running: RunningStack) -> None:
    """The only place that prints secrets of this start, and only to a terminal: other output ends
    in a log. Lines are not wrapped, so that an address can be copied."""
    info = running.info
    out = Console(highlight=False)
    rows = []
    if running.settings.auth and not out.is_terminal:
        rows.append(("Open", "`searchqa login` prints a one-time link"))
    elif running.settings.auth:
        link = login_link(running.database_url, running.settings.public_url or info.api_url)
        rows.append(("Open", f"{link}  (one-time, expires after 10 minutes)"))
    else:
        rows.append(("Open", f"{info.api_url}/ui/"))
    if not (running.settings.ui_dir / "index.html").is_file():
        rows.append(("Pages", "not built yet: run `make ui` with Node.js 20.19 or newer"))
    rows.append(("API", f"{info.api_url}  (documentation: {info.api_url}/docs)"))
    if info.flower_url:
        user, _, password = running.flower_basic_auth.partition(":")
        if get_settings().flower_basic_auth is not None:
            shown = "password of SEARCHQA_FLOWER_BASIC_AUTH"
        elif out.is_terminal:
            shown = f"password {password}"
        else:
            shown = "password shown on a terminal only, or set SEARCHQA_FLOWER_BASIC_AUTH"
        rows.append(("Flower", f"{info.flower_url}  (user {user}, {shown})"))
    rows.append(("Data", str(running.settings.data_dir)))
    rows.append(("Stop", f"Ctrl-C, or: kill {info.pid}"))
    banner = Text("\nSearchQA is ready\n", style="bold green")
    for name, value in rows:
        banner.append(f"  {name:<8}", style="bold").append(f"{value}\n", style="not bold default")
    out.print(banner, soft_wrap=True)
