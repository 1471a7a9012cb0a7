"""Which waiting call a free child process takes."""

from collections.abc import Sequence

import pytest

from app.platform.processes import turns
from app.platform.processes.turns import BUDGET_WINDOW_SECONDS, Share, Turns, Waiting

SHORT, LONG = False, True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(turns, "monotonic", lambda: now[0])
    return now


def waiting(owner: str, *, long: bool = SHORT) -> Waiting:
    return Waiting(lambda: None, Share(owner, long))


def owners(calls: Sequence[Waiting | None]) -> list[object]:
    return [call and call.share.owner for call in calls]


def test_workspaces_are_served_in_turn():
    served = Turns(children=2)
    for owner in ("hog", "hog", "hog", "b", "c"):
        served.add(waiting(owner))
    assert owners([served.take() for _ in range(6)]) == ["hog", "b", "c", "hog", "hog", None]


def test_one_child_is_kept_for_short_texts():
    served = Turns(children=3)
    for _ in range(4):
        served.add(waiting("hog", long=LONG))
    first, second, none = served.take(), served.take(), served.take()
    assert owners([first, second, none]) == ["hog", "hog", None]
    served.add(waiting("short"))
    assert owners([served.take()]) == ["short"]
    assert first
    served.end(first, 1)
    assert owners([served.take(), served.take()]) == ["hog", None]


def test_who_has_used_its_budget_comes_after_the_others_until_the_window_has_passed(clock):
    served = Turns(children=2)
    served.add(waiting("hog"))
    used = served.take()
    assert used
    served.end(used, 40)  # of 2 children * 60 s / 4
    for owner in ("hog", "other", "other"):
        served.add(waiting(owner))
    assert owners([served.take() for _ in range(3)]) == ["other", "other", "hog"]

    clock[0] += BUDGET_WINDOW_SECONDS
    for owner in ("hog", "other"):
        served.add(waiting(owner))
    assert owners([served.take(), served.take()]) == ["hog", "other"]


def test_a_call_that_a_child_has_is_not_withdrawn():
    served = Turns(children=1)
    first, second = waiting("a"), waiting("a")
    served.add(first)
    served.add(second)
    assert served.take() is first
    assert (served.withdraw(first), served.withdraw(second)) == (False, True)
    assert served.take() is None
