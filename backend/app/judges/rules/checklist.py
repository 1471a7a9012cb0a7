"""The checklist that rules tick for an answer."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge, Note
from app.judges.checklists import CHECKLISTS, QualityResult, quality_result
from app.judges.rules import weigh as grounding
from app.judges.rules.read import Material, read
from app.judges.rules.utility import coverage, speaks_another_language, utility

ANSWERS = 0.5
GROUNDED, CERTAIN = 0.5, 0.8
ON_TOPIC = 0.3
MAIN_TERMS, MAIN_SHARE = 10, 0.4
SHORTER = 0.6

_HEDGE = re.compile(
    r"추측|추정|불확실|확실하지|확실치|것으로 보입|것 같|가능성|아마|알 수 없|확인(?:이|할 수|되지)"
    r"|\b(?:may|might|perhaps|probably|possibly|likely|uncertain|unclear|not sure)\b"
    r"|\b(?:seems?|appears?)\b",
    re.IGNORECASE,
)
_FINISHED = re.compile(r"[.!?。！？…][\"'”’)\]*_]*\s*$|[다요죠음함됨임]\s*$|\]\s*$")
_LIST_LINE = re.compile(r"^[^\S\n]*(?:[-*+•]|\d+[.)]|#{1,6})\s", re.MULTILINE)


@dataclass(frozen=True)
class Reply:
    """A reply with what it was made from: the notes or, without notes, the request itself."""

    subject: AnswerToJudge
    material: Material

    @property
    def answer(self) -> str:
        return self.subject.answer

    @cached_property
    def correctness(self) -> float:
        weighed = grounding.weigh(self.material)
        return grounding.correctness(weighed, self.material)

    @cached_property
    def claims_something(self) -> bool:
        return any(not sentence.refusal for sentence in self.material.sentences)


def answers_directly(reply: Reply) -> bool:
    return utility(reply.material) >= ANSWERS


def rests_on_sources(reply: Reply) -> bool:
    return bool(reply.material.sentences) and reply.correctness >= GROUNDED


def names_sources(reply: Reply) -> bool:
    marked = any(
        1 <= number <= reply.material.note_count
        for sentence in reply.material.sentences
        for number in sentence.marks
    )
    titles = (note.title.strip() for note in reply.subject.notes)
    return marked or any(title and title in reply.answer for title in titles)


def admits_doubt(reply: Reply) -> bool:
    """Nothing in it is doubtful, or it says that something is."""
    if not reply.material.sentences:
        return False
    hedged = _HEDGE.search(reply.answer) is not None or any(
        sentence.refusal for sentence in reply.material.sentences
    )
    return hedged or reply.correctness >= CERTAIN


def keeps_to_topic(reply: Reply) -> bool:
    return reply.claims_something and coverage(reply.material) >= ON_TOPIC


def is_laid_out(reply: Reply) -> bool:
    return len(reply.material.sentences) > 1 or _LIST_LINE.search(reply.answer) is not None


def does_not_repeat(reply: Reply) -> bool:
    texts = [sentence.claim.split() for sentence in reply.material.sentences]
    return bool(texts) and max(Counter(map(tuple, texts)).values()) == 1


def keeps_language(reply: Reply) -> bool:
    return bool(reply.material.sentences) and not speaks_another_language(reply.material)


def is_finished(reply: Reply) -> bool:
    return _FINISHED.search(reply.answer) is not None


def holds_main_points(reply: Reply) -> bool:
    counts = Counter(term for sentence in reply.material.note_sentences for term in sentence.terms)
    main = {term for term, _ in counts.most_common(MAIN_TERMS)}
    said = set().union(*(sentence.analysis.terms for sentence in reply.material.sentences))
    return bool(main) and len(main & said) / len(main) >= MAIN_SHARE


def adds_nothing(reply: Reply) -> bool:
    return bool(reply.material.sentences) and reply.correctness >= CERTAIN


def is_shorter(reply: Reply) -> bool:
    source = sum(len(sentence.text) for sentence in reply.material.note_sentences)
    return 0 < len(reply.answer.strip()) <= SHORTER * source


Check = Callable[[Reply], bool]

# One check for each item of the feature's checklist, in the same order.
CHECKS: Mapping[str, Sequence[Check]] = {
    "search_qa": (answers_directly, rests_on_sources, names_sources, admits_doubt),
    "insight": (keeps_to_topic, rests_on_sources, is_laid_out, does_not_repeat),
    "writing": (keeps_to_topic, keeps_language, is_finished, does_not_repeat),
    "summarize": (holds_main_points, adds_nothing, is_shorter, does_not_repeat),
}

# What to say of a check that passed and of one that did not.
_REASONS: Mapping[Check, Mapping[Lang, tuple[str, str]]] = {
    answers_directly: {
        "ko": ("질문의 핵심어를 다룹니다.", "질문의 핵심어를 충분히 다루지 않습니다."),
        "en": ("It deals with the words of the question.", "It misses words of the question."),
    },
    rests_on_sources: {
        "ko": ("대부분의 문장이 근거 자료에 있습니다.", "근거 자료에 없는 내용이 많습니다."),
        "en": ("Most of it is in the sources.", "Much of it is not in the sources."),
    },
    names_sources: {
        "ko": ("출처 표시나 노트 제목이 있습니다.", "출처 표시도 노트 제목도 없습니다."),
        "en": ("It cites notes.", "It neither cites notes nor names a title."),
    },
    admits_doubt: {
        "ko": (
            "불확실한 내용이 없거나 불확실함을 밝혔습니다.",
            "근거가 부족한 내용을 단정적으로 말합니다.",
        ),
        "en": (
            "Nothing is doubtful, or it says what is.",
            "It states as certain what the sources do not support.",
        ),
    },
    keeps_to_topic: {
        "ko": ("요청한 주제의 낱말을 다룹니다.", "요청한 주제의 낱말이 거의 없습니다."),
        "en": ("It deals with the requested topic.", "It hardly mentions the requested topic."),
    },
    is_laid_out: {
        "ko": ("여러 문장이나 목록으로 정리했습니다.", "한 문장뿐이고 정리되어 있지 않습니다."),
        "en": ("It has several sentences or a list.", "It is a single sentence without layout."),
    },
    does_not_repeat: {
        "ko": ("되풀이한 문장이 없습니다.", "같은 문장을 되풀이하거나 내용이 없습니다."),
        "en": ("No sentence is repeated.", "It repeats a sentence or is empty."),
    },
    keeps_language: {
        "ko": ("요청과 같은 언어입니다.", "요청과 다른 언어입니다."),
        "en": ("It is in the language of the request.", "It is in another language."),
    },
    is_finished: {
        "ko": ("문장이 끝맺어져 있습니다.", "문장이 도중에 끊겼습니다."),
        "en": ("Its last sentence is complete.", "Its last sentence breaks off."),
    },
    holds_main_points: {
        "ko": ("원문의 주요 낱말을 담고 있습니다.", "원문의 주요 낱말이 많이 빠졌습니다."),
        "en": ("It has the main words of the original.", "It lacks main words of the original."),
    },
    adds_nothing: {
        "ko": ("원문에 없는 내용이 거의 없습니다.", "원문에 없는 내용이 있습니다."),
        "en": ("It adds next to nothing.", "It says things that the original does not."),
    },
    is_shorter: {
        "ko": ("원문보다 뚜렷하게 짧습니다.", "원문보다 뚜렷하게 짧지 않습니다."),
        "en": ("It is clearly shorter.", "It is not clearly shorter than the original."),
    },
}


def check(subject: AnswerToJudge, material: Material | None = None) -> QualityResult | None:
    """The ticked checklist, or None when the feature has none. Blocks for some milliseconds.
    material: as for `judge`, where there are notes."""
    if subject.feature not in CHECKLISTS:
        return None
    request = Note("", subject.question)
    sources = subject if subject.has_notes else subject._replace(notes=(request,))
    material = material or read(sources)
    reply = Reply(subject, material)
    verdicts = []
    for one in CHECKS[subject.feature]:
        passed = one(reply)
        good, bad = _REASONS[one][subject.lang]
        verdicts.append((passed, good if passed else bad))
    return quality_result(CHECKLISTS[subject.feature][subject.lang], verdicts)
