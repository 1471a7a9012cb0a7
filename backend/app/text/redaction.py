"""Replaces personal data in texts by marks: e-mail addresses, phone numbers, Korean resident
registration numbers, and what a workspace's own pattern finds.

A mark is a kind and five digits by a keyed hash of the value, `[email 48213]`: the same value has
the same mark in an answer and its notes, so that both can be compared, and another one another but
for one in 90,000. What is redacted already stays as it is. Work is linear: own patterns are RE2's
(Cox 2010), which knows no backtracking.
"""

import datetime as dt
import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from app.text.language import NOTE_MARK

EMAIL, PHONE, RESIDENT, OWN = "email", "phone", "resident number", "private"
MAX_PATTERN_CHARS = 1_000
# Instructions of RE2; each may cost a step for each character.
MAX_PATTERN_SIZE = 1_000
# Of a named group: each mark repeats it.
MAX_KIND_CHARS = 40
# Ordinary sentences: a pattern that covers half of one would leave nothing to be judged.
_ORDINARY = (
    "환불은 신청한 날부터 평일 기준 7일 안에 처리합니다.",
    "Refunds take seven working days.",
)

_EMAIL = re.compile(
    r"(?:(?<![A-Za-zÀ-ɏ0-9._%+'-])[A-Za-zÀ-ɏ0-9._%+'-]{1,64}|(?<![가-힣])[가-힣]{1,20})(?:@|%40)"
    r"(?:[\w-]{1,63}\.){1,8}(?:[A-Za-z]{2,24}|한국)"
)
_RESIDENT = re.compile(r"(?<!\d)(\d{6})(\s?-\s?)?([1-8])(\d{6}|\*{6})(?!\d)")
_PHONE = re.compile(
    r"(?<![\d+])(?<!\d\.)(?:"
    # Of Korea, with or without its country code.
    r"(?:(?:\+|00)82[-. ]?(?:\(0\)|0)?|\(?0)(?:2|[3-6][1-5]|1[016-9]|70|50\d?|80)"
    r"(?:\)[-. ]?|(?: - |[-. ])?)\d{3,4}(?: - |[-. ])?\d{4}"
    r"|82[-. ]1[016-9][-. ]?\d{3,4}[-. ]?\d{4}"
    r"|(?:\+|00)[1-9](?:(?:[-. ]|\)[-. ]?|[-. ]?\()?\d){6,14}"
    # Of North America without it.
    r"|(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])\d{3}[-.]\d{4}"
    r")(?!\d)"
)
_NOTE_MARK = re.compile(NOTE_MARK)
_MARK = re.compile(rf"\[([^\[\]]{{1,{MAX_KIND_CHARS}}}) \d{{5}}\]")
# Documents of Korea write digits, dashes and dots in several widths; one character stays one.
_PLAIN = str.maketrans("０１２３４５６７８９＠．＋（）－‐‑–—−", "0123456789@.+()------")
_NO_VALUE = "a@a.com"
_NO_DIGIT = re.compile(r"\D+")
_SINCE_UNCHECKED = dt.date(2020, 10, 5)
_WEIGHTS = (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)


