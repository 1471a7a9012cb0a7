"""What the model replies, checked against what it was asked for.

A prompt asks for its members by their names or, if it is a short one, by their aliases; a reply
with the others is refused. Behind it all replies are alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field, create_model

from app.ai_router.types import OutputSchema
from app.judges.model.parsing import (
    JudgeReply,
    JudgeText,
    Score,
    ShortText,
    output_schema,
    parse_reply,
)
from app.judges.phases.completeness import Support
from app.judges.phases.next_steps import STEPS_ACCEPTED, Urgency
from app.judges.prompts.one_call import OPTIONAL, Sections
from app.platform.errors import MalformedOutput

MAX_TOKENS = 2_048
# More than the prompt asks for are accepted up to here; beyond it the judge did not listen.
ISSUES_ACCEPTED = 20
NUGGETS_ACCEPTED = 50

Bearing = Literal["supported", "partly", "unsupported", "no_claim"]


class SentenceVerdict(JudgeReply):
    """What the model says of one sentence. note_index: 0 for no note."""

    sentence: int
    note_index: Annotated[int, Field(ge=0, alias="note")]
    quote: JudgeText
    reasoning: Annotated[JudgeText, Field(alias="gap")]
    verdict: Bearing


class NuggetSupport(JudgeReply):
    text: ShortText
    support: Support


class Tick(JudgeReply):
    item: int
    reason: JudgeText
    passed: bool


class Steps(JudgeReply):
    suggested_queries: Annotated[list[ShortText], Field(max_length=STEPS_ACCEPTED, alias="queries")]
    action_items: Annotated[list[ShortText], Field(max_length=STEPS_ACCEPTED, alias="actions")]
    urgency: Urgency


NO_STEPS = Steps.model_validate({"queries": [], "actions": [], "urgency": "low"})

OUTPUT_NAME = "search_qa_verdict"


class Reply(JudgeReply):
    """Sections that were not asked for have no meaning, whatever they hold."""

    claims: list[SentenceVerdict]
    grounding_issues: Annotated[list[JudgeText], Field(max_length=ISSUES_ACCEPTED, alias="issues")]
    used_notes: Annotated[list[int], Field(alias="used")]
    nuggets: Annotated[list[NuggetSupport], Field(max_length=NUGGETS_ACCEPTED)] = Field(
        default_factory=list
    )
    checklist: list[Tick] = Field(default_factory=list)
    next_steps: Steps = NO_STEPS
    summary: JudgeText
    utility: Score


def output_of(sections: Sections, *, short: bool) -> OutputSchema:
    """The schema of a reply with these sections: others would be paid for with every request.
    short: with aliases."""
    return _output_without(frozenset(OPTIONAL) - frozenset(sections.members), short=short)


@lru_cache(maxsize=16)
def _output_without(left_out: frozenset[str], *, short: bool) -> OutputSchema:
    fields = {
        name: (field.annotation, field)
        for name, field in Reply.model_fields.items()
        if name not in left_out
    }
    asked = create_model("Reply", __base__=JudgeReply, **fields)  # type: ignore[call-overload]
    return output_schema(OUTPUT_NAME, asked, by_alias=short)


@dataclass(frozen=True, slots=True)
class Asked:
    """How many sentences and sources the model was shown, and for which sections it was asked.
    short: with aliases."""

    sentences: int
    sources: int
    sections: Sections
    short: bool


def read_reply(text: str, asked: Asked) -> Reply:
    """Raises MalformedOutput with the reason."""
    reply = parse_reply(text, Reply, by_alias=asked.short)
    reason = _mismatch(reply, asked)
    if reason:
        raise MalformedOutput(reason, body_excerpt=text)
    return reply


def _mismatch(reply: Reply, asked: Asked) -> str | None:
    if not _numbered([claim.sentence for claim in reply.claims], asked.sentences):
        return f"claims must hold each of the {asked.sentences} sentences exactly once, in order"
    if any(claim.note_index > asked.sources for claim in reply.claims):
        return f"claims name a note that does not exist; there are {asked.sources}, 0 is none"
    if any(not 1 <= number <= asked.sources for number in reply.used_notes):
        return f"a note that is named as used does not exist; there are {asked.sources}"
    if missing := [name for name in asked.sections.members if name not in reply.model_fields_set]:
        return f"{missing[0]} is missing"
    items, nuggets = len(asked.sections.checklist), len(asked.sections.nuggets or ())
    if items and not _numbered([tick.item for tick in reply.checklist], items):
        return f"checklist must hold each of the {items} items exactly once, in order"
    if nuggets and len(reply.nuggets) != nuggets:
        return f"nuggets must hold each of the {nuggets} that were named, in order"
    return None


def _numbered(numbers: Sequence[int], count: int) -> bool:
    return list(numbers) == list(range(1, count + 1))
