"""The sentences of rules verdicts, in Korean and English."""

from collections.abc import Mapping, Sequence

from app.ai_router.types import Lang
from app.judges.rules.find import Finding

_SHOWN_WORDS = 5

UNSUPPORTED: Mapping[Lang, str] = {
    "ko": "노트의 어느 문장도 이 내용을 뒷받침하지 않습니다",
    "en": "no sentence of the notes supports this",
}
_REASONS: Mapping[str, Mapping[Lang, str]] = {
    "missing_note": {
        "ko": "없는 노트를 출처로 표시했습니다: {words}",
        "en": "it cites a note that does not exist: {words}",
    },
    "new_numbers": {
        "ko": "노트에 없는 숫자입니다: {words}",
        "en": "the notes do not have this number: {words}",
    },
    "other_unit": {
        "ko": "노트와 단위나 부호가 다릅니다: {words}",
        "en": "the notes give another unit or sign: {words}",
    },
    "misplaced_value": {
        "ko": "노트의 이 자리에는 다른 값이 있습니다: {words}",
        "en": "the notes give another value here: {words}",
    },
    "misplaced_name": {
        "ko": "노트의 이 자리에는 다른 대상이 있습니다: {words}",
        "en": "the notes name another one here: {words}",
    },
    "other_bound": {
        "ko": "노트와 범위나 정도가 다릅니다: {words}",
        "en": "the notes give another limit or share: {words}",
    },
    "turned_order": {
        "ko": "노트와 순서나 방향이 반대입니다",
        "en": "the notes have it the other way round",
    },
    "turned_roles": {
        "ko": "노트와 역할이나 자리가 서로 바뀌었습니다: {words}",
        "en": "the notes have these the other way round: {words}",
    },
    "excepted": {
        "ko": "노트에서 예외로 둔 것입니다: {words}",
        "en": "the notes make an exception of this: {words}",
    },
    "added_cause": {
        "ko": "노트에 없는 이유입니다",
        "en": "the notes do not give this cause",
    },
    "crossed": {
        "ko": "노트가 다른 대상에 대해 말한 내용입니다: {words}",
        "en": "the notes say this of another one: {words}",
    },
    "stitched": {
        "ko": "노트의 서로 다른 내용을 이어 붙였습니다",
        "en": "it joins what the notes say of different things",
    },
    "asked_predicate": {
        "ko": "질문에만 있고 노트에는 없는 내용입니다: {words}",
        "en": "only the question says this: {words}",
    },
    "exchanged_place": {
        "ko": "노트의 문장과 이 부분만 다릅니다: {words}",
        "en": "this differs from a sentence of the notes here: {words}",
    },
    "new_names": {
        "ko": "노트에 없는 이름입니다: {words}",
        "en": "the notes do not have this name: {words}",
    },
    "other_asked": {
        "ko": "질문한 것의 값은 노트에 다르게 나옵니다: {words}",
        "en": "for what was asked the notes give another value: {words}",
    },
    "other_member": {
        "ko": "노트에서는 다른 항목의 내용입니다: {words}",
        "en": "the notes say this of another item: {words}",
    },
    "away_from_asked": {
        "ko": "노트에 있지만 질문한 내용과는 다른 대목입니다",
        "en": "the notes say this of something else than was asked",
    },
    "other_subject": {
        "ko": "질문의 말이 답변과 그 근거에 없습니다: {words}",
        "en": "neither the answer nor its note speaks of this word of the question: {words}",
    },
    "polar_flip": {
        "ko": "노트는 반대로 말합니다: {words}",
        "en": "the notes say the contrary: {words}",
    },
    "unconfirmed": {
        "ko": "노트에서 그렇다거나 아니라는 말을 찾지 못했습니다",
        "en": "the notes say neither yes nor no to this",
    },
    "dropped_hedge": {
        "ko": "노트의 예상이나 계획을 사실처럼 말합니다: {words}",
        "en": "the notes only expect or plan this: {words}",
    },
    "dropped_condition": {
        "ko": "노트에 있는 조건을 빠뜨렸습니다: {words}",
        "en": "the notes say this under a condition: {words}",
    },
    "older_note": {
        "ko": "더 새로운 노트에서 바뀐 내용입니다: {words}",
        "en": "a newer note has replaced this: {words}",
    },
    "outdated": {
        "ko": "노트에서 아니라고 하거나 바뀌었다고 한 값입니다: {words}",
        "en": "the notes say that this does not hold, or no longer: {words}",
    },
    "negation_flip": {
        "ko": "노트와 긍정·부정이 반대입니다: {words}",
        "en": "the notes say the contrary: {words}",
    },
    "other_mode": {
        "ko": "해도 되는지, 해야 하는지가 노트와 다릅니다: {words}",
        "en": "the notes differ on what must or may be done: {words}",
    },
    "opposite_word": {
        "ko": "노트와 반대되는 말입니다: {words}",
        "en": "the notes have the opposite word: {words}",
    },
    "overstatement": {
        "ko": "노트에 없는 단정이나 비교입니다: {words}",
        "en": "the notes do not put it so absolutely: {words}",
    },
    "wrong_note": {
        "ko": "표시한 노트가 아니라 다른 노트의 내용입니다: {words}",
        "en": "another note says this, not the one it cites: {words}",
    },
    "new_words": {
        "ko": "노트에 없는 내용입니다: {words}",
        "en": "the notes do not say this: {words}",
    },
    "added_word": {
        "ko": "노트에 없는 말을 더했습니다: {words}",
        "en": "it adds a word that the notes do not have: {words}",
    },
    "unrelated": UNSUPPORTED,
}

