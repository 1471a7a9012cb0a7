"""A row's place in flight."""

from typing import TYPE_CHECKING

from worker.allowances import Grant
from worker.claims_ahead import Waiter
from worker.places import Group

if TYPE_CHECKING:
    from worker.admission import Admission


class Place:
    """A place in flight until `leave`, with what was reserved of its judge's limits. waiter: of a
    row that may be claimed ahead of it."""

    def __init__(
        self,
        admission: "Admission",
        group: Group | None,
        grant: Grant | None = None,
        waiter: Waiter | None = None,
    ) -> None:
        self._admission = admission
        self._group = group
        self._grant = grant
        self._waiter = waiter

    async def begin(self) -> bool:
        """Waits until the claimed row may be judged. False when it has to go back: its lease is
        needed for the call, or the process stops."""
        if self._waiter is None or self._group is None:
            return True
        return await self._admission.turn(self._group, self._waiter)

    def belongs_to(self, group: Group) -> bool:
        """Known for certain once the row is claimed. False for a row that was let in without a
        look and should have waited for an allowance: it goes back."""
        overlooked = self._group is None and self._admission.is_limited(group.judge_model)
        if group != self._group:
            self._admission.occupy(group)
            self._admission.vacate(self._group)
            self._group = group
        if self._grant and self._grant.model != group.judge_model:
            self._end_grant()
        return not overlooked

    def leave(self) -> None:
        self._end_grant()
        if (
            self._waiter
            and self._group
            and not self._admission.has_place(self._group, self._waiter)
        ):
            return
        self._admission.vacate(self._group)

    def _end_grant(self) -> None:
        if self._grant:
            self._grant.end()
            self._grant = None
