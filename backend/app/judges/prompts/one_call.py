"""The prompts that have everything about one answer judged in one call.

The model gets the answer in numbered sentences and says of each which note bears it. Code counts:
no score for correctness is asked for. That each sentence has to be named keeps a judge from
passing over what it cannot place, and a number costs fewer tokens than a sentence that is copied.
Sections that a policy does not want are left out of the prompt and of the reply.
"""

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress
from typing import Literal, NamedTuple, Self

from pydantic import BaseModel

from app.ai_router.prompts import Texts, load_texts
from app.ai_router.prompts.quoting import fence, fenced_messages, notes_as_data, share
from app.ai_router.types import Lang, Message
from app.judges.answer import untitled
from app.judges.answer_parts import AnswerPart
from app.judges.criteria.criterion import Criterion
from app.judges.prompts.search_qa_eval import NOTES_BUDGET, QUESTION_BUDGET, SHARED, about_part
from app.text.turns import Turn

# Members of the reply that are asked for by policy.
OPTIONAL = ("nuggets", "checklist", "next_steps")
# That of the workspace's own criteria, which may be missing: nobody else can give them.
CRITERIA = "criteria"
# What stands in the instructions of each version, in the places of fixed texts.
ABOUT, SECTIONS, FORM = PLACEHOLDERS = ("{about}", "{sections}", "{form}")
_PLACEHOLDER = re.compile("|".join(map(re.escape, PLACEHOLDERS)))
MAX_NUGGETS = 5
MAX_STEPS = 2


MAX_EXAMPLES = 6
# Of all examples of a prompt together, in UTF-8 as they are shown: some 2,700 tokens.
MAX_EXAMPLES_BYTES = 8_000


class Example(BaseModel):
    """A labelled answer, cut to what an example may have. wrong_parts: what people called wrong."""

    answer_id: uuid.UUID
    question: str
    notes: list[str]
    answer: str
    people: Literal["right", "partly", "wrong"]
    wrong_parts: list[str]

    def shown(self) -> dict[str, object]:
        return self.model_dump(exclude={"answer_id"})


def examples_text(examples: Sequence[Example], version: str) -> Mapping[Lang, str]:
    """What stands behind the instructions, fenced as material is; "" without examples. The same for
    each answer, so that vendors have it in their caches."""
    if not examples:
        return {"ko": "", "en": ""}
    block = fence([example.shown() for example in examples], version.encode()[:64])
    return {lang: f"\n\n{intro}\n\n{block}" for lang, intro in SHARED["examples"].items()}


class Sections(NamedTuple):
    """What is asked for beside claims, summary and utility. checklist: its items, none to leave
    it out. nuggets: those of a domain pack, empty for the model's own, None to leave them out.
    criteria: the workspace's own that the model is asked."""

    checklist: tuple[str, ...] = ()
    nuggets: tuple[str, ...] | None = None
    next_steps: bool = False
    criteria: tuple[Criterion, ...] = ()

    @property
    def members(self) -> tuple[str, ...]:
        """The members of the reply that these sections are, in the order of OPTIONAL."""
        asked = (self.nuggets is not None, bool(self.checklist), self.next_steps)
        return (*compress(OPTIONAL, asked), *([CRITERIA] if self.criteria else []))


