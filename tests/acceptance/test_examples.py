"""Every file of examples/ runs as it stands, and what it answers gets its verdict."""

import asyncio
import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from users import User

from cases import TIMEOUT_SECONDS
from live_stack import LiveStack
from stub_server import StubServer, answer

pytestmark = pytest.mark.acceptance

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTION = "출장 숙박비는 얼마까지 정산되나요?"
NOTE = {"title": "출장 규정", "content": "출장 숙박비는 1박에 15만 원까지 정산한다."}
# Those that answer their own question, or two, and end.
PROGRAMS = {
    "client_guard.py": 1,
    "client_sync.py": 1,
    "client_async.py": 2,
    "client_background.py": 1,
    "langchain_callback.py": 1,
    "llama_index_handler.py": 1,
    "openai_wrapper.py": 1,
    "otlp_langchain.py": 1,
    "mcp_llama_index.py": 1,
    "typescript_client.mjs": 2,
}
# The tool takes notes without titles.
UNTITLED = {"mcp_llama_index.py"}
TYPESCRIPT = Path(__file__).parents[2] / "clients" / "typescript"
SERVERS = {"fastapi_app.py", "webhook_receiver.py"}


async def user_of(stack: LiveStack, name: str) -> User:
    """Somebody with a workspace of their own."""
    return User(stack, name, await stack.token(name))


def environment(user: User, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONUNBUFFERED": "1",
        "SEARCHQA_URL": user.stack.info.api_url,
        "SEARCHQA_TOKEN": user.token,
        "OTEL_EXPORTER_OTLP_ENDPOINT": user.stack.info.api_url,
        "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer%20{user.token}",
        **more,
    }


@asynccontextmanager
async def running(user: User, *command: str, **more: str) -> AsyncIterator[asyncio.StreamReader]:
    """A Python program that does not end by itself, with all that it prints."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *command),
        env=environment(user, **more),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout
    try:
        yield process.stdout
    finally:
        process.terminate()
        await process.wait()


async def printed(*command: str, **more: Any) -> str:
    """What a program prints that ends well."""
    pipes = {"stdout": asyncio.subprocess.PIPE, "stderr": asyncio.subprocess.PIPE}
    process = await asyncio.create_subprocess_exec(*command, **pipes, **more)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return output.decode()


async def address(output: asyncio.StreamReader) -> str:
    """The first one that a server prints."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while line := await output.readline():
            if found := re.search(r"http://127\.0\.0\.1:\d+", line.decode()):
                return found[0]
    raise AssertionError("the server has ended")


async def assert_has_note(user: User, view: Mapping[str, Any]) -> None:
    """The verdict's answer was stored with the note that it was given."""
    (given,) = await user.stack.rows(
        "SELECT s.title, s.content FROM qa_answer_sources s"
        " JOIN qa_evaluations e ON e.answer_id = s.answer_id WHERE e.id = %s",
        uuid.UUID(view["id"]),
    )
    assert given["title"] == NOTE["title"]
    # LlamaIndex shows its model the metadata before the text.
    assert given["content"].endswith(NOTE["content"])


def test_each_file_is_run_and_short():
    files = {file.name: file.read_text() for file in EXAMPLES.glob("*.*")}

    assert files.keys() == PROGRAMS.keys() | SERVERS
    assert max(len(text.splitlines()) for text in files.values()) <= 40


PAGES = Path(__file__).parents[2] / "frontend/src/features/settings"
SNIPPETS = PAGES / "connect/snippets"


@pytest.mark.parametrize("lang", ["ko", "en"])
@pytest.mark.parametrize("name", ["curl", "python"])
async def test_what_the_page_has_people_copy_gets_a_verdict(stack, name, lang):
    user = await user_of(stack, f"copied-{name}-{lang}")
    token = await user.post("/tokens", {"name": "my-app", "scopes": ["read", "write"]})
    strings = json.loads((PAGES / f"locales/{lang}.json").read_text(encoding="utf-8"))
    sample = strings["connect"]["sample"]
    text = (SNIPPETS / f"{name}.txt").read_text(encoding="utf-8")
    for blank, filling in {"url": stack.info.api_url, "token": token["token"], **sample}.items():
        text = text.replace("{{" + blank + "}}", filling)
    assert "{{" not in text

    program = ["bash"] if name == "curl" else [sys.executable, "-"]
    ran = await asyncio.to_thread(
        subprocess.run, program, input=text.encode(), capture_output=True, timeout=TIMEOUT_SECONDS
    )

    assert ran.returncode == 0, ran.stderr.decode()
    (view,) = await user.judged(1)
    assert view["question"] == sample["question"]
    assert view["confidence"]


