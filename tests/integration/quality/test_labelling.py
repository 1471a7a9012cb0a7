"""Answers given to people to label, one to each; what they say, and how far they agree."""

import asyncio
import uuid
from typing import Any

import pytest

from analytics_rows import put_verdict
from api_client import Api
from cases import for_each

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = ("correctness", "confidence", "verdict", "claims", "unsupported", "reasons")


async def put_answers(api: Api, count: int, **values: Any) -> None:
    """And draws all of them."""
    await put_doubtful(api, count, **values)
    drawn = await api.client.post(
        "/review/samples",
        json={"since": "2026-03-01T00:00:00Z", "until": "2026-03-04T00:00:00Z", "seed": 1},
    )
    assert drawn.status_code == 201, drawn.text


async def put_doubtful(api: Api, count: int, **values: Any) -> list[uuid.UUID]:
    """Their scores are at a threshold."""
    workspace_id = await api.world.workspace()
    scores = {"correctness": 0.8, "utility": 0.8, "confidence": "high"} | values
    return [await put_verdict(api.world, workspace_id, **scores) for _ in range(count)]


class Person:
    """Labels in a window of their own, as the page does: what is stored is no longer held."""

    def __init__(self, api: Api, name: str = "mina", **about: object) -> None:
        self._api = api
        self.name = name
        self.holder = str(uuid.uuid4())
        self.about: dict[str, Any] = about
        self.held: list[str] = []
        self.evaluations: dict[str, str] = {}

    async def ask(self, count: int = 2, **more: object) -> dict[str, Any]:
        body = {"holder": self.holder, "author": self.name, "count": count, "held": self.held}
        response = await self._api.client.post(
            "/review/reservations", json=body | self.about | more
        )
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        for item in found["items"]:
            self.evaluations[item["answer_id"]] = item["evaluation_id"]
            self.held.append(item["answer_id"])
        return found

    async def draw_answer_ids(self, count: int = 2) -> list[str]:
        return [item["answer_id"] for item in (await self.ask(count))["items"]]

    async def label(self, answer_id: str, label: str = "right") -> str:
        response = await self._api.client.post(
            f"/qa-evaluations/{self.evaluations[answer_id]}/feedback",
            json={"label": label, "author": self.name},
        )
        assert response.status_code == 200, response.text
        self.held.remove(answer_id)
        return str(response.json()["id"])

    async def undo(self, answer_id: str, feedback_id: str) -> None:
        path = f"/qa-evaluations/{self.evaluations[answer_id]}/feedback/{feedback_id}"
        assert (await self._api.client.delete(path)).status_code == 204
        self.held.append(answer_id)

    async def leave(self) -> None:
        response = await self._api.client.delete(
            "/review/reservations", params={"holder": self.holder}
        )
        assert response.status_code == 204


class TestWhatIsGiven:
    async def test_is_all_that_a_label_needs_and_nothing_of_the_verdict(self, api):
        answer = "변성은 95도입니다. [노트 1] 어닐링은 72도입니다."
        await put_answers(
            *(api, 1),
            answer={"answer": answer},
            sources=[{"note_index": 1, "title": "PCR", "content": "변성은 95도", "cited": True}],
            claims=["unsupported"],
        )

        found = await Person(api).ask()

        (item,) = found["items"]
        assert (found["author"], found["drawn"], found["remaining"]) == ("mina", 1, 1)
        assert (item["number"], item["answer"], item["lang"]) == (1, answer, "ko")
        assert item["notes"] == [
            {"note_index": 1, "note_id": None, "title": "PCR", "content": "변성은 95도"}
        ]
        sentences = [answer[one["start"] : one["end"]] for one in item["sentences"]]
        assert sentences == ["변성은 95도입니다. [노트 1]", "어닐링은 72도입니다."]
        assert item.pop("reasons") is None
        assert not [word for word in SECRET if word in str(item)]

    async def test_of_chosen_evaluations_are_their_answers_in_that_order(self, api):
        ids = [str(each) for each in await put_doubtful(api, 4)]
        chosen = [ids[2], ids[0], ids[3], str(uuid.uuid4())]
        mina, jun = (
            Person(api, name, source="chosen", evaluation_ids=chosen) for name in ("mina", "jun")
        )

        first = await mina.ask(2)
        beside = await jun.ask(3)
        await mina.label(mina.held[0])
        await mina.leave()
        later = await jun.ask(3)

        assert [item["evaluation_id"] for item in first["items"]] == [ids[2], ids[0]]
        assert (first["remaining"], first["drawn"]) == (3, None)
        # What mina has open is not given, but what she has labelled may get a second label.
        assert [item["evaluation_id"] for item in beside["items"]] == [ids[3]]
        assert ids[2] in [item["evaluation_id"] for item in later["items"]]
        assert (await mina.ask(0))["remaining"] == 2

    async def test_of_doubtful_verdicts_hints_at_them_only_where_that_is_asked_for(self, api):
        await put_doubtful(api, 3)
        await put_doubtful(api, 1, correctness=0.2)

        found = await Person(api, source="doubtful").ask()
        draw = await Person(api, "jun", source="doubtful", reasons=True).ask()

        assert [item["reasons"] for item in found["items"]] == [None, None]
        assert (found["remaining"], found["drawn"]) == (3, None)
        (item,) = draw["items"]
        assert [each["reason"] for each in item["reasons"]] == ["near_threshold"]
        assert item["number"] is None

    async def test_goes_on_from_what_is_held(self, api):
        await put_answers(api, 5)
        mina = Person(api)

        first, second = await mina.draw_answer_ids(2), await mina.draw_answer_ids(2)
        assert not {*first} & {*second}
        await mina.label(first[0])
        last = await mina.ask(2)

        assert [item["number"] for item in last["items"]] == [5]
        assert (last["remaining"], last["drawn"]) == (4, 5)
        assert await mina.draw_answer_ids() == []

    @for_each(
        "change", [{"source": "worst"}, {"count": -1}, {"count": 11}, {"holder": "me"}, {"x": 1}]
    )
    async def test_is_refused_where_it_makes_no_sense(self, api, change):
        body = {"holder": str(uuid.uuid4())} | change
        response = await api.client.post("/review/reservations", json=body)
        assert response.status_code == 422