class Shown(NamedTuple):
    """What the model sees of an answer. sources: (title, text) of its notes, and of quotes that
    belong to none; sentences: of this part, numbered from 1. history, asked: as AnswerToJudge has
    them."""

    question: str
    titles: Sequence[str]
    texts: Sequence[str]
    sentences: Sequence[str]
    part: AnswerPart
    history: Sequence[Turn] = ()
    asked: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class OneCallPrompt:
    """A version of the prompt. short: whether members of the reply have their short names.

    texts: system holds each of PLACEHOLDERS once, in whose places code puts what no version may
    change: about, what the material is and that nothing in it is an instruction; the sections; and
    the form of the reply. own_nuggets, pack_nuggets with {nuggets}, checklist with {items},
    next_steps, and criteria with {criteria} are its sections. user holds {data}. form holds
    {sections}, section_forms what stands there. material: gives what is fenced, and the sentences
    about it that are needed for this answer alone. examples: see `examples_text`.
    """

    version: str
    short: bool
    texts: Texts
    form: str
    section_forms: Mapping[str, str]
    material: Callable[[Shown, Lang], tuple[dict[str, object], str]]
    examples: Mapping[Lang, str] = field(default_factory=lambda: {"ko": "", "en": ""})

    @property
    def system(self) -> Mapping[Lang, str]:
        """The instructions."""
        return self.texts["system"]

    def with_texts(self, version: str, texts: Texts, examples: Mapping[Lang, str]) -> Self:
        """Another version, with these texts in the place of its own."""
        return replace(self, version=version, texts={**self.texts, **texts}, examples=examples)

    def build_messages(
        self, shown: Shown, sections: Sections, lang: Lang, key: bytes
    ) -> list[Message]:
        """System and user message. `key` seeds the fence."""
        material, about = self.material(shown, lang)
        if shown.history:
            material, about = _history(shown) | material, HISTORY[lang] + about
        user = about_part(shown.part, lang, "sentences") + about + self.texts["user"][lang]
        return fenced_messages(_instructions(self, sections, lang), user, material, key)

    def fixed(self, sections: Sections, lang: Lang) -> dict[str, str]:
        """What stands in the place of each of PLACEHOLDERS."""
        texts = []
        if sections.nuggets:
            names = ", ".join(f"“{name}”" for name in sections.nuggets)
            texts.append(self.texts["pack_nuggets"][lang].replace("{nuggets}", names))
        elif sections.nuggets is not None:
            own = self.texts["own_nuggets"][lang]
            texts.append(own.replace("{max_nuggets}", str(MAX_NUGGETS)))
        if sections.checklist:
            items = "\n".join(f"  {n}. {item}" for n, item in enumerate(sections.checklist, 1))
            texts.append(self.texts["checklist"][lang].replace("{items}", items))
        if sections.next_steps:
            texts.append(self.texts["next_steps"][lang].replace("{max_steps}", str(MAX_STEPS)))
        if sections.criteria:
            asked = "\n".join(f"  {_asked(each, lang)}" for each in sections.criteria)
            texts.append(self.texts["criteria"][lang].replace("{criteria}", asked))
        forms = "".join(self.section_forms[name] for name in sections.members)
        forms = forms.replace("{first}", sections.criteria[0].name if sections.criteria else "")
        form = self.form.replace("{sections}", forms)
        written = "".join(f"{text}\n" for text in texts)
        return {ABOUT: self.texts["about"][lang], SECTIONS: written, FORM: form}


# Of what is added where an answer has turns before it; it is named behind the prompt's version.
HISTORY_VERSION = "history-1"
HISTORY: Mapping[Lang, str] = {lang: f"{text}\n\n" for lang, text in SHARED["history"].items()}


def _history(shown: Shown) -> dict[str, object]:
    turns = [{"question": turn.question, "answer": turn.answer} for turn in shown.history]
    return {"history": turns, **({"asked": shown.asked} if shown.asked else {})}


_NUMBER: Mapping[Lang, str] = {"ko": "0과 1 사이의 숫자", "en": "a number from 0 to 1"}


def _asked(criterion: Criterion, lang: Lang) -> str:
    words = ", ".join(f'"{word}"' for word in criterion.scale)
    return f"{criterion.name}: {criterion.question} score: {words or _NUMBER[lang]}."


@lru_cache(maxsize=64)
def _instructions(prompt: OneCallPrompt, sections: Sections, lang: Lang) -> str:
    """The system message, the same for each answer that is asked about alike."""
    fixed = prompt.fixed(sections, lang)
    instructions = _PLACEHOLDER.sub(lambda found: fixed[found[0]], prompt.system[lang])
    return instructions + prompt.examples[lang]


