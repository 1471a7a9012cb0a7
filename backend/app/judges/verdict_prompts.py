"""The prompts of verdicts by version: shipped ones, and a workspace's own instructions.

A version is one that is shipped, or one of a workspace: the instructions of a shipped prompt for
one call in words of the workspace's own, named as in `workspace:strict@2`. Its text is in the
database; where only the name of one is at hand it is known to be a prompt for one call.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from app.ai_router.prompts.quoting import looks_like_control, prints
from app.ai_router.types import Lang
from app.judges.prompts.one_call import (
    MAX_EXAMPLES_BYTES,
    PLACEHOLDERS,
    SHORT,
    SMALL,
    USUAL,
    Example,
    OneCallPrompt,
    examples_text,
)
from app.platform.errors import InvalidRequest

# The shipped versions by name. Each asks for verdict, checklist and phases in one call.
ONE_CALL_PROMPTS: Mapping[str, OneCallPrompt] = {
    prompt.version: prompt for prompt in (USUAL, SHORT, SMALL)
}
DEFAULT_PROMPT = USUAL.version
VERDICT_PROMPTS: tuple[str, ...] = tuple(ONE_CALL_PROMPTS)

# Were choices of a policy once; rows that still name one, and instructions written for it, go with
# the version that is shipped in its place.
_SUCCESSORS: Mapping[str, str] = {
    **{f"search-qa-eval-{number}": DEFAULT_PROMPT for number in (1, 2, 3)},
    "search-qa-eval-4": SHORT.version,
}


def in_place_of(version: str) -> str:
    """The version that is shipped in the place of a retired one; any other is itself."""
    return _SUCCESSORS.get(version, version)


OF_WORKSPACE = "workspace:"
# Instructions of one language, in characters.
MAX_INSTRUCTIONS = 8_000


def is_of_workspace(version: str | None) -> bool:
    """Whether a version of a prompt, or of all that made a verdict, names one of a workspace."""
    return version is not None and OF_WORKSPACE in version


def is_known(version: str) -> bool:
    """Whether the version is shipped, or one of a workspace."""
    return version in ONE_CALL_PROMPTS or is_of_workspace(version)


def with_instructions(
    version: str, base: str, instructions: Mapping[Lang, str], examples: Sequence[Example] = ()
) -> OneCallPrompt | None:
    """The shipped prompt `base` in other words, with examples behind them; sections, form and all
    else of it stay. None where this release does not ship it any more."""
    shipped = ONE_CALL_PROMPTS.get(in_place_of(base))
    if shipped is None:
        return None
    system = {**shipped.system, **instructions}
    return shipped.with_texts(version, {"system": system}, examples_text(examples, version))


# Stands for a workspace's prompt whose text is not at hand: as long as one may be.
_MAX_TEXT_LENGTH = MAX_INSTRUCTIONS * "가" + "".join(PLACEHOLDERS) + MAX_EXAMPLES_BYTES * " "
_LONGEST = with_instructions(
    OF_WORKSPACE, DEFAULT_PROMPT, {"ko": _MAX_TEXT_LENGTH, "en": _MAX_TEXT_LENGTH}
)


def resolve_prompt(prompt: str | OneCallPrompt | None) -> OneCallPrompt:
    """The prompt of a version: the default one for None and for one that this release lacks. A
    workspace's version whose text is not at hand comes as long as one may be: for estimates, not
    to be asked by."""
    if isinstance(prompt, OneCallPrompt):
        return prompt
    if is_of_workspace(prompt):
        assert _LONGEST is not None, "the default prompt is shipped"
        return _LONGEST
    shipped = in_place_of(prompt or DEFAULT_PROMPT)
    return ONE_CALL_PROMPTS.get(shipped, ONE_CALL_PROMPTS[DEFAULT_PROMPT])


_LIKE_A_PLACEHOLDER = re.compile(r"\{\s*+\w*+\s*+\}")
_NAMES: Mapping[Lang, tuple[str, str]] = {"ko": ("Korean", "한국어"), "en": ("English", "영어")}


@dataclass(frozen=True, slots=True)
class Instructions:
    """The instructions of a prompt: those of the shipped `base` in other words. A language that
    `texts` leaves out has the shipped ones."""

    base: str
    texts: Mapping[Lang, str]

    @classmethod
    def checked(cls, base: str, texts: Mapping[Lang, str]) -> Self:
        """Raises InvalidRequest with what is wrong with them."""
        if base not in ONE_CALL_PROMPTS:
            known = ", ".join(ONE_CALL_PROMPTS)
            raise InvalidRequest.worded("no-instructions-for-prompt", base=base, known=known)
        for lang, text in texts.items():
            _check(lang, text)
        return cls(base, texts)

    def prompt(self, version: str, examples: Sequence[Example] = ()) -> OneCallPrompt:
        found = with_instructions(version, self.base, self.texts, examples)
        assert found is not None, "the base is a shipped one"
        return found


def _check(lang: Lang, text: str) -> None:
    name, ko = _NAMES[lang]
    for wanted in PLACEHOLDERS:
        if (count := text.count(wanted)) != 1:
            raise InvalidRequest.worded(
                "instructions-placeholder-count", name=name, ko=ko, wanted=wanted, count=count
            )
    for found in _LIKE_A_PLACEHOLDER.findall(text):
        if found not in PLACEHOLDERS:
            known = ", ".join(PLACEHOLDERS)
            raise InvalidRequest.worded(
                "instructions-unknown-placeholder", name=name, ko=ko, found=found, known=known
            )
    if len(text) > MAX_INSTRUCTIONS:
        raise InvalidRequest.worded(
            "instructions-too-long", name=name, ko=ko, chars=len(text), most=MAX_INSTRUCTIONS
        )
    if not prints(text):
        raise InvalidRequest.worded("instructions-not-plain", name=name, ko=ko)
    if looks_like_control(text):
        raise InvalidRequest.worded("instructions-with-control", name=name, ko=ko)