def test_the_other_texts_name_what_there_is():
    for name in ("langchain", "llama_index"):
        head, _, _ = (SNIPPETS / f"{name}.txt").read_text().partition("\n\n")
        exec(compile(head, name, "exec"), {})


@pytest.mark.parametrize("name", PROGRAMS)
async def test_answers_get_their_verdicts(stack, name):
    user = await user_of(stack, Path(name).stem)
    program = sys.executable
    if name.endswith(".mjs"):
        program = "node"
        await printed(program, str(TYPESCRIPT / "build.mjs"))

    assert await printed(program, str(EXAMPLES / name), env=environment(user))
    views = await user.judged(PROGRAMS[name])
    assert QUESTION in {view["question"] for view in views}
    for view in views:
        assert view["confidence"]
        if name not in UNTITLED:
            await assert_has_note(user, view)


async def test_the_page_on_typescript_has_its_answers_judged(stack):
    """With the libraries themselves; OpenAI's SDK asks a model server of this machine."""
    user = await user_of(stack, "typescript-page")
    page = (TYPESCRIPT.parents[1] / "docs" / "typescript.md").read_text("utf-8")
    program = "".join(re.findall(r"```js\n(.*?)```", page, re.DOTALL))
    said = "1박에 15만 원까지 정산됩니다."
    await printed("node", str(TYPESCRIPT / "build.mjs"))

    async with StubServer(answer(lambda _: said)) as stub:
        models = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": stub.base_url}
        command = ("node", "--input-type=module", "-e", program)
        output = await printed(*command, cwd=TYPESCRIPT, env=environment(user, **models))

    assert output.splitlines() == [said, said]
    for view in await user.judged(2):
        assert view["question"] == QUESTION
        assert view["confidence"]
        await assert_has_note(user, view)


async def test_an_application_of_fastapi_gets_its_verdicts(stack):
    user = await user_of(stack, "fastapi_app")
    command = ("-m", "uvicorn", "--app-dir", str(EXAMPLES), "fastapi_app:app", "--port", "0")

    async with (
        running(user, *command) as output,
        httpx.AsyncClient(base_url=await address(output), trust_env=False) as client,
    ):
        answered = await client.get("/ask", params={"question": QUESTION})
        (view,) = await user.judged(1)

    assert answered.status_code == 200
    assert view["question"] == QUESTION
    await assert_has_note(user, view)


async def test_a_receiver_of_webhooks_takes_what_is_signed_alone(stack):
    user = await user_of(stack, "webhook_receiver")
    named = {"name": "mine", "url": "https://hooks.example.com", "events": ["verdict.succeeded"]}
    webhook = await user.post("/webhooks", named)
    example = str(EXAMPLES / "webhook_receiver.py")

    async with running(user, example, WEBHOOK_SECRET=webhook["secret"], PORT="0") as output:
        url = await address(output)
        async with stack.client(user.token) as client:
            moved = await client.patch(f"/webhooks/{webhook['id']}", json={"url": url})
        assert moved.is_success, moved.text
        async with httpx.AsyncClient(trust_env=False) as stranger:
            refused = await stranger.post(url, json={"type": "verdict.succeeded"})
        answer = {"question": QUESTION, "answer": "15만 원까지입니다. [노트 1]", "sources": [NOTE]}
        await user.post("/qa-evaluations", answer)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            line = ""
            while "verdict.succeeded" not in line:
                line = (await output.readline()).decode()
                assert line, "the receiver has ended"

    assert refused.status_code == 401
