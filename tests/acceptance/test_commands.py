"""The command line against a running stack, each command a process of its own."""

import json
import zipfile
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.acceptance

QUESTION = "원심분리기 로터는 며칠마다 닦나요?"


def write_sources(folder: Path) -> tuple[Path, Path, Path]:
    """The same kind of notes as a Markdown folder, as JSON lines and as a Note Station archive."""
    markdown = folder / "markdown"
    markdown.mkdir()
    (markdown / "rotor.md").write_text("# 로터\n\n원심분리기 로터는 7일마다 닦는다.\n")
    (markdown / "balance.md").write_text("# 저울\n\n저울은 매일 아침 영점을 맞춘다.\n")
    lines = folder / "lines.jsonl"
    lines.write_text(json.dumps({"title": "Freezer", "content": "It is kept at -80 °C."}) + "\n")
    archive = folder / "backup.nsx"
    members = {
        "config.json": {"note": ["note_1"], "notebook": ["nb_1"], "shortcut": {}},
        "nb_1": {"title": "백업"},
        "note_1": {"title": "후드", "parent_id": "nb_1", "content": "<div>후드는 켜 둔다.</div>"},
    }
    with zipfile.ZipFile(archive, "w") as written:
        for name, value in members.items():
            written.writestr(name, json.dumps(value))
    return markdown, lines, archive


async def test_import_ask_and_read_the_verdict(stack, tmp_path):
    markdown, lines, archive = write_sources(tmp_path)

    for source, count in ((markdown, 2), (lines, 1), (archive, 1)):
        ran = await stack.succeed("notes", "import", str(source), "--notebook", "명령", "--json")
        assert json.loads(ran)["created"] == count
    again = await stack.succeed("notes", "import", str(markdown), "--notebook", "명령", "--json")
    assert json.loads(again)["unchanged"] == 2
    listed = json.loads(await stack.succeed("notes", "list", "--json"))
    assert {"로터", "저울", "Freezer", "후드"} <= {note["title"] for note in listed}

    asked = json.loads(await stack.succeed("ask", QUESTION, "--json"))
    assert "7일" in asked["answer"]
    assert asked["evaluation"]["status"] == "succeeded"
    id_ = asked["evaluation_id"]
    shown = json.loads(await stack.succeed("verdicts", "show", id_, "--json"))
    assert shown == asked["evaluation"]
    newest = json.loads(await stack.succeed("verdicts", "list", "--limit", "1", "--json"))
    assert [view["id"] for view in newest] == [id_]
    watched = await stack.succeed("api", "GET", f"/qa-evaluations/{id_}/events")
    lines = watched.splitlines()
    events = [line.removeprefix("event: ") for line in lines if line.startswith("event: ")]
    assert events == ["evaluation", "quality", "qa_evaluation", "feedback"]


async def test_an_answer_is_printed_with_its_verdict(stack, token):
    ran = await stack.typed("ask", "PCR 변성은 몇 도에서 하나요?")

    assert ran.code == 0, ran.err
    answer, _, verdict = ran.out.partition("◇")
    assert "95도" in answer
    assert verdict.startswith(" 노트와 일치 · ")


async def test_doctor_finds_nothing_to_mend(stack):
    findings = json.loads((await stack.typed("doctor", "--json")).out)

    assert {finding["about"] for finding in findings} >= {"API", "PostgreSQL", "Redis", "Queue"}
    assert {finding["state"] for finding in findings} <= {"ok", "note"}


async def test_psql_reads_the_verdicts(stack):
    out = await stack.succeed("psql", "--", "-At", "-c", "SELECT 'rows', count(*) FROM api_tokens")

    assert out.startswith("rows|")


async def test_a_login_link_opens_one_browser(stack):
    link = (await stack.succeed("login")).strip()

    async with stack.client() as browser, stack.client() as other:
        entered = await browser.get(link)
        assert entered.status_code == 303
        assert (await other.get(link)).status_code == 401
        assert (await browser.get("/notes")).status_code == 200
        assert (await other.get("/notes")).status_code == 401
        assert (await browser.post("/logout")).status_code == 403, "no page of ours sent it"
        page = {"Origin": str(browser.base_url).rstrip("/")}
        assert (await browser.post("/logout", headers=page)).status_code == 204
        assert (await browser.get("/notes")).status_code == 401


async def test_up_writes_no_login_link_where_its_output_is_a_file(stack):
    link = (await stack.succeed("login")).strip()
    async with httpx.AsyncClient(trust_env=False) as browser:
        assert (await browser.get(link)).status_code == 303

    assert "SearchQA is ready" in stack.log
    assert "`searchqa login`" in stack.log
    assert "code=" not in stack.log
