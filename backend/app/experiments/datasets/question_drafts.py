"""What the makers of offline questions hand over."""

from dataclasses import dataclass
from enum import IntEnum


class Naturalness(IntEnum):
    """How a draft was made, the most natural one highest; those are tried first."""

    BLANK_TERM = 1
    BLANK_NUMBER = 2
    OBJECT = 3
    LABEL = 4
    PLACE = 5
    NUMBER = 6


@dataclass(frozen=True, slots=True)
class Draft:
    """A question whose answer stands letter by letter in the sentence it was made of."""

    question: str
    answer: str
    naturalness: Naturalness


BLANK = "____"
