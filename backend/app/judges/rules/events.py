"""What binds clauses: order of events, causes, what must or may be done."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from app.judges.rules.align import REWORDED, Alignment
from app.judges.rules.analysis import NAME, NOUN, WORD, Analysis
from app.judges.rules.values import same
from app.judges.rules.vocabulary import DOUBLY_NEGATED, is_negated
from app.text.language import Bilingual

# The clause before one of these comes first, or last.
_THEN = Bilingual(
    r"(?:[가-힣] (?:뒤|후|다음)(?:에|에야)?[ ,]|고 나서|고 나면|[가-힣] 이후에 )"
    r"|,? (?:and )?(?:then|afterwards)\b|\bbefore\b",
    re.NOFLAG,
)
_UNTIL = Bilingual(
    r"기 전(?:에|까지)|[가-힣] (?:이전|전)에 |(?<!look )(?<!looks )(?<!looked )\bafter\b",
    re.NOFLAG,
)
_FRONTED = re.compile(
    r"\s?(?:(?:only|do not|don't|never)\s)?(before|after)\b([^,]{3,80}), ", re.IGNORECASE
)
_FIRST = Bilingual(r"먼저|우선|처음(?:에|으로)|\bfirst\b")
_LAST = Bilingual(r"마지막(?:에|으로)|나중에|끝으로|\b(?:last|finally|lastly)\b")

Halves = tuple[str, str]


@lru_cache(maxsize=4_096)
def in_order(text: str) -> Halves | None:
    """What a sentence says comes first, and what comes after it; None where it orders nothing."""
    if fronted := _FRONTED.match(text):
        inner, outer = fronted[2], text[fronted.end() :]
        return (outer, inner) if fronted[1].lower() == "before" else (inner, outer)
    if match := _THEN.search(text):
        first, second = text[: match.start() + 1], text[match.end() :]
        return (first, second) if first.strip() and second.strip() else None
    if match := _UNTIL.search(text):
        before, after = text[: match.start()], text[match.end() :]
        # "A하기 전에 B" puts B first; "B after A" puts A first.
        return (after, before) if before.strip() and after.strip() else None
    return None


def order_marks(text: str) -> tuple[int, int] | None:
    """Where "first" and "last" stand."""
    first, last = _FIRST.search(text), _LAST.search(text)
    return (first.start(), last.start()) if first and last else None


_CAUSE = Bilingual(
    r"[가-힣] ?(?:기 )?때문|[가-힣]므로|[가-힣] ?덕분|탓에"
    r"|[가-힣 ][어아해와워려져춰쳐줘꿔둬켜혀차싸빠파커떠돼]서[ ,]"
    r"|[하가되]여서|[이라]라서|기 위해|니까|인해|말미암"
    r"|\b(?:because|due to|owing to|as a result|so that|thanks to|therefore|caused? by)\b"
)


@lru_cache(maxsize=4_096)
def cause_at(text: str) -> int | None:
    """Where a sentence binds a cause to its effect."""
    match = _CAUSE.search(text)
    return match.start() if match else None


_MODES = {
    "needless": (
        r"필요(?:가|는|도)? ?없|하지 않아도|않아도 (?:되|돼|된|됨|좋|괜찮)"
        r"|안 [가-힣]{1,8}도 (?:되|돼|된|됨)"
        r"|\b(?:need not|needn['’]t|not (?:need|have) to|don['’]t (?:need|have) to"
        r"|not (?:required|necessary)|no (?:need|permission)|optional)\b"
    ),
    "forbidden": (
        r"(?:면|서는) ?안 ?(?:되|돼|된|됩|됨)|(?<![가-힣])안 (?:되|돼|된|됩|됨)|금지|수 없|불가"
        r"|막[혀힌히]|차단"
        r"|하지 (?:마|말|않는다|않습|않으|않음)"
        r"|지 (?:마세요|말고|말아|말 것|않는다|않습니다|않으며|않는|않음)"
        r"|\b(?:must|may|should|can?|do|shall)(?: not|n['’]t)\b|\b(?:must|may|should) never\b"
        r"|\bcannot\b|\bnever\b|\bprohibited\b|\bforbidden\b|\bbann(?:ed|ing)\b"
        r"|(?:\bnot|n['’]t) (?:be )?(?:allowed|permitted|possible)\b"
    ),
    "allowed": (
        r"[아어여해]도 ?(?:되|돼|된|됩|됨|괜찮|좋|무방)|[가-힣] 수 있|허용|가능"
        # "In May" is a month.
        r"|\b(?:(?-i:may)|can|allowed|permitted)\b|(?:^|[.!?] )May(?= [a-z])"
        r"|\bfree to\b|\bfine to\b|\bsafe to\b"
    ),
    "required": (
        r"반드시|꼭|[아어여해]야 ?(?:하|한|합|함|해|되|된|됩|됨)|필수|필요(?:하|합|한|함|가 있|로)"
        r"|\b(?:must|should|have to|has to|needs? to|needs|required?|shall|necessary)\b"
    ),
}
_MODE = [(name, Bilingual(pattern)) for name, pattern in _MODES.items()]
_AGAINST = {
    frozenset({"needless", "required"}),
    frozenset({"forbidden", "allowed"}),
    frozenset({"forbidden", "required"}),
}


@lru_cache(maxsize=4_096)
def mode(text: str) -> str | None:
    """Whether a sentence says that something must, may, need not or must not be done."""
    if DOUBLY_NEGATED.search(text):
        return "allowed"
    for name, pattern in _MODE:
        if pattern.search(text):
            return name
    return None


def is_denying(text: str) -> bool:
    """Whether a sentence denies or forbids."""
    return is_negated(text) or mode(text) == "forbidden"


def modes_clash(claim: str, note: str) -> bool:
    """Whether a claim allows what the note forbids, or frees of what it requires."""
    ours, theirs = mode(claim), mode(note)
    if ours is None or theirs is None or ours == theirs:
        return False
    both = {ours, theirs}
    if both == {"forbidden", "required"} and is_negated(claim) == is_negated(note):
        return False
    return frozenset(both) in _AGAINST


_DECIDED = Bilingual(
    r"기로 (?:했|함|결정|하였|합의)|(?:결정|확정)(?:했|되었|됐|하였|된|합|함|됨)"
    r"|\b(?:decided|agreed) to\b"
)
_UNDECIDED = Bilingual(
    r"(?:결정|확정)(?:하지|되지) (?:않|못)|논의|의견이 있"
    r"|\b(?:proposed|suggested|not decided|discussed)\b"
)


def decision_clash(claim: str, note: str) -> bool:
    """Whether a claim takes for decided what the note only discusses."""
    return (
        _DECIDED.search(claim) is not None
        and _UNDECIDED.search(note) is not None
        and _UNDECIDED.search(claim) is None
    )


_EXCEPT = Bilingual(
    r"\b(?:except(?: for)?|other than|apart from|excluding|but not) (?:(?:the|on|in|for|an?) )*"
)
_EXCLUDED = Bilingual(r"[을를]? ?(?:제외|빼고|뺀)|[은는]? 외에[는 ]")


def excepted(claim: Analysis, note: Analysis) -> str:
    """What a sentence of the notes excepts and a claim affirms; else ""."""
    if is_denying(claim.text) or _EXCEPT.search(claim.text) or _EXCLUDED.search(claim.text):
        return ""
    return exception(claim, note)


def exception(claim: Analysis, note: Analysis) -> str:
    """What a sentence of the notes excepts and a claim names; else ""."""
    if match := _EXCEPT.search(note.text):
        found = [token for token in note.tokens if token.start >= match.end()][:1]
    elif match := _EXCLUDED.search(note.text):
        found = [token for token in note.tokens if token.start < match.start()][-1:]
    else:
        return ""
    held = all(
        token.term in claim.places
        if token.value is None
        else any(same(token.value, one) for one in claim.held_values)
        for token in found
    )
    return found[0].term if found and held else ""


_CONTRAST = Bilingual(
    r"(?:[이가] )?아니라 |아니고 | 대신(?:에)? | 말고 |\binstead of\b|\brather than\b",
    re.NOFLAG,
)


def contrast_at(text: str) -> int | None:
    """Where a sentence turns from what does not hold to what does."""
    match = _CONTRAST.search(text)
    return match.end() if match else None


_CONTRASTED = re.compile(
    r"(?:[이가] )?아니라 |, not \w+(?: \w+){0,5}|\bnot (?=(?:\w+ ){1,6}but\b)", re.IGNORECASE
)


def without_contrast(text: str) -> str:
    """A text without the "not" of "not A but B", which denies nothing of B."""
    return _CONTRASTED.sub(" ", text)


_CLAUSE_END = Bilingual(
    r"(?:고|며|(?<!까)지만|으나|는데|은데|어서|아서|해서|면|므로)(?:, ?| )|[,;] "
    r"|\b(?:and|but|while|so|because|which)\b",
    re.NOFLAG,
)


@lru_cache(maxsize=4_096)
def parts(text: str) -> Sequence[str]:
    """The clauses of a sentence, roughly."""
    found, start = [], 0
    for match in _CLAUSE_END.finditer(text):
        found.append(text[start : match.end()])
        start = match.end()
    return [*found, text[start:]]


# Half of the claim must stand in the sentence with which its order is compared.
SAME_EVENTS = 0.5
_MARKS = frozenset(
    [
        "먼저",
        "우선",
        "처음",
        "다음",
        "그다음",
        "마지막",
        "나중",
        "끝",
        "first",
        "then",
        "last",
        "final",
        "next",
    ]
)


def turned(alignment: Alignment) -> float:
    """1 where first and second of the claim are second and first in its closest sentence, 2 where
    they share nothing else, else 0."""
    if not alignment.closest or alignment.gap > SAME_EVENTS:
        return 0.0
    note = alignment.notes.sentences[alignment.closest[0]]
    ours, theirs = _halves(alignment.claim), _halves(note)
    if ours is not None and theirs is not None:
        straight = len(ours[0] & theirs[0]) + len(ours[1] & theirs[1])
        crossed = len(ours[0] & theirs[1]) + len(ours[1] & theirs[0])
        if ours[0] & theirs[1] and ours[1] & theirs[0] and not straight and crossed > 2:
            return 2.0
        found = crossed > straight or (crossed >= 2 and crossed * 2 > straight)
        return float(found and alignment.clause_gap <= REWORDED)
    if ours is not None and _sequence_turned(ours, note):
        return 2.0
    return float(alignment.clause_gap <= REWORDED) * (
        _marks_turned(alignment, note)
        or _contrast_turned(alignment, note)
        or _cause_turned(alignment.claim, note)
    )


_STEPS = re.compile(r"먼저|그다음|그 다음|마지막에|\b(?:first|then|finally|last)\b", re.IGNORECASE)


def _sequence_turned(ours: tuple[frozenset[str], frozenset[str]], note: Analysis) -> bool:
    """Whether a sentence that lists steps one after another has those of the claim the other way
    round."""
    if not _STEPS.search(note.text):
        return False
    first, second = ([note.places[t][0] for t in side if t in note.places] for side in ours)
    return bool(first) and bool(second) and min(first) > max(second)


def _cause_turned(claim: Analysis, note: Analysis) -> bool:
    """Whether the cause of the notes has become the effect."""
    ours, theirs = _cause_and_effect(claim), _cause_and_effect(note)
    if ours is None or theirs is None:
        return False
    straight = len(ours[0] & theirs[0]) + len(ours[1] & theirs[1])
    return len(ours[0] & theirs[1]) + len(ours[1] & theirs[0]) > straight


def _cause_and_effect(sentence: Analysis) -> tuple[set[str], set[str]] | None:
    at = cause_at(sentence.text)
    if at is None:
        return None
    cause, effect = ({sentence.tokens[n].term for n in side} for side in _sides(sentence, at))
    return (cause - effect, effect - cause) if cause and effect else None


def is_cause(claim: Analysis, note: Analysis) -> bool:
    """Whether a claim says what a sentence of the notes gives for a cause."""
    sides = _cause_and_effect(note)
    if sides is None or not claim.words:
        return False
    cause, effect = (len(claim.words & side) for side in sides)
    return cause > effect and 2 * cause >= len(claim.words)


def _contrast_turned(alignment: Alignment, note: Analysis) -> bool:
    """Whether "not A but B" of the notes has become "not B but A"."""
    ours, theirs = contrast_at(alignment.claim.text), contrast_at(note.text)
    if ours is None or theirs is None:
        return False
    denied, held = _beside(alignment.claim, ours)
    note_denied, note_held = _beside(note, theirs)
    straight = len(denied & note_denied) + len(held & note_held)
    return len(denied & note_held) + len(held & note_denied) > straight


def _beside(sentence: Analysis, at: int) -> tuple[set[str], set[str]]:
    """The words just before and just after a place."""
    before = [token.term for token in sentence.tokens if token.start < at]
    after = [token.term for token in sentence.tokens if token.start >= at]
    words = set(before[-2:]), set(after[:4])
    return words[0] - words[1], words[1] - words[0]


def _halves(sentence: Analysis) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words of what comes first and of what comes second, without those in both."""
    halves = in_order(sentence.text)
    if halves is None:
        return None
    first, second = (_words_of(half, sentence) for half in halves)
    return first - second, second - first


