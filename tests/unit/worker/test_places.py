"""How places in flight are shared between judges and workspaces."""

import uuid

from cases import for_each
from worker.places import Group, Places

SLOW, QUICK = "openai:slow", "openai:quick"


def group(judge: str = SLOW) -> Group:
    return Group(judge, uuid.uuid4())


def fill(places: Places, *groups: Group) -> list[int]:
    """Takes turns until nobody may take another place. Returns how many each has taken."""
    taken = dict.fromkeys(groups, 0)
    while takers := [one for one in groups if places.has_room_for(one)]:
        for one in takers:
            if places.has_room_for(one):
                places.take(one)
                taken[one] += 1
    return list(taken.values())


@for_each("most", [1, 2, 7, 256, 1024])
def test_one_workspace_alone_gets_what_the_setting_says_and_leaves_room(most):
    places = Places(most)
    assert fill(places, group()) == [most]
    assert places.has_room_for(group(QUICK))
    assert places.capacity == most + max(1, round(most * 17 / 64 + 0.49))


@for_each(("workspaces", "judge"), [(1, SLOW), (20, QUICK)])
def test_another_workspace_or_judge_still_has_room(workspaces, judge):
    places = Places(1024)
    fill(places, *(group() for _ in range(workspaces)))
    assert fill(places, group(judge))[0] > 50


def test_two_that_hang_hold_the_same_and_leave_room():
    places = Places(1024)
    one, other = fill(places, group("openai:a"), group("openai:b"))
    assert abs(one - other) <= 1
    assert one > 1024 // 2
    assert places.has_room_for(group(QUICK))


def test_freed_places_can_be_taken_again():
    places, hog, late = Places(64), group(), group()
    fill(places, hog)
    held = fill(places, late)[0]
    assert not places.has_room_for(hog)
    for _ in range(held):
        places.leave(late)
    places.leave(hog)
    assert places.has_room_for(hog)
    assert fill(places, hog) == [1]


def test_rows_that_nobody_has_seen_are_let_in_only_where_anyone_would_be():
    places = Places(1024)
    unseen = 0
    while places.has_room_for_anyone():
        places.reserve_unknown()
        unseen += 1
    assert unseen == 1024
    for _ in range(unseen):
        places.release_unknown()
    fill(places, group())
    assert not places.has_room_for_anyone(), "they could be of the workspace that has its share"
    assert places.has_room_for(group(QUICK))
