"""Phase 2: whether the answer gives the information (nuggets) that a complete answer gives.

By rules: a nugget of the domain pack is covered when any of its keywords stands in the answer;
completeness = covered / nuggets.

By model: nuggets come from question and notes, never from the answer, and are labelled vital or
okay; each is then looked for in the answer. As in the TREC 2024 RAG Track (AutoNuggetizer,
Pradeep et al. 2024, arXiv:2411.09607) support counts 1, partial support 0.5, no support 0, and
completeness is the vital score: the mean over the vital nuggets, over all where none is vital.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from app.ai_router.types import ChatRouter
from app.judges.model.ask_judge import JudgeReply, ShortText, ask_judge, output_schema, parse_reply
from app.judges.phases.reading import Reading
from app.judges.prompts import phases as prompts
from app.platform.errors import MalformedOutput
from app.text.language import folded
from app.text.packs.models import Nugget

MAX_TOKENS = 1_024
# More than the prompt asks for are accepted up to here; beyond it the judge did not listen.
NUGGETS_ACCEPTED = 2 * prompts.MAX_NUGGETS

Importance = Literal["vital", "okay"]
Support = Literal["supported", "partly", "not"]

_CREDIT = {"supported": 1.0, "partly": 0.5, "not": 0.0}
_SUPPORT_OF: dict[str, Support] = {
    "support": "supported",
    "partial_support": "partly",
    "not_support": "not",
}


@dataclass(frozen=True, slots=True)
class NuggetVerdict:
    text: str
    importance: Importance
    support: Support
    source: Literal["rules", "judge"]


@dataclass(frozen=True, slots=True)
class Phase2Result:
    """completeness: 0 to 1, None when there is no nugget to look for. missing_nuggets are those
    that the answer gives not at all or only in part."""

    completeness: float | None
    covered_nuggets: list[str]
    missing_nuggets: list[str]
    nuggets: list[NuggetVerdict]

    @property
    def score(self) -> float | None:
        return self.completeness


def evaluate_completeness(answer: str, nuggets: Sequence[Nugget]) -> Phase2Result:
    """Phase 2 by the keywords of a domain pack."""
    text = folded(answer)
    return completeness_of(
        [
            NuggetVerdict(
                text=nugget.name,
                importance="vital",
                support="supported" if any(folded(w) in text for w in nugget.keywords) else "not",
                source="rules",
            )
            for nugget in nuggets
        ]
    )


def completeness_of(nuggets: list[NuggetVerdict]) -> Phase2Result:
    """The result of nuggets that were looked for."""
    counted = [one for one in nuggets if one.importance == "vital"] or nuggets
    credit = sum(_CREDIT[one.support] for one in counted)
    return Phase2Result(
        completeness=credit / len(counted) if counted else None,
        covered_nuggets=[one.text for one in nuggets if one.support == "supported"],
        missing_nuggets=[one.text for one in nuggets if one.support != "supported"],
        nuggets=nuggets,
    )


class _Nugget(JudgeReply):
    text: ShortText
    importance: Importance


class _Nuggets(JudgeReply):
    nuggets: Annotated[list[_Nugget], Field(max_length=NUGGETS_ACCEPTED)]


class _Assignment(JudgeReply):
    nugget: int
    support: Literal["support", "partial_support", "not_support"]


class _Assignments(JudgeReply):
    nuggets: list[_Assignment]


EXTRACTION = output_schema("nuggets", _Nuggets)
ASSIGNMENT = output_schema("nugget_support", _Assignments)


async def judge_completeness(router: ChatRouter, reading: Reading, key: bytes) -> Phase2Result:
    """Phase 2 by a model, in two calls; without sources, nuggets or answer in fewer.

    Raises MalformedOutput when the model fails twice to reply as asked, and any other
    ProviderError of the router.
    """
    subject, sources = reading.subject, reading.sources
    if sources.empty:
        return completeness_of([])
    nuggets = await ask_judge(
        router,
        prompts.build_extraction(subject, sources.texts, sources.titles, key),
        output=EXTRACTION,
        max_tokens=MAX_TOKENS,
        parse=_parse_nuggets,
        lang=subject.lang,
    )
    texts = list(nuggets)
    support: Sequence[Support] = ["not"] * len(texts)
    if texts and subject.answer.strip():
        support = await ask_judge(
            router,
            prompts.build_assignment(subject, texts, key),
            output=ASSIGNMENT,
            max_tokens=MAX_TOKENS,
            parse=lambda text: _parse_support(text, len(texts)),
            lang=subject.lang,
        )
    return completeness_of(
        [
            NuggetVerdict(text, nuggets[text], given, "judge")
            for text, given in zip(texts, support, strict=True)
        ]
    )


def _parse_nuggets(text: str) -> dict[str, Importance]:
    """Importance by nugget; one that is named twice counts once."""
    named: dict[str, Importance] = {}
    for nugget in parse_reply(text, _Nuggets).nuggets:
        named.setdefault(nugget.text, nugget.importance)
    return named


def _parse_support(text: str, count: int) -> list[Support]:
    given = sorted(parse_reply(text, _Assignments).nuggets, key=lambda one: one.nugget)
    if [one.nugget for one in given] != list(range(1, count + 1)):
        reason = f"nuggets must hold each of the {count} nuggets exactly once, by its number"
        raise MalformedOutput(reason, body_excerpt=text)
    return [_SUPPORT_OF[one.support] for one in given]