def _words_of(half: str, sentence: Analysis) -> frozenset[str]:
    begin = sentence.text.find(half)
    end = begin + len(half)
    return frozenset(token.term for token in sentence.tokens if begin <= token.start < end)


def _marks_turned(alignment: Alignment, note: Analysis) -> bool:
    """Whether the words between "first" and "last" stand the other way round."""
    ours = order_marks(alignment.claim.text)
    if ours is None or order_marks(note.text) is None:
        return False
    order = [
        note.places[token.term][0]
        for token in alignment.claim.tokens
        if len(note.places.get(token.term, ())) == 1
        and token.kind in (NOUN, NAME, WORD)
        and token.term not in _MARKS
    ]
    return any(before > after for before, after in pairwise(order))


def cause_added(alignment: Alignment) -> bool:
    """Whether the claim gives a cause, and no sentence of the notes has that cause with its
    effect."""
    claim = alignment.claim
    at = cause_at(claim.text)
    if at is None or not alignment.closest:
        return False
    cause, effect = _sides(claim, at)
    if not cause or not effect:
        return False
    # Where the words are new, other rules tell; here the effect must be that of the notes.
    with_effect = [one for one in alignment.closest if _held(alignment, one, effect) >= 0.5]
    return bool(with_effect) and not any(
        _held(alignment, place, cause) >= 0.5
        for one in with_effect
        for place in _with_reason(alignment, one)
    )


