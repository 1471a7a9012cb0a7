"""Which member of an enumeration a claim is about: "Adults pay 12 euros, children 7".

What the members share is said once, so how near a word stands to a value tells little there. What
tells are the words that only one of two members has: the claim that has all of them is about it.
"""

import re
from collections.abc import Collection, Iterator

from app.judges.rules.analysis import VALUE, VERB, Analysis, Token
from app.judges.rules.numbers import UNITS
from app.judges.rules.vocabulary import FRAMING

_BREAK = re.compile(r"[,;\n]|\s(?:and|or|but|while|whereas)\s", re.IGNORECASE)


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
    member_of = members(sentence)
    if member_of[own] == member_of[rival]:
        return 0
    ours = _is_told(sentence, member_of, own, rival, matched, asked)
    theirs = _is_told(sentence, member_of, rival, own, matched, asked)
    return ours - theirs


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
