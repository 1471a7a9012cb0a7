"""Questions from English sentences by rules.

A sentence with an auxiliary is turned round ("cDNA can be stored at -20 °C for six months" is
"For how long can cDNA be stored at -20 °C?"); any other gets a blank in place of a figure, a
name or its longest word.
"""

import re
from collections.abc import Iterator, Sequence

from app.experiments.datasets.chunk_sentences import KeySentence, names_subject
from app.experiments.datasets.question_drafts import BLANK, Draft, Naturalness

_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER = r"\d+(?:,\d+)*(?:\.\d+)?"
_RANGE = rf"{_NUMBER}(?:\s?(?:-|–|to)\s?{_NUMBER})?"
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)
_ANY = rf"(?:{_NUMBER}|\b(?:{_WORDS})\b)"
_HEDGE = r"(?:up to|at least|at most|about|more than|no more than|only) "
_TIME = r"(?:second|minute|hour|day|week|month|year)s?"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"

# (pattern in what follows the auxiliary, how it is asked); the group is the answer.
_ASKED: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(rf"\bfor ((?:{_HEDGE})?{_ANY} {_TIME})\b"), "For how long"),
    (
        re.compile(
            rf"\b((?:(?:once|twice) )?(?:every|each) (?:{_ANY} )?(?:{_TIME}|night|morning|{_DAY})"
            rf"|(?:once|twice|{_ANY} times) (?:a|per) (?:day|week|month|year))\b"
        ),
        "How often",
    ),
    (re.compile(rf"\b(within {_ANY} {_TIME})\b"), "How soon"),
    (re.compile(rf"\bat ([-−]?{_NUMBER} ?(?:°[CF]|degrees(?: Celsius)?))"), "At what temperature"),
    (re.compile(rf"\b(?:at|by) ({_NUMBER}(?::\d\d)? ?[ap]\.?m)\b"), "At what time"),
    (re.compile(rf"\bon ({_DAY})\b"), "On which day"),
    (re.compile(r"\bin ((?:1\d|20)\d\d)\b(?!-)"), "In which year"),
    (re.compile(rf"\b(?:on|in) ({_MONTH}(?: \d{{1,2}})?(?:,? \d{{4}})?)\b"), "When"),
    (re.compile(r"\bby ([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,3})"), "By whom"),
]  # fmt: skip
_AUXILIARY = "is|are|was|were|can|must|may|should|will|could"
_TURNED = re.compile(rf"(?P<subject>(?:[^\s,;:]+ ){{1,8}}?)(?P<aux>{_AUXILIARY}) (?P<rest>.+)")
# What stands before the auxiliary must be a plain noun phrase.
_NO_SUBJECT = re.compile(
    r"\b(?:if|when|while|before|after|until|that|which|who|to|we|you|i|there|not|never|than|and|or"
    r"|but|because|since|although|as|unless|once|where|how|what)\b",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(
    rf"[;:]|,? (?:but|so|then|unless|because|although)\b|, (?:and|or|which|who)\b"
    rf"|,? and (?:{_AUXILIARY})\b|[.!]$|[.] "
)
_MEASURE = re.compile(
    rf"(?<![\w.,-])(?:[-−](?=\d))?{_RANGE}(?:[:/]{_NUMBER})? ?"
    rf"(?:°[CF]|%|(?:[ap]m|kg|mg|µg|ng|g|mL|ml|µL|L|mm|cm|km|m|psi|Hz|GB|MB|{_TIME})\b)?"
    rf"|\b(?:{_WORDS}) (?:{_TIME}|times|people|thirds)\b|\b(?:twice)\b|\b{_DAY}\b"
)  # fmt: skip
_NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][\w-]+)(?: (?:[A-Z][\w-]+))*")
_LONG_WORD = re.compile(
    r"(?<=[a-z] )[a-z]{6,}(?<!ly)(?<!ing)(?<!ed)\b(?=[,.;]| (?:of|in|on|is|for)\b)"
)
_DEFINED = re.compile(
    r"(?P<subject>(?:[^\s,;:]+ ){1,6}?)(?P<verb>is|are|refers to|means) (?P<what>.+)"
)
_MAX_DEFINITION = 160


