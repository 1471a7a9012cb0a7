"""What the verdict of a waiting row is going to take, by estimate."""

from typing import NamedTuple

from app.ai_router.limits.gcra import Ask
from app.judges.estimate import TextBytes, verdict_calls
from app.platform.broker import Queue
from app.verdicts.lifecycle.lifecycle import WaitingRow
from worker.places import Group


class Seen(NamedTuple):
    """A row that waits: whose it is, and what it takes where its judge's calls are limited."""

    group: Group
    ask: Ask | None = None


def seen(row: WaitingRow) -> Seen:
    group = Group(row.judge_model, row.workspace_id)
    if row.lengths is None:
        return Seen(group)
    lang, question, answer, notes, parts = row.lengths
    texts = TextBytes(question, answer, notes, parts)
    requests = tokens = 0
    for call in verdict_calls(tuple(row.evaluators), lang, row.judge_prompt):
        times, each = call.times(parts), call.tokens(texts)
        requests += times
        tokens += times * (each.prompt + each.completion)
    # Rows of the isolated queue are few, and each is the only one of its process.
    bulk = row.queue == Queue.BULK
    return Seen(group, Ask(str(row.id), max(1, requests), tokens, bulk))
