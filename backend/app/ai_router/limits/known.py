"""What one process knows of a model's limits, and keeps to by itself while Redis is away."""

from dataclasses import dataclass, field

from app.ai_router.limits.gcra import Gcra
from app.ai_router.limits.model_limit import NO_LIMIT, lower, share
from app.platform.setting_types import ModelLimit


@dataclass(slots=True)
class Known:
    """is_new: nothing yet; stated: by the last reply; limit: of requests and tokens, as all workers
    share it; workers: that ask for the model; ratio: what estimates of tokens are multiplied by."""

    is_new: bool = False
    stated: ModelLimit = NO_LIMIT
    limit: ModelLimit = NO_LIMIT
    workers: int = 1
    allowance: float = 1.0
    ratio: float = 1.0
    _alone: Gcra | None = field(default=None, init=False)
    _alone_for: tuple[ModelLimit, int] | None = field(default=None, init=False)

    def alone(self, configured: ModelLimit) -> Gcra:
        """This worker's part."""
        limit = lower(lower(configured, self.limit), self.stated)
        reduced = ModelLimit(
            limit.requests and max(1, int(limit.requests * self.allowance)),
            limit.tokens and max(1, int(limit.tokens * self.allowance)),
            limit.in_flight,
        )
        part = reduced, self.workers
        if self._alone is None or self._alone_for != part:
            self._alone = Gcra(share(*part), is_new=self.is_new)
            self._alone_for = part
        return self._alone

    def share_again(self) -> None:
        """Redis is back."""
        self._alone = self._alone_for = None
