"""The stub that counts tokens for benchmarks/cost.py, with words in the place of tokens."""

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from app.ai_router.providers.forms import strict_output
from app.judges.model.reply import Asked, output_of, read_reply
from app.judges.model.sections import sections_of
from app.judges.prompts.one_call import OneCallPrompt
from app.text.packs.loader import load_pack

BENCHMARKS = str(Path(__file__).parents[3] / "benchmarks")
ANSWER = {
    "question": "When was it opened?",
    "passages": ["The bridge was opened in 1932. It spans 503 metres."],
    "answer": "It was opened in 1932. It is the longest of all.",
    "hallucinated": True,
    "spans": [{"start": 23, "end": 48}],
}
Json = dict[str, Any]


class Bench:
    """The modules, which import each other as a program's do, and what they make of ANSWER."""

    def __init__(self) -> None:
        self.cost, self.stub, self.tokens = map(
            import_module, ("cost", "cost_stub", "judge_tokens")
        )
        self.line: Json = self.cost.line_of(self.tokens.Labelled(ANSWER))
        self.judge = self.stub.Judge([self.line], words)
        self.judge.begin("peer", 0)
        self.counts = self.judge.counts["peer"]

    def ask(self, system: str, user: str = "Judge.", members: tuple[str, ...] = ()) -> Json:
        schema = {"properties": {member: {} for member in members}}
        wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        roles = (("system", system), ("user", user))
        messages = [{"role": role, "content": content} for role, content in roles]
        reply: Json = self.judge.ask(
            {"messages": messages, "response_format": wanted if members else {}}
        )
        return reply


@pytest.fixture
def bench() -> Iterator[Bench]:
    sys.path.insert(0, BENCHMARKS)
    yield Bench()
    sys.path.remove(BENCHMARKS)


def words(text: str) -> list[int]:
    return [hash(word) for word in text.split()]


def test_calls_and_tokens_are_counted_by_name(bench):
    reply = bench.ask("a b c", "d e", ("claims",))

    counts = bench.counts
    assert json.loads(reply["choices"][0]["message"]["content"]) == bench.line["peers"]["claims"]
    assert (counts.calls, counts.schema, counts.unknown) == (1, 1, 0)
    assert counts.prompt == 1 + 3 + 2 + 2 * bench.stub.A_MESSAGE + bench.stub.A_REPLY
    assert reply["usage"]["completion_tokens"] == counts.completion > 0


@pytest.mark.parametrize(("same", "cached"), [(1022, 0), (1023, 1024), (1200, 1152)])
def test_a_beginning_that_was_sent_before_is_cached_as_the_vendor_does(bench, same, cached):
    for last in ("first", "second"):
        bench.ask("word " * same + last, members=("claims",))

    assert bench.counts.cached == cached


def test_a_request_that_nobody_knows_is_reported(bench):
    bench.ask("Say something.")

    assert bench.counts.unknown == 1


def test_our_replies_are_those_that_our_judge_accepts(bench):
    for name, (prompt, asked) in bench.cost.OURS.items():
        check_reply(bench, name, prompt, asked)


def check_reply(bench: Bench, name: str, prompt: OneCallPrompt, asked: tuple[str, ...]) -> None:
    sections = sections_of(asked, load_pack("generic"), "en")
    output = output_of(sections, short=prompt.short)
    wanted = {"json_schema": {"name": output.name, "schema": strict_output(output)}}
    messages = [{"role": "user", "content": "Judge."}]

    request = {"messages": messages, "response_format": wanted}
    kind, reply = bench.stub.reply_to(request, bench.line, name)

    assert kind == name
    read = read_reply(reply, Asked(2, 1, sections, short=prompt.short))
    assert [claim.verdict for claim in read.claims] == ["supported", "unsupported"]


def test_missed_targets_are_told(bench):
    def counts(tokens: int) -> dict[str, int]:
        return {"prompt": tokens, "completion": 0}

    figures = {name: counts(40) for name in bench.cost.OURS} | {"ours": counts(60)}
    targets = list(bench.cost.targets(figures | {"ragas-faithfulness": counts(100)}))

    assert [line.rpartition(" ")[2] for line in targets] == [
        "MISSED",
        *["met"] * (len(figures) - 1),
    ]


def test_a_short_reply_has_blanks_only_where_they_are_counted(bench):
    ours = bench.line["ours"]

    padded = ours["ours-short-replying-with-blanks"]
    assert json.loads(ours["ours-short"]) == json.loads(padded)
    assert '","gap":"' in ours["ours-short"]
    assert '", "gap": "' in padded
