"""Tokens and calls of a verdict, ours and the peers', over the same answers.

    python benchmarks/cost.py DATA.jsonl [--answers 200]

Each line of the file holds `question`, `passages`, `answer`, `hallucinated`, and perhaps `spans`
(the places that people marked). Each library sends what it sends to OpenAI, to a stub that counts
tokens with the tokenizer of its models (cost_stub.py), and gets the replies that the labels make: a
statement for each sentence, unsupported where people marked it, and reasons of twelve words. Ours
quotes the note for each supported sentence besides, as its prompt wants: with twelve words, or with
ten by the short prompt, whose replies have no blanks between their members because it asks for that
(they are counted with blanks as well). A peer that extracts the facts of the context gets one for
each of its sentences. So what a reply costs is by its form, and nobody is charged for another
judgement. Libraries are installed below .bench/ (peers.py).
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
from judge_tokens import ALL, KEY, REASON, SHORT, USUAL, Labelled, labelled, written
from peers import BENCH, HERE, environment, prepare

from app.ai_router.pricing import cost_usd
from app.ai_router.router import Providers
from app.judges.answer_parts import answer_parts
from app.judges.model.one_call import OneCallJudge
from app.judges.prompts.one_call import OneCallPrompt
from app.operations.embedded.ports import free_port
from app.platform.settings import Settings
from app.text.packs.loader import load_pack

STUB = Path(__file__).with_name("cost_stub.py")
MODEL = "gpt-4o-mini"
_VERDICT = ("search_qa",)
# The prompt, and what is asked for.
OURS: Mapping[str, tuple[OneCallPrompt, tuple[str, ...]]] = {
    "ours": (USUAL, _VERDICT),
    "ours-with-checklist-and-phases": (USUAL, ALL),
    "ours-short": (SHORT, _VERDICT),
    "ours-short-with-checklist-and-phases": (SHORT, ALL),
    "ours-short-replying-with-blanks": (SHORT, _VERDICT),
}
_BLANKS = "with-blanks"
# What a reply says, so that a row is compared with those that say as much.
GIVES = {
    "ours": "each sentence with verdict, note and quote; utility",
    "ours-with-checklist-and-phases": "the same, checklist, nuggets, next steps",
    "ours-short": "as ours",
    "ours-short-with-checklist-and-phases": "as ours with checklist and phases",
    "ours-short-replying-with-blanks": "as ours",
    "ragas-faithfulness": "each statement with verdict and reason",
    "deepeval-faithfulness": "each claim with a verdict; reasons where unsupported",
    "deepeval-geval": "a score and a reason",
    "phoenix-faithfulness": "a label and a reason",
}
WITH_CLAIMS = ("ragas-faithfulness", "deepeval-faithfulness")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def line_of(one: Labelled) -> dict[str, Any]:
    """What the stub and the peers know of an answer. Peers' replies are named by their members."""
    sentences = [sentence.text for sentence in one.sentences]
    judged = list(zip(sentences, one.wrong, strict=True))
    facts = [fact for text in one.subject.contents for fact in _SENTENCE_END.split(text) if fact]
    verdicts = [
        {"verdict": "no", "reason": REASON} if wrong else {"verdict": "yes", "reason": None}
        for _, wrong in judged
    ]
    label = "unfaithful" if any(one.wrong) else "faithful"
    return {
        "question": one.subject.question,
        "answer": one.subject.answer,
        "notes": one.subject.contents,
        "ours": {
            name: written(
                one.one_call_reply(asked, prompt), short=prompt.short and not name.endswith(_BLANKS)
            )
            for name, (prompt, asked) in OURS.items()
        },
        "peers": {
            "statement+reason+verdict": {
                "statements": [
                    {"statement": text, "reason": REASON, "verdict": int(not wrong)}
                    for text, wrong in judged
                ]
            },
            "statements": {"statements": sentences},
            "truths": {"truths": facts},
            "verdicts": {"verdicts": verdicts},
            "claims": {"claims": sentences},
            "explanation+label": {"explanation": REASON * 2, "label": label},
            "reason+score": {"reason": REASON * 2, "score": 9},
            "reason": {"reason": REASON * 2},
        },
    }


