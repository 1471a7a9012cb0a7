"""What an answer may rest on, and its analysis, made once for all phases."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from app.judges.answer import AnswerToJudge
from app.judges.rules import read as analysis
from app.judges.rules.find import MARK_RULES, is_number
from app.judges.rules.read import AnswerSentence, Material
from app.judges.rules.weigh import Weighed, weigh
from app.text.evidence import Evidence


class Sources(NamedTuple):
    """The notes of an answer, and the quotes of evidence that belongs to none of them.

    Together they are numbered from 1, the notes first. passages: what the answer may rest on;
    places: for each of them the number of its text, None when it has no text. titles: of notes
    and quotes; a quote has its chunk's id.
    """

    note_count: int
    texts: Sequence[str]
    titles: Sequence[str]
    passages: Sequence[Evidence]
    places: Sequence[int | None]

    def note(self, number: int | None) -> int | None:
        """The number when it is that of a note, None when it is that of a quote."""
        return number if number is not None and number <= self.note_count else None

    @property
    def empty(self) -> bool:
        return not any(text.strip() for text in self.texts)


def sources_of(subject: AnswerToJudge) -> Sources:
    notes = subject.contents
    texts, titles = list(notes), subject.titles
    places: list[int | None] = []
    passages = subject.passages
    for one in passages:
        if one.note_index and 1 <= one.note_index <= len(notes) and notes[one.note_index - 1]:
            places.append(one.note_index)
        elif one.quoted_text.strip():
            texts.append(one.quoted_text)
            titles.append(one.chunk_id)
            places.append(len(texts))
        else:
            places.append(None)
    return Sources(len(notes), texts, titles, passages, places)


@dataclass(frozen=True)
class Reading:
    """An answer with its sources, both analysed once for all comparisons of their words.

    The analysis reads ANSWER_BUDGET characters of the answer and NOTES_BUDGET of the sources
    (app.judges.rules.read), which bounds its time; `answer_cut`: there was more.
    """

    subject: AnswerToJudge

    @cached_property
    def sources(self) -> Sources:
        return sources_of(self.subject)

    @cached_property
    def material(self) -> Material:
        """Answer and sources in sentences and morphemes. The verdict of the rules can be given
        the same one. Blocks when it is first asked for: some milliseconds, and longer when the
        Korean model has to be loaded."""
        return analysis.read(self.subject, self.sources.texts[self.sources.note_count :])

    @cached_property
    def weighed(self) -> list[Weighed]:
        """The sentences of the answer with what the rules hold against each."""
        return weigh(self.material)

    @property
    def answer_cut(self) -> bool:
        return len(self.subject.answer) > analysis.ANSWER_BUDGET


# Endings are looked for here only, which keeps the time for a sentence of any length small.
TAIL_CHARS = 100

_END = r"[\s.…!。\"'”’)\]*_~^]*$"

_QUESTION = re.compile(
    rf"[?？][\s\"'”’)\]*_]*$|(?:까요|나요|(?:인|한|은|는|던|운)가요){_END}", re.IGNORECASE
)
_ANNOUNCEMENT = re.compile(
    rf"[:：][\s*_]*$|(?:다음|아래|이)와 같(?:습니다|아요|다){_END}|\bas follows{_END}",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\W*(?:안녕하세요|안녕하십니까|반갑습니다|감사합니다|고맙습니다|네|예|좋은 질문[가-힣]*"
    r"|(?:hello|hi|hey|thanks|thank you|you['’]re welcome|(?:great|good) question)\b[^.!?,]{0,40})"
    + _END,
    re.IGNORECASE,
)
_CLOSING_WORDS = re.compile(
    rf"도움이 되[가-힣]* ?(?:바랍니다|좋겠습니다|좋겠어요){_END}"
    rf"|(?:질문|궁금)[^.!?]*(?:주세요|주십시오|바랍니다|하세요){_END}"
    r"|\b(?:hope (?:this|that|it) helps|let me know|feel free)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    rf"(?:것이|게|편이|것도) ?(?:더 |가장 )?(?:좋|바람직|낫)[가-힣]*{_END}"
    rf"|(?:추천|권장|권유|권)(?:하|합|드|해|됩|되)[가-힣]*{_END}"
    rf"|바랍니다{_END}"
    rf"|(?:해|아|어|여|워|려|러|봐|와|져|보) ?보(?:세요|십시오|시기|시길|시면 됩니다){_END}"
    rf"|(?:문의|참고|상담)(?:해 ?주)?하?(?:세요|십시오|시기 바랍니다){_END}"
    rf"|(?:생각합니다|생각됩니다|생각해요){_END}"
)
_ENGLISH_ADVICE = re.compile(
    r"\b(?:I|we)(?:['’]d| would)? (?:recommend|suggest|advise|think|believe)\b"
    r"|\byou (?:should|may|might|could) (?:also )?(?:want to |wish to )?"
    r"(?:consider|consult|check|ask|contact|try)\b"
    r"|\bit(?:['’]s| is| may be| might be) "
    r"(?:best|better|advisable|recommended|a good idea|wise) to\b"
    r"|^\W*(?:please|consider|consult|contact)\b|\bin my opinion\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"[ \t]*(?:>[ \t]*)*#{1,6}[ \t]")


def claims_something(sentence: AnswerSentence, answer: str) -> bool:
    """Whether a sentence of the answer makes a claim that notes can bear or contradict."""
    if not sentence.terms or sentence.refusal or _is_heading(sentence, answer):
        return False
    text = sentence.claim.strip()
    tail = text[-TAIL_CHARS:]
    if _GREETING.match(tail) or any(
        ending.search(tail) for ending in (_QUESTION, _ANNOUNCEMENT, _CLOSING_WORDS)
    ):
        return False
    certain = bool(sentence.marks) or any(is_number(term) for term in sentence.terms)
    return certain or not (_ADVICE.search(tail) or _ENGLISH_ADVICE.search(text))


def claim_alone(weighed: Weighed, material: Material) -> Weighed:
    """The sentence with what speaks against its claim, not against its citation marks.

    Names are compared in one language only: in another they are spelt another way.
    """
    return weighed.without(MARK_RULES if material.comparable else MARK_RULES | {"new_names"})


def _is_heading(sentence: AnswerSentence, answer: str) -> bool:
    line_start = answer.rfind("\n", 0, sentence.start) + 1
    return _HEADING.match(answer, line_start, sentence.start) is not None