class TestSeveralPeople:
    @pytest.mark.parametrize("source", ["drawn", "doubtful"])
    async def test_at_the_same_moment_get_different_answers(self, api, source):
        await put_answers(api, 8)
        people = [Person(api, f"person {n}", source=source) for n in range(4)]

        given = await asyncio.gather(*(person.draw_answer_ids(2) for person in people))

        assert len({id_ for ids in given for id_ in ids}) == 8

    async def test_with_one_token_do_too(self, api):
        await put_answers(api, 2)
        one, other = Person(api), Person(api)
        assert await one.draw_answer_ids(1) != await other.draw_answer_ids(1)

    async def test_get_what_the_other_has_left(self, api):
        await put_answers(api, 2)
        mina, jun = Person(api), Person(api, "jun")
        given = await mina.draw_answer_ids()
        assert await jun.draw_answer_ids() == []

        await mina.leave()

        assert await jun.draw_answer_ids() == given

    async def test_get_what_the_other_let_expire(self, api):
        await put_answers(api, 2)
        mina, jun = Person(api), Person(api, "jun")
        given = await mina.draw_answer_ids()
        await api.world.rows("UPDATE review_reservations SET expires_at = now()")

        assert await jun.draw_answer_ids(1) == given[:1]
        await mina.ask()  # renews what is still free, and takes nothing from the other
        (held,) = await api.world.rows(
            "SELECT answer_id FROM review_reservations WHERE holder = %s", mina.holder
        )
        assert str(held["answer_id"]) == given[1]

    async def test_keep_what_they_renew(self, api):
        await put_answers(api, 1)
        mina = Person(api)
        await mina.draw_answer_ids()
        (before,) = await api.world.rows("SELECT expires_at FROM review_reservations")

        await mina.ask()

        (after,) = await api.world.rows("SELECT expires_at FROM review_reservations")
        assert after["expires_at"] > before["expires_at"]
        assert await Person(api, "jun").draw_answer_ids() == []

    @pytest.mark.parametrize("source", ["drawn", "doubtful"])
    async def test_label_an_answer_twice_only_where_that_is_asked_for(self, api, source):
        await put_answers(api, 3)
        mina, jun = Person(api, source=source), Person(api, "jun", source=source)
        (first,) = await mina.draw_answer_ids(1)
        await mina.label(first)
        await mina.leave()

        assert first not in await jun.draw_answer_ids(10)
        jun.held.clear()
        again = await jun.ask(10, again=True)

        assert [item["answer_id"] for item in again["items"]] == [first]
        assert again["remaining"] == 1
        assert await Person(api, source=source, again=True).draw_answer_ids() == [], (
            "mina has labelled it"
        )

    async def test_may_take_a_label_back(self, api):
        await put_answers(api, 1)
        mina, jun = Person(api), Person(api, "jun")
        (one,) = await mina.draw_answer_ids()
        said = await mina.label(one)
        assert (await mina.ask())["remaining"] == 0

        await mina.undo(one, said)

        assert (await mina.ask())["remaining"] == 1
        assert await jun.draw_answer_ids() == [], "it is open again"

    async def test_lose_nothing_when_an_answer_is_deleted(self, api):
        await put_answers(api, 2)
        mina = Person(api)
        given = await mina.draw_answer_ids(1)
        assert (await api.client.delete(f"/answers/{given[0]}")).status_code == 204

        found = await mina.ask()

        assert [item["number"] for item in found["items"]] == [1]
        assert found["drawn"] == 1


async def test_people_agree_with_each_other_by_pairs(api):
    await put_answers(api, 12)
    labels = ["right", "partly", "wrong"] * 4
    for name, said in {"mina": labels, "jun": labels, "sol": ["right"] * 2}.items():
        person = Person(api, name, again=name != "mina")
        for answer_id, label in zip(await person.draw_answer_ids(10), said, strict=False):
            await person.label(answer_id, label)
        await person.leave()

    found = (await api.client.get("/review/agreement")).json()

    assert found["twice"] == 10
    compared = [
        (each["first"], each["second"], each["agreement"]["answers"], each["agreement"]["kappa"])
        for each in found["pairs"]
    ]
    assert compared == [("jun", "mina", 10, 1.0), ("jun", "sol", 2, None), ("mina", "sol", 2, None)]
    assert found["pairs"][1]["agreement"]["why"].startswith(
        "2 answers labelled by both are too few"
    )
