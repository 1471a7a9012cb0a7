"""Which member of an enumeration a claim is about: "Adults pay 12 euros, children 7".

What the members share is said once, so how near a word stands to a value tells little there. What
tells are the words that only one of two members has: the claim that has all of them is about it.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from app.judges.rules.analysis import VALUE, VERB, Analysis, Token
from app.judges.rules.numbers import UNITS
from app.judges.rules.values import Value, same
from app.judges.rules.vocabulary import ASKING, FRAMING, is_negated, opposites

_BREAK = re.compile(r"[,;\n]| / |\s(?:and|or|but|while|whereas)\s", re.IGNORECASE)


def members(sentence: Analysis) -> list[int]:
    """By token the number of its member, from 0: a part between commas and conjunctions with a
    value of its own. What has none belongs to the next that has one, at the end to the last."""
    found: list[int] = []
    member, complete, acts, end = 0, False, False, 0
    for place, token in enumerate(sentence.tokens):
        begins = token.turn or acts or _BREAK.search(sentence.text, end, token.start) is not None
        if begins and complete and _has_value_from(sentence, place):
            member, complete = member + 1, False
        complete = complete or token.kind == VALUE
        # A Korean clause ends with its verb: "5일에 시작해 30일에 끝난다".
        acts = sentence.is_korean and token.kind == VERB
        end = token.value.end if token.value is not None else token.start
        found.append(member)
    return found


def _has_value_from(sentence: Analysis, place: int) -> bool:
    return bool(sentence.values) and sentence.values[-1] >= place


def favoured(
    sentence: Analysis, own: int, rival: int, matched: Collection[int], asked: Collection[str]
) -> int:
    """1 where a claim is about the member that has the place `own`, -1 where it is about that of
    `rival`, 0 where both are one or it cannot be told.

    matched: the places of the sentence that the claim has; asked: words of the question that count
    as said.
    """
    pairs = _respective(sentence)
    if own in pairs and rival in pairs:
        said = {
            place: one in matched or sentence.tokens[one].term in asked
            for place, one in pairs.items()
        }
        return said[own] - said[rival]
    member_of = members(sentence)
    if member_of[own] == member_of[rival]:
        return 0
    named = [_other_value(sentence, member_of, place) for place in (own, rival)]
    if named[0] is not None and named[1] is not None:
        return (named[0] in matched) - (named[1] in matched)
    ours = _is_told(sentence, member_of, own, rival, matched, asked)
    theirs = _is_told(sentence, member_of, rival, own, matched, asked)
    return ours - theirs


def _other_value(sentence: Analysis, member_of: list[int], place: int) -> int | None:
    """The other value of a member of two and, but for the first, no word: "10회 60만 원"."""
    places = list(_places(member_of, place))
    values = [n for n in places if sentence.tokens[n].kind == VALUE]
    if len(values) != 2 or (len(places) > 2 and member_of[place] > 0):
        return None
    return values[0] + values[1] - place


_RESPECTIVELY = re.compile(r"각각|\brespectively\b", re.IGNORECASE)
_LISTED = re.compile(r"[,·/] ?|(?<=[가-힣])(?:와|과|랑|하고) | 및 | and ", re.IGNORECASE)


def _respective(sentence: Analysis) -> dict[int, int]:
    """By place of a value that of the thing that has it: "서울과 부산은 각각 3점과 5점", "Kim and
    Lee get 3 and 5 days respectively"."""
    if not _RESPECTIVELY.search(sentence.text):
        return {}
    tokens = sentence.tokens
    run: list[int] = []
    for place in reversed(sentence.values):
        # A unit may stand between two.
        if run and place < run[0] - 2:
            break
        run.insert(0, place)
    start = tokens[run[0]].start if run else 0
    ends = [match.start() for match in _LISTED.finditer(sentence.text, 0, start)]
    limits = [*ends, start][-len(run) :] if run else []
    if len(run) < 2 or len(ends) + 1 < len(run):
        return {}
    begin = ends[-len(run)] if len(ends) >= len(run) else -1
    items = []
    for end in limits:
        items.append([n for n in range(run[0]) if begin < tokens[n].start < end])
        begin = end
    if not all(items):
        return {}
    others = {tokens[n].term for item in items[1:] for n in item}
    # Before the first thing other words may stand, after the others.
    own = [n for n in items[0] if tokens[n].term not in others]
    return dict(zip(run, [*own[-1:], *(item[0] for item in items[1:])], strict=True)) if own else {}


