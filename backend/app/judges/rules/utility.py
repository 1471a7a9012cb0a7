"""What kind of thing a question asks for, and whether an answer has one."""

import re
from typing import Literal

from app.ai_router.providers.asked_kinds import KOREAN_CAUSES, PRICE_OF_NOTHING
from app.judges.rules.align import Alignment
from app.judges.rules.analysis import NAME, NOUN, Analysis
from app.judges.rules.events import is_cause
from app.judges.rules.find import WELL_PLACED
from app.judges.rules.numbers import UNITS
from app.judges.rules.placement import is_result
from app.judges.rules.read import AnswerSentence, Material, NoteSentence
from app.judges.rules.values import Value, same, values
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.text.language import detect_language, is_third_language

Asked = Literal["who", "when", "number", "where", "why"]

_KINDS: tuple[tuple[Asked, re.Pattern[str]], ...] = (
    (
        "why",
        re.compile(r"왜(?=[ ?]|$)|어째서|이유[는가]?(?: ?무엇|\?| ?뭐|$)|\bwhy\b", re.IGNORECASE),
    ),
    (
        "number",
        re.compile(
            r"몇|얼마(?!나 중요)|며칠"
            r"|\bhow (?:many|much|long|old|far|often|tall|high|hot|cold|big)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "when",
        re.compile(
            r"언제|날짜[는가]?|연도[는가]?|무슨 요일|\bwhen\b"
            r"|\b(?:what|which) (?:year|month|date|day|time)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "who",
        re.compile(
            r"누구|누가|제조사|제조업체|만든 (?:곳|사람|회사)|책임자[는가]\b|담당자[는가]\b"
            r"|^\W*who(?:se|m)?\b|\bwho (?:is|was|made|wrote|keeps?|does|did|manages?|leads?)\b"
            r"|\bmanufacturer\b",
            re.IGNORECASE,
        ),
    ),
    ("where", re.compile(r"어디(?!까지)|\bwhere\b", re.IGNORECASE)),
)
# "제조사는 어디인가요" asks for one thing.
_PREDICATE = re.compile(r"어디(?:인|일|였|이었|예|에요|입|야|죠|[?]|$)")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_TIMED = re.compile(
    r"때|마지막에|처음에|먼저|나중에|다음에"
    r"|[뒤후전](?:에|까지|부터)|동안|고 나서|아침|점심|저녁|새벽|주말|평일"
    r"|[일주월년간분달] ?(?:이내|안에|내에|만에)"
    r"|중에|면 |자마자|마다|매[일주월년]|초에|말에|무렵|경에"
    r"|[봄름을울]에|작년|올해|내년|지난|오늘|내일|어제|당일|일찍|늦게"
    r"|\b(?:when|after|before|until|while|during|once|as soon as|if|within|ago|daily|weekly|monthly"
    r"|every|today|tomorrow|yesterday|spring|summer|autumn|fall|winter|century|night|noon"
    rf"|{_MONTHS}|(?:in|since|by|from|until|year) (?:1[0-9]|20)\d\d|at \d{{1,2}}[.:]?\d*)\b",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(
    r"(?<![\d.,])\d{1,2}일(?= ?"
    r"(?:이[고며었에다]|입|예|까지|부터|에 |로|[^\w ]|$))"
)
_PLACED = re.compile(
    r"에서|[가-힣]로 |에 |앞|옆|안|위|아래"
    r"|\b(?:in|at|on|near|from|to|between|under|over|inside|outside)\b",
    re.IGNORECASE,
)
_GROUNDS = re.compile(
    r"때문|[어아해여와워라니려겨려져켜해]서|므로|니까|위해|위하|덕|탓|이유|원인|려고|기에|도록"
    rf"|{KOREAN_CAUSES}"
    r"|\b(?:because|since|so|due to|in order|as a result|reason|cause[sd]?|therefore|thanks to"
    r"|helps?|allows?)\b|^\W*(?:to|for|as|by)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"[가-힣](?:자|원|장|팀|부|처|사|씨|님|인|생|수|관|교)(?:[이가은는을를에께와과의도, ]|$)"
    r"|(?<![가-힣])(?:내|제|우리|저희|네|당신)가 |에 의해"
    r"|\b(?:he|she|they|we|you|team|contact|manager|company|people|person|group|staff|department|office"
    r"|(?!over|under|after|water|number|paper|order|other|never|ever|either|neither|whether|rather"
    r"|together|differ|another|further|november|december|october|september|summer|winter|for|or|nor"
    r"|color|floor|door|most|first|last|list|best|rest|past|must|just|test|cost|exist|want|constant"
    r"|important|plant|amount|tower|power|letter|matter|later|higher|lower|longer)"
    r"\w{1,30}(?:er|or|ist|ian|ant|man|men|woman|women)s?)\b",
    re.IGNORECASE,
)
_FIGURELIKE = re.compile(
    r"매[일주월년]|격주|여러|많|적|다수|다섯|하나|둘|셋|무료|공짜"
    rf"|{PRICE_OF_NOTHING}"
    r"|\b(?:daily|weekly|monthly|yearly|many|much|few|several|long|often|never|always|free"
    r"|as needed|a lot|one)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"몇 ?(?P<ko>[가-힣]+)|\bhow many (?P<en>[a-z]+)", re.IGNORECASE)
_PRICED = re.compile(
    r"얼마(?=인가|인지|예요|에요|이에요|야|죠|지|입니까|\W*$)|\b(?:costs?|price|fee|rent|fare)\b",
    re.IGNORECASE,
)
_CURRENCIES = frozenset({"krw", "usd", "eur", "gbp"})
_OFTEN = re.compile(r"얼마나 자주|\bhow often\b", re.IGNORECASE)
_REPEATED = re.compile(
    r"때만|때마다|마다|매[일주월년]|격주"
    r"|\b(?:only (?:when|once|if)|whenever|each|every|daily|weekly)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(r"얼마 ?동안|\bhow long\b", re.IGNORECASE)
_WEEKDAY = re.compile(r"무슨 요일|\b(?:which|what) day\b", re.IGNORECASE)
# Tokens.
BARE = 4
_NO_PERSON = frozenset({"in", "on", "at", "near", "from", "where", "for", "to"})
_MONTH_NAMES = frozenset(_MONTHS.split("|"))


def asked_kind(question: str) -> Asked | None:
    """What the question asks for, None where that is no such thing."""
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), None)


def asked_kinds(question: str) -> list[Asked]:
    """All that a Korean clause asks for, in its order ("누가 언제"); of an English one, whose
    "when" and "where" begin relative clauses too, the first of `_KINDS`."""
    first = asked_kind(question)
    found = {kind: match for kind, pattern in _KINDS if (match := pattern.search(question))}
    asked = [
        kind
        for kind, match in found.items()
        if kind == first or not (match[0].isascii() or _PREDICATE.match(question, match.start()))
    ]
    return sorted(asked, key=lambda kind: found[kind].start())


def gives(kind: Asked, sentence: Analysis, question: Analysis) -> bool:
    """Whether a sentence of the answer has a thing of the kind, not one of the question's own."""
    found = sentence.held_values
    if kind in ("who", "where") and (
        _is_bare_noun(sentence, question) or _is_new_subject(sentence, question)
    ):
        return True
    if kind == "number":
        return _gives_number(found, sentence, question)
    if kind == "when":
        if _WEEKDAY.search(question.text):
            return any(value.kind in ("weekday", "date") for value in found)
        return (
            any(value.kind in {"date", "time", "weekday", "times"} for value in found)
            or _has_new(_DAY_OF_MONTH, sentence, question)
            or _has_new(_TIMED, sentence, question)
        )
    if kind == "where":
        return _PLACED.search(sentence.text) is not None
    if kind == "why":
        return _GROUNDS.search(sentence.text) is not None
    return _names_somebody(sentence, question)


def _is_bare_noun(sentence: Analysis, question: Analysis) -> bool:
    """Whether a Korean answer is a noun or name alone, such as "찰리 패튼입니다", and a new one."""
    nouns = [token for token in sentence.tokens if token.kind in (NOUN, NAME)]
    own = [token for token in nouns if token.term not in question.places]
    return bool(own) and len(sentence.tokens) == len(nouns) <= BARE


def _is_new_subject(sentence: Analysis, question: Analysis) -> bool:
    """Whether a Korean sentence says of a new noun or name what the question asks: "하늘이 맡아요"
    of "누가 맡나요", perhaps with another verb, and the thing that "어디였죠" asks for."""
    last = sentence.tokens[-1] if sentence.tokens else None
    if not sentence.is_korean:
        return _is_new_english_subject(sentence, question)
    if last is None or ("누가" not in question.text and last.term not in question.places):
        return False
    return any(
        token.role == "who" and token.kind in (NOUN, NAME) and token.term not in question.places
        for token in sentence.tokens[:-1]
    )


_PRO_VERB = re.compile(r"\b(?:did|does|do|is|was|will|has|can)\W*$", re.IGNORECASE)


def _is_new_english_subject(sentence: Analysis, question: Analysis) -> bool:
    """Whether something new stands before what an English sentence repeats of the question, or
    before "did" and the like: "The night guard locks it", "Mara did"."""
    if not re.match(r"\W*(?:who|whose)\b", question.text, re.IGNORECASE):
        return False
    shared = [n for n, token in enumerate(sentence.tokens) if token.term in question.places]
    if shared:
        return shared[0] > 0
    if not sentence.tokens:
        return False
    named = all(sentence.text[token.start].isupper() for token in sentence.tokens)
    return _PRO_VERB.search(sentence.text) is not None or (named and len(sentence.tokens) <= BARE)


def _gives_number(found: list[Value], sentence: Analysis, question: Analysis) -> bool:
    """Whether one of the values can be so many of what is asked for: days of days, not litres."""
    counted = _COUNTED.search(question.text)
    if counted is None:
        if _LASTING.search(question.text) and found:
            return any(value.kind in ("s", "mo", "m", "in", "time", "date") for value in found)
        if _OFTEN.search(question.text) and _has_new(_REPEATED, sentence, question):
            return True
        return bool(found) or _FIGURELIKE.search(sentence.text) is not None
    unit = next(iter(values(f"3{counted['ko'] or ' ' + counted['en']}".lower())), None)
    wanted = unit.kind if unit is not None and unit.kind in (*UNITS, "time") else ""
    if wanted == "time":
        return any(value.kind in ("time", "date", "s") for value in found)
    if wanted:
        kinds = {wanted, "", "share", "times"}
    else:
        counts = {value.kind for value in found} - set(UNITS) - {"date", "time", "weekday"}
        kinds = counts | {"piece", "person", "vehicle"}
    return any(value.kind in kinds for value in found) or _has_new(_FIGURELIKE, sentence, question)


def _has_new(pattern: re.Pattern[str], sentence: Analysis, question: Analysis) -> bool:
    asked = question.text.lower()
    return any(match[0].lower() not in asked for match in pattern.finditer(sentence.text))


def _names_somebody(sentence: Analysis, question: Analysis) -> bool:
    # An abbreviation or a number plate names no person, nor do a month or what stands after "in".
    placed = False
    for token in sentence.tokens:
        # "on Mill Hill": the second word of a place has no preposition before it.
        placed = token.kind == NAME and (placed or token.role in _NO_PERSON)
        if (
            token.kind == NAME
            and token.term not in question.places
            and not placed
            and not _is_month(token.start, sentence.text)
            and not any(map(str.isdigit, token.term))
        ):
            return True
    return any(
        match[0].strip(" ,").lower() not in question.text.lower()
        for match in _PERSON.finditer(sentence.text)
    ) and any(token.kind in (NOUN, NAME, "word") for token in sentence.tokens)


def _is_month(start: int, text: str) -> bool:
    return text[start : start + 10].split()[0].strip(".,;:").lower() in _MONTH_NAMES


# Scores, 0 to 1: of an answer that deals with nothing of the question, and of one that deals with
# some of it. The share of its words tells little more: true answers in other words have as few as
# false ones (the written cases for tuning).
OFF_TOPIC_UTILITY, ON_TOPIC_UTILITY = 0.3, 0.7
# A share of the question's words, 0 to 1.
SOME_COVERAGE = 0.1
REFUSAL_UTILITY = 0.15
MISSING_FACTOR = 0.45
# How much a word counts that stands beside what the answer rests on.
BESIDE = 0.7
OTHER_LANGUAGE_FACTOR = 0.45


def utility(material: Material) -> float:
    """0 to 1: coverage of the question, lowered where the requested kind is missing (a person,
    a time, a number) and for a foreign language.

    An answer that only states that the notes have no answer gets REFUSAL_UTILITY.
    """
    claims = [sentence for sentence in material.sentences if not sentence.refusal]
    if not material.sentences:
        return 0.0
    if not claims:
        return REFUSAL_UTILITY
    covered = coverage(material)
    score = ON_TOPIC_UTILITY + (1 - ON_TOPIC_UTILITY) * covered
    if covered < SOME_COVERAGE:
        score = OFF_TOPIC_UTILITY
    if lacks_what_was_asked(material):
        score *= MISSING_FACTOR
    if speaks_another_language(material):
        score *= OTHER_LANGUAGE_FACTOR
    return round(score, 4)


# From this share of the question's words on, 0 to 1, an answer is complete; without any it has this
# score.
COMPLETE_COVERAGE, NO_COVERAGE_SCORE = 0.7, 0.2


def completeness(material: Material) -> float:
    """How much of the question an answer deals with, 0 to 1, for comparing answers to it."""
    if not any(not sentence.refusal for sentence in material.sentences):
        return min(utility(material), REFUSAL_UTILITY)
    covered = min(1, coverage(material) / COMPLETE_COVERAGE)
    score = NO_COVERAGE_SCORE + (1 - NO_COVERAGE_SCORE) * covered
    return round(score * (MISSING_FACTOR if lacks_what_was_asked(material) else 1.0), 4)


def lacks_what_was_asked(material: Material) -> bool:
    """Whether the question asks who, when, how many, where or why, and no claim says it."""
    kind = asked_kind(material.question)
    return _misses_price(material) or (
        kind is not None
        and not any(
            gives(kind, sentence.analysis, material.asked)
            or (kind == "who" and _names_of_notes(sentence.analysis, material))
            or (kind == "why" and _is_cause(sentence, material))
            for sentence in material.sentences
            if not sentence.refusal
        )
    )


def _is_cause(sentence: AnswerSentence, material: Material) -> bool:
    """Whether the sentence that bears a claim has it as its cause."""
    closest = material.closest(sentence)
    return closest is not None and is_cause(sentence.analysis, closest.analysis)


def _misses_price(material: Material) -> bool:
    """Whether the question asks for a price, which a sentence has that bears a claim, and the
    answer gives measures only."""
    claims = [one for one in material.sentences if not one.refusal]
    if not _PRICED.search(material.question):
        return False
    found = [value.kind for one in claims for value in one.analysis.held_values]
    bearing = [note for one in claims if (note := material.closest(one)) is not None]
    priced = any(v.kind in _CURRENCIES for note in bearing for v in note.analysis.held_values)
    return (
        priced and bool(found) and all(k in UNITS and k not in _CURRENCIES | {"%"} for k in found)
    )


def _names_of_notes(sentence: Analysis, material: Material) -> bool:
    """Whether a sentence begins with a name of the notes, which its capital letter does not tell:
    "Priya did"."""
    first = next(iter(sentence.tokens), None)
    return first is not None and first.term in material.names - material.asked.places.keys()


def coverage(material: Material) -> float:
    """Share of the question's content words that the answer deals with, 0 to 1.

    A short answer need not repeat the question: words of the passages it rests on count, and
    those beside them count nearly as much.
    """
    wanted = wanted_terms(material)
    if not wanted:
        return 1.0
    dealt = wanted - unanswered_terms(material)
    beside = (wanted & _beside(material)) - dealt
    return min(1.0, (len(dealt) + BESIDE * len(beside)) / len(wanted))


def _beside(material: Material) -> frozenset[str]:
    """The words of the sentences before and after those that the answer rests on."""
    found: set[str] = set()
    sentences = material.notes.sentences
    for sentence in material.sentences:
        if not sentence.refusal and material.support(sentence) >= WELL_PLACED:
            aligned = material.aligned(sentence)
            for number in aligned.closest[:1]:
                found |= material.titles[aligned.notes.note_of[number] - 1].terms
                for one in aligned.beside(number):
                    found |= sentences[one].terms
    return frozenset(found)


def wanted_terms(material: Material) -> frozenset[str]:
    """The content words of the question that an answer should deal with."""
    return material.question_terms - FRAMING - ASKING


def unanswered_terms(material: Material) -> frozenset[str]:
    """The wanted words that neither the answer nor the passages it rests on hold."""
    dealt_with: set[str] = set()
    for sentence in material.sentences:
        if sentence.refusal:
            continue
        dealt_with |= sentence.terms
        if is_result(sentence, material):
            dealt_with |= material.question_terms
        passage = material.closest(sentence)
        if passage and material.support(sentence) >= WELL_PLACED:
            dealt_with |= passage.terms
        aligned = material.aligned(sentence)
        # A claim may be a value alone, or a value or name in other words.
        if aligned.closest and (1 - aligned.gap >= WELL_PLACED or _is_borne(aligned, material)):
            bearing = material.note_sentences[aligned.closest[0]]
            dealt_with |= bearing.terms
            # 재택 of 재택근무.
            dealt_with |= {one for one in material.question_terms if _is_part(one, bearing.text)}
    return wanted_terms(material) - dealt_with


def _is_borne(aligned: Alignment, material: Material) -> bool:
    """Whether the closest sentence has a value or name of a claim that the question has not."""
    return any(
        aligned.holds(aligned.closest[0], position)
        and (
            (token.value is not None and not any(same(token.value, v) for v in asked))
            or (token.term in material.names and token.term not in material.asked.places)
        )
        for asked in (material.asked.held_values,)
        for position, token in enumerate(aligned.claim.tokens)
    )


def _is_part(term: str, text: str) -> bool:
    """Whether a Korean noun stands in a text, perhaps in a compound."""
    return len(term) > 1 and "가" <= term[0] <= "힣" and term[-1] != "다" and term in text


def speaks_another_language(material: Material) -> bool:
    """Whether the answer is in another language than the question."""
    answer = " ".join(sentence.claim for sentence in material.sentences)
    question = material.question
    if not any(map(str.isalpha, question)) or not any(map(str.isalpha, answer)):
        return False
    if is_third_language(answer):
        return not is_third_language(question)
    return detect_language(question) != material.answer_lang


# Shares of the question's words, 0 to 1, that a sentence of the notes must hold to answer it: where
# it gives the kind of thing that is asked, and where no kind can be seen; and to perhaps answer it.
ANSWERED, ANSWERED_WITHOUT_KIND, PERHAPS_ANSWERED = 0.7, 0.85, 0.45
NEXT_TO_IT, OF_OTHER_KIND = 0.6, 0.75


def answer_in_notes(material: Material) -> tuple[NoteSentence | None, bool]:
    """The sentence of the notes that answers the question, None where none seems to, and whether
    it surely does."""
    wanted = wanted_terms(material)
    if not wanted:
        return None, False
    kind = asked_kind(material.question)
    best, chosen, fitting = 0.0, None, False
    for number, sentence in enumerate(material.note_sentences):
        held = _held(number, wanted, material)
        fits = kind is None or gives(kind, sentence.analysis, material.asked)
        held *= 1 if fits else OF_OTHER_KIND
        if held > best:
            best, chosen, fitting = held, sentence, fits
    if best < PERHAPS_ANSWERED:
        return None, False
    return chosen, fitting and best >= (ANSWERED if kind else ANSWERED_WITHOUT_KIND)


def _held(number: int, wanted: frozenset[str], material: Material) -> float:
    """The weight of the wanted words, 0 to 1, that a sentence holds, with part of what its title
    and the sentences beside it hold."""
    notes = material.notes
    sentence = material.note_sentences[number]
    around = set(material.titles[sentence.note_index - 1].terms)
    for one in (number - 1, number + 1):
        if 0 <= one < len(notes.note_of) and notes.note_of[one] == notes.note_of[number]:
            around |= material.note_sentences[one].terms
    weights = {term: notes.weight(term) for term in wanted}
    held = sum(
        weight if term in sentence.terms else NEXT_TO_IT * weight if term in around else 0.0
        for term, weight in weights.items()
    )
    return held / sum(weights.values())
