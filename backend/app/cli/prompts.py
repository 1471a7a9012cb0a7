"""`searchqa prompts …`: a workspace's own instructions for judges, in versions."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.client import Client, connect
from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import View, console, local_time, print_json, print_result, printable
from app.cli.tables import print_rows
from app.platform.errors import SetupError

PATH = "/judge-prompts"
_LANGS: tuple[Lang, ...] = ("ko", "en")
Version = Annotated[
    str, typer.Argument(help="workspace:NAME@1 from `searchqa prompts list`, or search-qa-eval-3.")
]
_File = typer.Option(exists=True, dir_okay=False, help="File with the instructions.")

prompts = command_group(
    "prompts",
    """A version never changes. It judges where the policy, a bench or judging again names it. Its
    {about}, {sections} and {form} stand for fixed text: safety rules and the form of the reply.""",
)


@prompts.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of versions.")] = 50,
    json: AsJson = False,
) -> None:
    """List the workspace's versions, newest first.

    Example:

    searchqa prompts list
    """
    with connect() as client:
        found = client.list_items(PATH, limit)
    if not found and not json:
        typer.echo(
            translated(
                "The workspace has no prompts of its own; `searchqa prompts add` keeps one.",
                "워크스페이스에 저장한 프롬프트가 없습니다. `searchqa prompts add`로 저장하세요.",
            )
        )
        return
    columns = ("reference", ("state", _state), "created_at", "parent", "made_by", "note")
    print_rows(found, *columns, as_json=json, last_folds=True)


@prompts.command()
def show(
    version: Version,
    text: Annotated[
        Lang | None, typer.Option(help="Print these instructions only, as `add` takes them.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show a version with its instructions; shipped ones too, to start from.

    Examples:

    searchqa prompts show search-qa-eval-3 --text ko > strict.txt

    searchqa prompts show workspace:strict@1
    """
    with connect() as client:
        found = _find(client, version)
    if text and not json:
        typer.echo(found["texts"][text])
        return
    print_result(found, _show, as_json=json)


@prompts.command()
def add(
    name: Annotated[str, typer.Argument(help="Lowercase letters, digits and hyphens.")],
    parent: Annotated[
        str, typer.Option(help="The version it is written from.")
    ] = "search-qa-eval-3",
    ko: Annotated[Path | None, _File] = None,
    en: Annotated[Path | None, _File] = None,
    note: Annotated[str, typer.Option(help="What changed, and why.")] = "",
    json: AsJson = False,
) -> None:
    """Keep the next version of a name. A language without a file has the parent's instructions.

    Example:

    searchqa prompts add strict --ko strict.txt --note 'compare units'
    """
    files = {"ko": ko, "en": en}
    texts = {lang: _read(file) for lang, file in files.items() if file is not None}
    if not texts:
        raise SetupError("Give the instructions: --ko FILE, --en FILE, or both.")
    body = {"name": name, "parent": parent, "texts": texts, "note": note}
    with connect() as client:
        kept = client.post(PATH, body)
    if json:
        print_json(kept)
        return
    reference = kept["reference"]
    typer.echo(
        translated(
            f"Kept as {reference}; try it in the playground, or with `searchqa judge-bench"
            f" --from-feedback --judge MODEL@{reference}`.",
            f"{reference}(으)로 저장했습니다. 프롬프트 실험 페이지나 `searchqa judge-bench"
            f" --from-feedback --judge MODEL@{reference}`로 시험하세요.",
        )
    )


@prompts.command()
def retire(version: Version) -> None:
    """Retire a version: it cannot be chosen any more, and verdicts by it stay.

    Example:

    searchqa prompts retire workspace:strict@1
    """
    with connect() as client:
        found = _find(client, version)
        if "id" not in found:
            raise SetupError(f"{version} comes with the program and cannot be retired.")
        client.post(f"{PATH}/{found['id']}/retire")
    typer.echo(translated(f"{version} is retired.", f"{version}의 사용을 중단했습니다."))


def _find(client: Client, version: str) -> dict[str, Any]:
    """Raises SetupError where there is no such version."""
    shipped = client.get(f"{PATH}/shipped")
    if found := next((one for one in shipped if one["version"] == version), None):
        return dict(found)
    own = client.list_items(PATH)
    if found := next((one for one in own if one["reference"] == version), None):
        return found
    known = ", ".join(one["version"] for one in shipped)
    raise SetupError(
        f"There is no prompt {version!r}; `searchqa prompts list` lists the workspace's, and"
        f" {known} come with the program."
    )


def _read(file: Path) -> str:
    """Without the line breaks that editors end a file with."""
    try:
        return file.read_text(encoding="utf-8").replace("\r\n", "\n").rstrip("\n")
    except UnicodeDecodeError:
        raise SetupError(f"{file} is not text in UTF-8.") from None


def _state(version: View) -> str:
    if version["in_policy"]:
        return translated("in the policy", "정책에서 사용")
    retired = version["retired_at"] is not None
    return translated("retired", "사용 중단") if retired else translated("available", "사용 가능")


def _show(found: View) -> None:
    out = console()
    own = "reference" in found
    out.print(Text(found["reference"] if own else found["version"], "bold"))
    if own:
        out.print(f"{translated('state', '상태')}: {_state(found)}")
        out.print(f"{translated('based on', '바탕')}: {found['parent']}")
        out.print(f"{translated('made by', '만든 사람')}: {printable(found['made_by'])}")
        out.print(f"{translated('kept', '저장')}: {local_time(found['created_at'])}")
        if found["note"]:
            out.print(f"{translated('note', '메모')}: {printable(found['note'])}")
    for lang in _LANGS:
        out.print(Text(f"\n[{lang}]", "bold"))
        out.print(Text(printable(found["texts"][lang])))