def english_drafts(sentence: KeySentence) -> Iterator[Draft]:
    yield from _turned(sentence)
    yield from _defined(sentence)
    for pattern, naturalness in (
        (_MEASURE, Naturalness.BLANK_NUMBER),
        (_NAME, Naturalness.BLANK_TERM),
    ):
        for match in pattern.finditer(sentence.text, 1):
            answer = match[0].strip()
            yield Draft(_cloze(sentence, match.start(), answer), answer, naturalness)
    longest = max(_LONG_WORD.finditer(sentence.text), key=lambda m: len(m[0]), default=None)
    if longest is not None:
        cloze = _cloze(sentence, longest.start(), longest[0])
        yield Draft(cloze, longest[0], Naturalness.BLANK_TERM)


def _turned(sentence: KeySentence) -> Iterator[Draft]:
    match = _TURNED.match(sentence.text)
    if match is None or _NO_SUBJECT.search(match["subject"]):
        return
    subject, rest = _lowered(match["subject"].strip(), sentence.text), match["rest"]
    if re.match(r"(?:not|never)\b", rest):
        return
    ends = _CLAUSE_ENDS.search(rest)
    clause = rest[: ends.start()] if ends else rest
    if match["aux"] in ("is", "are", "was", "were") and re.match(r"[-−]?\d", clause):
        question = f"What {match['aux']} {subject}?"
        yield Draft(_placed(question, sentence), clause, Naturalness.NUMBER)
        return
    for pattern, asked in _ASKED:
        for found in pattern.finditer(clause):
            if clause[found.end() :].startswith(","):
                continue
            kept = " ".join((clause[: found.start()] + clause[found.end() :]).split())
            question = " ".join(part for part in (asked, match["aux"], subject, kept) if part)
            yield Draft(_placed(f"{question}?", sentence), found[1], Naturalness.NUMBER)


def _defined(sentence: KeySentence) -> Iterator[Draft]:
    """ "X is a Y" answers what X is."""
    match = _DEFINED.match(sentence.text)
    if match is None or _NO_SUBJECT.search(match["subject"]):
        return
    what, verb = match["what"].rstrip(".! "), match["verb"]
    plain = verb in ("is", "are")
    if len(what) > _MAX_DEFINITION or (plain and not re.match(r"(?:an?|the) ", what)):
        return
    subject = _lowered(match["subject"].strip(), sentence.text)
    ask = {"refers to": f"What does {subject} refer to?", "means": f"What does {subject} mean?"}
    question = ask.get(verb, f"What {verb} {subject}?")
    yield Draft(_placed(question, sentence), what, Naturalness.LABEL)


def _lowered(subject: str, text: str) -> str:
    """The subject as it stands inside a sentence: names and abbreviations keep their capital."""
    first = subject.split()[0]
    plain = first[1:].islower() or len(first) == 1
    is_name = len(re.findall(rf"(?<!^)\b{re.escape(first)}\b", text)) > 0 or (
        # A second capital right after it makes a name of several words.
        re.match(r"\S+ [A-Z][a-z]", subject) is not None
    )
    return subject if not plain or is_name else subject[0].lower() + subject[1:]


def _cloze(sentence: KeySentence, start: int, answer: str) -> str:
    text = sentence.text
    blank = f"“{text[:start]}{BLANK}{text[start + len(answer) :]}”"
    return _placed(f"What belongs in the blank in {blank}?", sentence)


def _placed(question: str, sentence: KeySentence) -> str:
    """The question with the title before it, unless it names a word of that on its own."""
    if names_subject(question, sentence.about):
        return question
    named_by = ", ".join(f"“{name}”" for name in sentence.about)
    return f"According to {named_by}, {question[0].lower()}{question[1:]}"
