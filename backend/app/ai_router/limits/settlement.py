"""What verdicts take of a model's limits: reserved before their calls, settled after them."""

from dataclasses import dataclass, field
from typing import NamedTuple

from app.ai_router.limits.model_limit import NO_LIMIT
from app.platform.setting_types import ModelLimit


class Taken(NamedTuple):
    """How many asks may go now, the seconds that the next one waits, and by what the estimates of
    their tokens were multiplied."""

    number: int
    wait: float
    ratio: float


@dataclass(slots=True)
class Settlement:
    """What a model's calls took, and what had been taken for the verdicts that have ended."""

    requests: float = 0
    tokens: float = 0
    estimated: float = 0
    used: float = 0
    calls: int = 0
    seconds: float = 0
    refused: bool = False
    rest: float = 0
    stated: ModelLimit = NO_LIMIT
    ended: list[tuple[str, int]] = field(default_factory=list)