def _with_reason(alignment: Alignment, number: int) -> list[int]:
    """A sentence of the notes, with the next where that says nothing but why."""
    sentences = alignment.notes.sentences
    said_after = number + 1 < len(sentences) and _THAT_IS_WHY.search(sentences[number + 1].text)
    return [number, number + 1] if said_after else [number]


_SO = re.compile(r"as a result(?! of)|so that|therefore", re.IGNORECASE)
_THAT_IS_WHY = re.compile(r"때문(?:이다|입니다|이었다|이었습니다|이에요)\W*$")


def _sides(claim: Analysis, at: int) -> tuple[list[int], list[int]]:
    """The places of the tokens of the cause and of the effect."""
    match = _CAUSE.search(claim.text, at)
    english = match is not None and match[0].isascii() and match[0][0].isalpha()
    # The Korean verb that ends with "서" belongs to the cause.
    turn = at if english or match is None else match.end()
    before = [n for n, token in enumerate(claim.tokens) if token.start < turn]
    after = [n for n, token in enumerate(claim.tokens) if token.start >= turn]
    if english:
        if before:
            return (before, after) if _SO.match(claim.text, at) else (after, before)
        comma = claim.text.find(",", at)
        half = sum(claim.tokens[n].start < comma or comma < 0 for n in after)
        return after[:half], after[half:]
    # "직접 기르는데, 맛이 깊어지기 때문이다": the cause is the last clause.
    last = max((one.end() for one in _CLAUSE_END.finditer(claim.text, 0, at)), default=0)
    if not after and last:
        return (
            [n for n in before if claim.tokens[n].start >= last],
            [n for n in before if claim.tokens[n].start < last],
        )
    # What the sentence is about belongs to its effect.
    topic = max((n for n in before if claim.tokens[n].role == "topic"), default=-1)
    return [n for n in before if n > topic], [*(n for n in before if n <= topic), *after]


def _held(alignment: Alignment, number: int, side: list[int]) -> float:
    return sum(alignment.holds(number, n) for n in side) / len(side)