class _Found(NamedTuple):
    start: int
    end: int
    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Redactor:
    """key: of the workspace. pattern: its own, for RE2, or None; a named group names its marks."""

    key: bytes
    pattern: str | None = None

    def redact(self, text: str) -> str:
        """The text with marks. What was redacted before has marks already, which stay."""
        own = _compiled(self.pattern) if self.pattern else None
        kinds = {EMAIL, PHONE, RESIDENT, *_kinds(own)}
        parts, end = [], 0
        for mark in _MARK.finditer(text):
            if mark[1] in kinds:
                parts += [self._piece(text[end : mark.start()], own), mark[0]]
                end = mark.end()
        return "".join([*parts, self._piece(text[end:], own)])

    def optional(self, text: str | None) -> str | None:
        """None stays None."""
        return None if text is None else self.redact(text)

    def values(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """A JSON object with marks in its names, texts and whole numbers, also of lists."""
        return {self.redact(name): self._value(value) for name, value in given.items()}

    def _value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return self.values(value)
        if isinstance(value, list | tuple):
            return [self._value(each) for each in value]
        if isinstance(value, int) and not isinstance(value, bool):
            found = self.redact(str(value))
            return value if found == str(value) else found
        return self.redact(value) if isinstance(value, str) else value

    def _piece(self, text: str, own: Any) -> str:
        parts, end = [], 0
        plain = text.translate(_PLAIN) if not text.isascii() else text
        for found in _merged(text, [*_personal(plain), *_own(text, own)]):
            parts += [text[end : found.start], self._mark(found)]
            end = found.end
        return "".join([*parts, text[end:]]) if parts else text

    def _mark(self, found: _Found) -> str:
        digest = hmac.digest(self.key, f"{found.kind}\0{found.value}".encode(), hashlib.sha256)
        return f"[{found.kind} {10_000 + int.from_bytes(digest[:8]) % 90_000}]"


def marks_of(text: str) -> frozenset[str]:
    return frozenset(mark[0] for mark in _MARK.finditer(text))


def without_marks_of(text: str, marks: frozenset[str]) -> str:
    """With a token without a value in the place of these marks."""
    if not marks:
        return text
    return _MARK.sub(lambda mark: _NO_VALUE if mark[0] in marks else mark[0], text)


class BadPattern(ValueError):
    """A pattern that is not accepted. reason: `broken`, `too-large`, `too-broad`."""

    def __init__(self, reason: str, problem: str = "") -> None:
        super().__init__(problem or reason)
        self.reason = reason


def check_pattern(pattern: str) -> None:
    """Raises BadPattern for what RE2 does not accept, such as look-around, for what would be slow
    and for what finds the empty text or most of an ordinary sentence."""
    import re2  # type: ignore[import-untyped]

    try:
        compiled = _compiled(pattern)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        problem = said.decode(errors="replace") if isinstance(said, bytes) else str(said)
        reason = "too-large" if "too large" in problem else "broken"
        raise BadPattern(reason, problem) from None
    long = any(len(name) > MAX_KIND_CHARS for name in compiled.groupindex)
    if long or compiled.programsize > MAX_PATTERN_SIZE:
        raise BadPattern("too-large")
    if compiled.search("") is not None:
        raise BadPattern("too-broad")
    for text in _ORDINARY:
        if sum(found.end - found.start for found in _own(text, compiled)) > len(text) / 2:
            raise BadPattern("too-broad")


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> Any:
    # Only workspaces with a pattern pay for the import.
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 4 << 20
    return re2.compile(pattern, options)


def _kinds(own: Any) -> Iterator[str]:
    if own is not None:
        yield OWN
        yield from map(_kind, own.groupindex)


def _kind(name: str | None) -> str:
    """Of a group; none reads like the mark of a note, whose number the answer would cite."""
    kind = (name or OWN).replace("_", " ")
    return OWN if _NOTE_MARK.fullmatch(f"[{kind} 10000]") else kind


def _own(text: str, own: Any) -> Iterator[_Found]:
    if own is None:
        return
    for match in own.finditer(text):
        if match.end() > match.start():
            yield _Found(match.start(), match.end(), _kind(match.lastgroup), match.group())


def _personal(text: str) -> Iterator[_Found]:
    """text: with plain digits and dashes."""
    if "@" in text or "%40" in text:
        for match in _EMAIL.finditer(text):
            value = match.group().lower().replace("%40", "@")
            yield _Found(*match.span(), EMAIL, value)
    for match in _RESIDENT.finditer(text):
        if _is_resident(*match.groups()):
            yield _Found(*match.span(), RESIDENT, _NO_DIGIT.sub("", match.group()))
    for match in _PHONE.finditer(text):
        yield _Found(*match.span(), PHONE, _national(match.group()))


def _national(number: str) -> str:
    """The digits of a phone number, of Korea and North America as they are dialled there."""
    digits = _NO_DIGIT.sub("", number.replace("(0)", ""))
    abroad = number[0] == "+" or number[:3] in {"82-", "82.", "82 "}
    if number.startswith("00"):
        digits, abroad = digits[2:], True
    if abroad and digits.startswith("82"):
        return "0" + digits[2:].lstrip("0")
    return digits[1:] if abroad and digits.startswith("1") else digits


def _is_resident(born: str, dash: str | None, sex: str, rest: str) -> bool:
    """Six digits of the date of birth, then sex and century. The last digit checks the others
    (weights of 주민등록법 시행규칙) but in numbers that were given since 5 October 2020; where a
    dash is written the date does."""
    century = 1900 if sex in "1256" else 2000
    try:
        date = dt.date(century + int(born[:2]), int(born[2:4]), int(born[4:]))
    except ValueError:
        return False
    if dash or "*" in rest or date >= _SINCE_UNCHECKED:
        return True
    digits = [int(digit) for digit in born + sex + rest]
    total = sum(weight * digit for weight, digit in zip(_WEIGHTS, digits, strict=False))
    # Of foreigners it is two more.
    return digits[12] in {(11 - total % 11) % 10, (13 - total % 11) % 10}


def _merged(text: str, found: list[_Found]) -> Iterator[_Found]:
    """In order; what overlaps is one, of the kind that begins first."""
    last: _Found | None = None
    for each in sorted(found, key=lambda one: (one.start, -one.end)):
        if last is None or each.start >= last.end:
            if last is not None:
                yield last
            last = each
        elif each.end > last.end:
            last = _Found(last.start, each.end, last.kind, text[last.start : each.end])
    if last is not None:
        yield last