@contextmanager
def counting(answers: Path) -> Iterator[str]:
    """The address of a running stub."""
    port = free_port("127.0.0.1")
    python = BENCH / "venv" / "tokenizer" / "bin/python"
    process = subprocess.Popen([python, STUB, "--port", str(port), answers])
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(transport=httpx.HTTPTransport(retries=20)) as client:
            client.get(f"{url}/counts", timeout=30)
        yield url
    finally:
        process.terminate()
        process.wait()


async def judge_ours(url: str, answers: Sequence[Labelled]) -> None:
    settings = Settings(_env_file=None, openai_base_url=f"{url}/v1", openai_api_key="stub")
    async with Providers(settings) as providers, httpx.AsyncClient() as client:
        router = providers.router(f"openai:{MODEL}", deadline=60)
        pack = load_pack("generic")
        for name, (prompt, evaluators) in OURS.items():
            judge = OneCallJudge(router, pack, fence_key=KEY, prompt=prompt.version)
            for number, one in enumerate(answers):
                await client.get(f"{url}/begin/{name}/{number}")
                judgement = await judge.judge(one.subject, evaluators)
                assert judgement.evaluation


def judge_by_peer(name: str, url: str, answers: Path) -> None:
    python = BENCH / "venv" / name / "bin/python"
    command: list[str | Path] = [python, HERE / f"cost_{name}.py", answers, url]
    subprocess.run(command, check=True, env=environment(), cwd=BENCH, stdout=sys.stderr)


def table(counts: Mapping[str, Mapping[str, int]], answers: int) -> Iterator[str]:
    """Markdown, means of an answer."""
    columns = (
        "calls",
        "tokens sent",
        "of them cached",
        "written",
        "together",
        "$ for 1,000",
        "gives",
    )
    yield f"| | {' | '.join(columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for name, of in counts.items():
        if name not in GIVES:
            continue
        tokens = (of["prompt"], of["completion"], of["cached"])
        price = cost_usd("openai", MODEL, "", *tokens)
        figures = [f"{of['calls'] / answers:.1f}"]
        both = of["prompt"] + of["completion"]
        figures += [
            f"{count / answers:,.0f}"
            for count in (of["prompt"], of["cached"], of["completion"], both)
        ]
        figures.append(f"{(price or 0) / answers * 1000:.3f}")
        yield f"| {name} | {' | '.join(figures)} | {GIVES[name]} |"


def targets(counts: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """What the project wants of these figures, and whether it has it."""
    together = {name: of["prompt"] + of["completion"] for name, of in counts.items()}
    for ours in OURS:
        for peer in filter(together.get, WITH_CLAIMS):
            share, most = together[ours] / together[peer], 0.5 if "ragas" in peer else 1.0
            verdict = "met" if share < most else "MISSED"
            yield f"{ours}: {share:.3f} of {peer}, wanted below {most:g}: {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Tokens and calls of ours and of the peers.")
    parser.add_argument("path", type=Path)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--peers", nargs="*", default=["ragas", "deepeval", "phoenix"])
    options = parser.parse_args()
    if failure := prepare("tokenizer"):
        raise SystemExit(f"The tokenizer cannot be installed: {failure}")
    whole = (
        one
        for one in labelled(options.path, sys.maxsize)
        if len(answer_parts(one.subject.answer)) == 1
    )
    answers = list(islice(whole, options.answers))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "answers.jsonl"
        lines = [json.dumps(line_of(one), ensure_ascii=False) for one in answers]
        file.write_text("\n".join(lines), encoding="utf-8")
        with counting(file) as url:
            asyncio.run(judge_ours(url, answers))
            for name in options.peers:
                if failure := prepare(name):
                    print(f"{name} is left out, it cannot be installed: {failure}", file=sys.stderr)
                    continue
                judge_by_peer(name, url, file)
            counts = httpx.get(f"{url}/counts").json()
    print(f"{len(answers)} answers of {options.path.name}; means of an answer, o200k_base\n")
    print("\n".join(table(counts, len(answers))))
    print()
    print("\n".join(targets(counts)))
    if unknown := {name: of["unknown"] for name, of in counts.items() if of["unknown"]}:
        raise SystemExit(
            f"Do not trust these figures: the stub had no reply to some requests: {unknown}"
        )


if __name__ == "__main__":
    main()
