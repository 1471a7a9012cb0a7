"""The banner of `searchqa up` when the stack is ready."""

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from app.cli.language import translated
from app.operations.embedded.stack import RunningStack
from app.platform.settings import get_settings


def show_ready(running: RunningStack) -> None:
    """The only place that prints secrets of this start, and only to a terminal: other output ends
    in a log. Lines are not wrapped, so that an address can be copied."""
    info = running.info
    out = Console(highlight=False)
    rows = []
    opened = translated("Open", "열기")
    once = translated("one-time, expires after 10 minutes", "일회용, 10분 뒤 만료")
    if running.settings.api.auth and not out.is_terminal:
        rows.append(
            (
                opened,
                translated(
                    "`searchqa login` prints a one-time link",
                    "`searchqa login`이 일회용 링크를 출력합니다",
                ),
            )
        )
    elif running.settings.api.auth:
        # With it comes SQLAlchemy: 20 MB for as long as this process runs.
        from app.cli.login import login_link

        # Who starts the stack operates it.
        url = running.settings.api.public_url or info.api_url
        link = login_link(running.database_url, url, operator=True)
        rows.append(
            (
                opened,
                f"{link}  ({once})",
            )
        )
    else:
        rows.append((opened, f"{info.api_url}/ui/"))
    if not (running.settings.api.ui_dir / "index.html").is_file():
        rows.append(
            (
                translated("Pages", "화면"),
                translated(
                    "not built yet: run `make ui` with Node.js 20.19 or newer",
                    "아직 빌드되지 않았습니다. Node.js 20.19 이상에서 `make ui`를 실행하세요",
                ),
            )
        )
    rows.append(
        ("API", f"{info.api_url}  ({translated('documentation', '문서')}: {info.api_url}/docs)")
    )
    if info.flower_url:
        user, _, password = running.flower_basic_auth.partition(":")
        if get_settings().flower.basic_auth is not None:
            shown = translated(
                "password of SEARCHQA_FLOWER_BASIC_AUTH", "비밀번호는 SEARCHQA_FLOWER_BASIC_AUTH"
            )
        elif out.is_terminal:
            shown = translated(f"password {password}", f"비밀번호 {password}")
        else:
            shown = translated(
                "password shown on a terminal only, or set SEARCHQA_FLOWER_BASIC_AUTH",
                "비밀번호는 터미널에만 표시됩니다. 또는 SEARCHQA_FLOWER_BASIC_AUTH를 설정하세요",
            )
        rows.append(
            ("Flower", f"{info.flower_url}  ({translated('user', '사용자')} {user}, {shown})")
        )
    live = running.settings.stack.live_workers
    rows.append(
        (
            translated("Workers", "워커"),
            translated(
                f"{live} for fresh answers (--workers), 1 for jobs, 1 isolated",
                f"새 답변용 {live}개(--workers), 작업용 1개, 격리용 1개",
            ),
        )
    )
    rows.append((translated("Data", "데이터"), str(running.settings.stack.data_dir)))
    rows.append(
        (translated("Stop", "종료"), f"Ctrl-C, {translated('or', '또는')}: kill {info.pid}")
    )
    ready = translated("SearchQA is ready", "SearchQA가 준비되었습니다")
    banner = Text(f"\n{ready}\n", style="bold green")
    for name, value in rows:
        banner.append(set_cell_size(f"  {name}", 10), style="bold")
        banner.append(f"{value}\n", style="not bold default")
    out.print(banner, soft_wrap=True)