EMPTY: Mapping[Lang, str] = {"ko": "답변이 비어 있습니다.", "en": "The answer is empty."}
INCOMPARABLE: Mapping[Lang, str] = {
    "ko": "답변과 노트의 언어가 달라 낱말을 대조하지 못했습니다.",
    "en": "Answer and notes are in different languages, so their words could not be compared.",
}
_SUMMARY: Mapping[str, Mapping[Lang, str]] = {
    "refusal": {
        "ko": "노트에 답이 없다고 밝힌 답변입니다.",
        "en": "The answer says that the notes do not say.",
    },
    "grounded": {
        "ko": "답변의 모든 문장이 노트에 근거합니다.",
        "en": "Every sentence of the answer is supported by the notes.",
    },
    "issues": {
        "ko": "문장 {total}개 중 {bad}개가 노트와 맞지 않거나 노트에 없습니다.",
        "en": "{bad} of {total} sentences are not in the notes or contradict them.",
    },
    "incomparable": INCOMPARABLE,
    "reworded": {
        "ko": "노트와 다른 말로 쓰여 있어 낱말 비교만으로는 판단할 수 없습니다.",
        "en": "It is said in other words than the notes, so comparing words cannot tell.",
    },
    "doubtful": {
        "ko": "노트와 다를 수 있는 내용이 있지만 낱말 비교만으로는 판단할 수 없습니다.",
        "en": "Something may differ from the notes, but comparing words cannot tell.",
    },
    "unconfirmed": {
        "ko": "노트에서 그렇다거나 아니라는 말을 찾지 못해 판단할 수 없습니다.",
        "en": "The notes say neither yes nor no to this in words that can be compared.",
    },
    "too_long": {
        "ko": "길어서 일부만 읽었으므로 전체를 판단할 수 없습니다.",
        "en": "Only a part was read because of the length, so the whole cannot be judged.",
    },
    "doubtful_refusal": {
        "ko": "노트에 답이 없다고 했지만, 있을 수도 있습니다.",
        "en": "It says that the notes do not say, but they may.",
    },
    "false_refusal": {
        "ko": "노트에 답이 있는데 없다고 했습니다.",
        "en": "It says that the notes do not say, but they do.",
    },
    "off_topic": {
        "ko": "질문에 직접 답하지 않았습니다.",
        "en": "It does not answer the question directly.",
    },
    "unlike_question": {
        "ko": "질문과 겹치는 말이 적어, 질문에 답했는지는 낱말 비교만으로 알 수 없습니다.",
        "en": "It shares few words with the question, so comparing words cannot tell whether it"
        " answers it.",
    },
    "other_language": {
        "ko": "질문과 다른 언어로 답했습니다.",
        "en": "It is not in the language of the question.",
    },
}


_ANSWERED: Mapping[Lang, str] = {
    "ko": "노트에 답이 있습니다: “{text}”",
    "en": "the notes answer this: “{text}”",
}
_PERHAPS_ANSWERED: Mapping[Lang, str] = {
    "ko": "노트의 이 문장이 답일 수 있습니다: “{text}”",
    "en": "this sentence of the notes may answer it: “{text}”",
}


def answered_text(note: str, lang: Lang, *, sure: bool) -> str:
    """The issue of a refusal where a sentence of the notes answers the question, or may."""
    return (_ANSWERED if sure else _PERHAPS_ANSWERED)[lang].format(text=note)


_WEAK: Mapping[Lang, str] = {
    "ko": "노트가 이 내용을 분명하게 뒷받침하지 않습니다",
    "en": "the notes do not clearly support this",
}


def issue_text(sentence: str, found: Mapping[str, Finding], lang: Lang) -> str:
    """The sentence with its reasons, the most telling first."""
    return f"“{sentence}” – {reasons_text(found, lang) or _WEAK[lang]}"


def reasons_text(found: Mapping[str, Finding], lang: Lang) -> str:
    """What was found against a sentence, the most telling first, of those with the same words
    only that; "" when that has no words."""
    first: dict[tuple[str, ...], str] = {}
    for name in _REASONS:
        if name in found:
            words = tuple(found[name].words)
            first.setdefault(words or (name,), name)
    if len(first) > 1:
        # What the notes say otherwise, they say.
        first.pop(("unconfirmed",), None)
    return "; ".join(
        _REASONS[name][lang].format(words=_shown(found[name].words)) for name in first.values()
    )


def _shown(words: Sequence[str]) -> str:
    more = " …" if len(words) > _SHOWN_WORDS else ""
    return ", ".join(word.rstrip(".") for word in words[:_SHOWN_WORDS]) + more


def summary(parts: Sequence[str], lang: Lang, *, total: int, bad: int) -> str:
    """Sentences of the summary: refusal, grounded, issues, off_topic, other_language."""
    return " ".join(_SUMMARY[part][lang].format(total=total, bad=bad) for part in parts)
