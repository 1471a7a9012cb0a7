"""A model, and a refinement loop, that say what a test wrote down for them."""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from app.ai_router.types import ChatRequest, ChatResponse, ModelName
from app.answering.refine.loop import RefineLoop, Step
from app.answering.refine.query_rewriter import RewrittenQuery
from app.answering.refine.state import AnswerVerdict, Iteration, RefinementState
from app.judges.published.refinement import Document, EvaluationResult, result
from app.verdicts.answers.finished import Revision

# A text, a whole response, or an error to raise.
Reply = str | ChatResponse | Exception
Respond = Callable[[ChatRequest], Reply | Awaitable[Reply]]

UNPAID = ChatResponse("", "stub", "scripted")
PAID = ChatResponse("", "openai", "scripted", 10, 5, Decimal("0.001"), 1.0, "{}")


@dataclass(frozen=True)
class Asked(ChatRequest):
    @property
    def prompt(self) -> str:
        return self.messages[-1].content


class ScriptedRouter:
    """A ChatRouter that gives the replies in turn, or else what `respond` makes of each request,
    and remembers what it was asked. like: the response that a reply of text alone becomes."""

    def __init__(
        self, *replies: Reply, respond: Respond | None = None, like: ChatResponse = UNPAID
    ) -> None:
        self._replies = list(replies)
        self._like = like
        self.model = ModelName(like.provider, like.model)
        self.respond = respond
        self.asked: list[Asked] = []

    @property
    def unused_replies(self) -> int:
        """Replies that nobody has asked for yet."""
        return len(self._replies)

    @property
    def tasks(self) -> list[str]:
        """The schemas that were asked for, by name."""
        return [asked.output.name for asked in self.asked if asked.output]

    async def chat(self, request: ChatRequest) -> ChatResponse:
        self.asked.append(
            Asked(
                request.messages,
                request.temperature,
                request.max_tokens,
                request.output,
                request.grounding,
            )
        )
        reply = self.respond(request) if self.respond else self._replies.pop(0)
        await asyncio.sleep(0)
        if inspect.isawaitable(reply):
            reply = await reply
        if isinstance(reply, Exception):
            raise reply
        return replace(self._like, content=reply) if isinstance(reply, str) else reply


def by_task(replies: Mapping[str, Reply | Mapping[str, Any]]) -> Respond:
    """Answers by the name of the schema that is asked for."""

    def respond(request: ChatRequest) -> Reply:
        reply = replies[request.output.name]
        return json.dumps(reply) if isinstance(reply, Mapping) else reply

    return respond


QUESTION = "배지의 보관 온도는?"


def document(name: str) -> Document:
    return Document(id=name, title=name, content=f"{name}의 내용")


def scored(
    score: float, *, heuristic: bool = False, needs_retrieval: bool | None = None
) -> EvaluationResult:
    return result(
        score,
        score,
        score,
        missing_info=["보관 기한"],
        improvement_suggestions=[],
        reason="",
        heuristic=heuristic,
        threshold=0.5,
        asked_to_retrieve=needs_retrieval,
    )


class World:
    """All that the loop talks to: each round finds the next documents and gets the next score.
    `calls` says what was asked for, in order."""

    def __init__(
        self,
        found: Sequence[str] = ("a", "b", "c"),
        scores: Sequence[float | EvaluationResult | Exception] = (0.2, 0.3, 0.4),
    ) -> None:
        self.calls: list[str] = []
        self._found = list(found)
        self._scores = list(scores)

    async def retrieve(self, query: str) -> list[Document]:
        self.calls.append(f"retrieve {query}")
        return [document(name) for name in self._found.pop(0)]

    async def answer(
        self, question: str, documents: Sequence[Document], profile: str | None
    ) -> str:
        self.calls.append(f"answer {question}")
        return " ".join(document.content for document in documents)

    async def revise(
        self, question: str, documents: Sequence[Document], profile: str | None, before: Revision
    ) -> str:
        self.calls.append(f"revise {before.answer}: {', '.join(before.feedback)}")
        return f"{before.answer}!"

    async def evaluate(self, *_: object, **__: object) -> EvaluationResult:
        self.calls.append("evaluate")
        score = self._scores.pop(0)
        if isinstance(score, Exception):
            raise score
        return score if isinstance(score, EvaluationResult) else scored(score)

    async def rewrite(self, original: str, *_: object, **named: object) -> RewrittenQuery:
        self.calls.append("rewrite")
        return RewrittenQuery(f"{original} {named['iteration_count']}", "llm")

    def answered(self, verdict: AnswerVerdict) -> RefinementState:
        """After the first search and answer, with this verdict on it."""
        found = tuple(document(name) for name in self._found.pop(0))
        first = Iteration(query=QUESTION, documents=found, answer="?", verdict=verdict)
        return RefinementState(question=QUESTION, iterations=(first,))

    def loop(self, **options: object) -> RefineLoop:
        return RefineLoop(self, self, retrieve=self.retrieve, answer=self.answer, **options)  # type: ignore[arg-type]


async def steps(loop: RefineLoop, state: RefinementState | None = None) -> list[Step]:
    return [step async for step in loop.run(state or RefinementState(question=QUESTION))]


async def end(world: World, **options: object) -> RefinementState:
    return (await steps(world.loop(**options)))[-1].state