def part_asked_about(sentence: Analysis, question: Analysis, claim: Analysis) -> list[str]:
    """The part of a sentence, between commas and clauses, that the question names, where each part
    begins with a day or has a subject and the claim has words of another part only; and what it
    has in the role of one of these."""
    if len(set(sentence.parts)) < 2:
        return []
    named = _parts_with(sentence, question, question)
    claimed = _parts_with(sentence, claim, question, own=True)
    tokens = list(zip(sentence.tokens, sentence.parts, strict=True))
    if len(named) > 1:
        # "Vaccines are kept in the fridge, syringes in the drawer": both are kept.
        named = {
            part
            for n, (one, part) in enumerate(tokens)
            if _begins(n, tokens) and _has(question, one)
        }
    if len(named) != 1 or not claimed or named & claimed:
        return []
    dated = {part for n, (one, part) in enumerate(tokens) if _is_day(one) and _begins(n, tokens)}
    with_subject = {part for one, part in tokens if one.role in ("topic", "who")}
    if not sentence.is_korean:
        begun = {
            part for n, (one, part) in enumerate(tokens) if not one.role and _begins(n, tokens)
        }
        with_subject = {part for part in begun if sentence.parts.count(part) > 1}
    if not any(named | claimed <= alike for alike in (dated, with_subject)):
        return []
    part = named.pop()
    own = {(t.role, t.kind != VERB) for t in claim.tokens if t.role and not _has(question, t)}
    rivals = [
        t.term
        for t, one in tokens
        if one == part
        and (t.role, t.kind != VERB) in own
        and not (_has(claim, t) or _has(question, t))
    ]
    if any(_is_often(t) for t in claim.tokens if not _has(question, t)):
        rivals += [
            t.term for t, one in tokens if one == part and _is_often(t) and not _has(claim, t)
        ]
    # What begins an English part need not be its subject.
    if not (rivals or sentence.is_korean or part in dated):
        return []
    return [_text_of_part(sentence, part), *rivals][:2]


_OFTEN = re.compile(
    r"매.|격주|날마다|everi|(?:hour|dai|night|week|fortnight|month|quarter|year|annual)l?i?|once"
)


def _is_often(token: Token) -> bool:
    """Whether a word or span says how often, as "매주", "monthly" and "석 달"."""
    if token.value is not None:
        return token.value.kind in ("s", "mo", "times", "share", "weekday")
    return _OFTEN.fullmatch(token.term) is not None


def _begins(place: int, tokens: Sequence[tuple[Token, int]]) -> bool:
    return place == 0 or tokens[place - 1][1] != tokens[place][1]


def turned_part(claim: Analysis, note: Analysis) -> str:
    """What a part of a claim says where the part of the note that has its other words says the
    opposite, or denies what it says of the same subject: "water included, gas extra"; else ""."""
    if max(len(claim.tokens), len(note.tokens)) > MAX_TOKENS:
        return ""
    for part in sorted(set(claim.parts)):
        tokens = [t for t, one in zip(claim.tokens, claim.parts, strict=True) if one == part]
        home = _home(tokens, note)
        if home is None:
            continue
        theirs = [t for t, one in zip(note.tokens, note.parts, strict=True) if one == home]
        terms = {token.term for token in theirs}
        for token in tokens:
            if token.term not in terms and (turned := opposites(token.term) & terms):
                return f"{token.term} ↔ {min(turned)}"
        several = note.parts[0] != note.parts[-1]
        if several and _subject(tokens) & _subject(theirs):
            ours, noted = _text_of_part(claim, part), _text_of_part(note, home)
            if is_negated(ours) != is_negated(noted):
                return f"{ours} ↔ {noted}"
    return ""