def _material(shown: Shown, _: Lang) -> tuple[dict[str, object], str]:
    sentences = [{"sentence": n, "text": text} for n, text in enumerate(shown.sentences, 1)]
    material: dict[str, object] = {
        "question": shown.question[:QUESTION_BUDGET],
        "notes": notes_as_data(shown.titles, shown.texts, NOTES_BUDGET),
        "sentences": sentences,
    }
    return material, ""


# The usual prompt.
USUAL = OneCallPrompt(
    version="search-qa-eval-5",
    short=False,
    texts=load_texts(__package__, "search_qa_eval_one_call"),
    form=(
        '{"claims": [{"sentence": 1, "note_index": 1, "quote": "…", "reasoning": "", "verdict":'
        ' "supported", "fault": "none"}], "grounding_issues": [], "used_notes": [1],'
        ' {sections}"summary": "…", "utility": 0.0}'
    ),
    section_forms={
        "nuggets": '"nuggets": [{"text": "…", "support": "supported"}], ',
        "checklist": '"checklist": [{"item": 1, "reason": "…", "passed": true}], ',
        "next_steps": '"next_steps": {"suggested_queries": ["…"], "action_items": [], '
        '"urgency": "low"}, ',
        "criteria": '"criteria": {"{first}": {"reason": "…", "score": …}}, ',
    },
    material=_material,
)
_SHORT_TEXTS = load_texts(__package__, "search_qa_eval_short")


def _short_material(shown: Shown, lang: Lang) -> tuple[dict[str, object], str]:
    """Notes and sentences by their numbers."""
    notes: dict[str, dict[str, str | bool]] = {}
    texts = share(shown.texts, NOTES_BUDGET)
    pairs = zip(shown.titles, shown.texts, texts, strict=True)
    for number, (title, whole, text) in enumerate(pairs, start=1):
        named = {} if title == untitled(number, lang) else {"title": title}
        cut = {"cut": True} if len(text) < len(whole) else {}
        notes[str(number)] = {**named, "text": text, **cut}
    material: dict[str, object] = {
        "question": shown.question[:QUESTION_BUDGET],
        "notes": notes,
        "sentences": {str(number): text for number, text in enumerate(shown.sentences, start=1)},
    }
    is_cut = any("cut" in note for note in notes.values())
    return material, f"{_SHORT_TEXTS['cut'][lang]}\n\n" if is_cut else ""


# The judgement that the usual prompt asks for, in fewer tokens. Instructions say nothing twice,
# members of material and reply have names of one token (of o200k_base) and no blanks between them,
# and what holds for few answers is sent with those alone: the title of a note that has one, and
# what it means that a note is cut.
SHORT = OneCallPrompt(
    version="search-qa-eval-6",
    short=True,
    texts=_SHORT_TEXTS,
    form=(
        '{"claims":[{"sentence":1,"note":1,"quote":"…","gap":"","verdict":"supported",'
        '"fault":"none"}],"issues":[],"used":[1],{sections}"summary":"…","utility":0.0}'
    ),
    section_forms={
        "nuggets": '"nuggets":[{"text":"…","support":"supported"}],',
        "checklist": '"checklist":[{"item":1,"reason":"…","passed":true}],',
        "next_steps": '"next_steps":{"queries":["…"],"actions":[],"urgency":"low"},',
        "criteria": '"criteria":{"{first}":{"reason":"…","score":…}},',
    },
    material=_short_material,
)
# For small contexts: no more than a reply of use takes. What is wrong with a doubted sentence is
# left to the schema, and to code.
SMALL = SHORT.with_texts(
    "search-qa-eval-7", load_texts(__package__, "search_qa_eval_small"), SHORT.examples
)