# Tokens of a sentence of which the parts are compared.
MAX_TOKENS = 40


def _home(tokens: Sequence[Token], note: Analysis) -> int | None:
    """The one part of a note that holds most of some words, which no other holds as many of."""
    held: dict[int, int] = {}
    for token in tokens:
        if token.value is None and token.kind != VERB and token.term not in FRAMING:
            for place in note.places.get(token.term, ()):
                part = note.parts[place]
                held[part] = held.get(part, 0) + 1
    most = max(held.values(), default=0)
    best = [part for part, count in held.items() if count == most]
    return best[0] if len(best) == 1 else None


def _subject(tokens: Sequence[Token]) -> set[str]:
    return {token.term for token in tokens if token.role in ("topic", "who")}


def line_asked_about(
    sentences: Sequence[Analysis], question: Analysis, claim: Analysis
) -> Analysis | None:
    """The sentence that begins with the day that the question names, where a claim has words of
    others only, of which one begins with another day; else None."""
    heads = [(one, day) for one in sentences if (day := _day_at_start(one)) is not None]
    asked = [value for value in question.held_values if value.kind in _DAYS]
    named = [one for one, day in heads if any(same(day, value) for value in asked)]
    if len(named) != 1:
        return None
    own = [t for t in claim.tokens if t.kind != VERB and not _has(question, t)]
    telling = [t for t in own if t.term not in FRAMING and t.term not in ASKING]
    if not telling or any(_has(named[0], token) for token in telling):
        return None
    others = (one for one, _ in heads if one is not named[0])
    return named[0] if any(_has(one, t) for one in others for t in telling) else None


_DAYS = frozenset({"date", "weekday"})
# Tokens before the day that a line is about.
_FIRST = 2


def _is_day(token: Token) -> bool:
    return token.value is not None and token.value.kind in _DAYS


def _day_at_start(sentence: Analysis) -> Value | None:
    return next((one.value for one in sentence.tokens[:_FIRST] if _is_day(one)), None)


def _parts_with(
    sentence: Analysis, text: Analysis, question: Analysis, *, own: bool = False
) -> set[int]:
    """The parts of a sentence that have words or values of a text which stand in no other part.
    own: only what the question lacks."""
    found: dict[str, set[int]] = {}
    for token, part in zip(sentence.tokens, sentence.parts, strict=True):
        if token.kind == VERB or token.term in FRAMING or token.term in ASKING:
            continue
        if own and _has(question, token):
            continue
        if _has(text, token):
            found.setdefault(token.term, set()).add(part)
    return {part for parts in found.values() if len(parts) == 1 for part in parts}


def _has(text: Analysis, token: Token) -> bool:
    if token.value is not None:
        return any(same(token.value, one) for one in text.held_values)
    return token.term in text.places


def _text_of_part(sentence: Analysis, part: int) -> str:
    places = [n for n, one in enumerate(sentence.parts) if one == part]
    after = places[-1] + 1
    end = sentence.tokens[after].start if after < len(sentence.tokens) else len(sentence.text)
    return sentence.text[sentence.tokens[places[0]].start : end].strip(" ,.;")


def _is_told(
    sentence: Analysis,
    member_of: list[int],
    here: int,
    there: int,
    matched: Collection[int],
    asked: Collection[str],
) -> bool:
    """Whether all words are said that the member with the place `here` has and the other has not,
    at least one."""
    tokens = sentence.tokens
    other = {tokens[n].term for n in _places(member_of, there)} | FRAMING
    # A figure is named by dates and words, not by another figure of its member.
    figure = _is_measured(tokens[here])
    distinct = [
        n
        for n in _places(member_of, here)
        if n != here and tokens[n].term not in other and not (figure and _is_measured(tokens[n]))
    ]
    return bool(distinct) and all(n in matched or tokens[n].term in asked for n in distinct)


def _is_measured(token: Token) -> bool:
    return token.value is not None and token.value.kind in UNITS


def _places(member_of: list[int], place: int) -> Iterator[int]:
    return (n for n, member in enumerate(member_of) if member == member_of[place])
