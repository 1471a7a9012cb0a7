"""What people say of answers and claims, and how far the judge agrees."""

import asyncio
import uuid
from decimal import Decimal
from typing import Any

import httpx
import pytest

from api_client import Api, json_of
from app.platform.db.session import in_workspace
from app.quality.review.feedback import LabelledAnswer, labelled_answers
from app.verdicts.lifecycle.outcome import Failure
from app.verdicts.lifecycle.service import NewEvaluation
from app.workspaces.service import ensure_workspace
from cases import for_each
from verdict_world import CLAIMS, claims, judged, store_answers

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def give_feedback(api: Api, new: NewEvaluation, label: str, **more: object) -> httpx.Response:
    body = {"label": label, **more}
    return await api.client.post(f"/qa-evaluations/{new.evaluation_id}/feedback", json=body)


async def list_feedback(api: Api, new: NewEvaluation) -> list[dict[str, Any]]:
    return await json_of(api.client.get(f"/qa-evaluations/{new.evaluation_id}/feedback"))


async def judged_again(api: Api, new: NewEvaluation) -> NewEvaluation:
    """By another model: the verdict that counts now."""
    again = uuid.uuid4()
    await api.world.rows(
        "UPDATE qa_evaluations SET is_current = false WHERE id = %s", new.evaluation_id
    )
    await api.world.rows(
        "INSERT INTO qa_evaluations (id, workspace_id, answer_id, judge_key, evaluators,"
        " judge_model, status, correctness, utility, confidence, summary)"
        " SELECT %s, workspace_id, answer_id, 'other', evaluators, 'anthropic:other', status, 0.1,"
        " utility, 'low', summary FROM qa_evaluations WHERE id = %s",
        *(again, new.evaluation_id),
    )
    return NewEvaluation(new.answer_id, again, "succeeded", None)


class TestSaying:
    async def test_is_stored_under_the_name_of_the_token(self, api):
        new = await judged(api.world)

        response = await give_feedback(
            api, new, "wrong", utility_label="useless", comment=" 72도는 없음 "
        )

        assert response.status_code == 200
        (stored,) = await list_feedback(api, new)
        assert stored == response.json()
        assert stored["answer_id"] == str(new.answer_id)
        del stored["id"], stored["created_at"], stored["updated_at"], stored["answer_id"]
        assert stored == {
            "evaluation_id": str(new.evaluation_id),
            "claim_position": None,
            "label": "wrong",
            "utility_label": "useless",
            "comment": "72도는 없음",
            "author": "test",
        }

    async def test_a_label_is_its_authors_and_past_ones_are_kept(self, api):
        new = await judged(api.world)
        path = f"/qa-evaluations/{new.evaluation_id}/feedback"
        alice = await api.as_token(scopes=["write"], name="alice")
        mallory = await api.as_token(scopes=["write"], name="mallory")
        label = (await alice.post(path, json={"label": "wrong"})).json()
        assert label["author"] == "alice"

        for author in ("alice", "rater 1", "rater 2"):
            forged = await mallory.post(path, json={"label": "right", "author": author})
            assert (forged.status_code, forged.json()["type"].rpartition(":")[2]) == (
                403,
                "not-your-label",
            )
        assert (await mallory.delete(f"{path}/{label['id']}")).status_code == 403
        own = {"label": "right", "author": "mallory"}
        assert (await mallory.post(path, json=own)).status_code == 200
        assert [
            one["label"] for one in await list_feedback(api, new) if one["author"] == "alice"
        ] == ["wrong"]

        await give_feedback(api, new, "partly", author="alice")  # by a token that may
        await give_feedback(api, new, "partly", author="alice")
        assert (await alice.delete(f"{path}/{label['id']}")).status_code == 204
        past = await api.world.rows(
            "SELECT label, author, ended_by FROM qa_past_feedback WHERE answer_id = %s"
            " ORDER BY created_at",
            new.answer_id,
        )
        assert past == [
            {"label": "wrong", "author": "alice", "ended_by": "test"},
            {"label": "partly", "author": "alice", "ended_by": "alice"},
        ]

    async def test_again_replaces_all_of_it(self, api):
        new = await judged(api.world)
        first = (await give_feedback(api, new, "wrong", comment="no")).json()

        await give_feedback(api, new, "right")

        (stored,) = await list_feedback(api, new)
        assert (stored["id"], stored["label"], stored["comment"]) == (first["id"], "right", None)
        assert stored["updated_at"] > stored["created_at"]

    async def test_at_the_same_moment_leaves_one(self, api):
        new = await judged(api.world)

        await asyncio.gather(*(give_feedback(api, new, label) for label in ("right", "wrong") * 4))

        assert len(await list_feedback(api, new)) == 1

    async def test_each_author_and_each_claim_has_its_own(self, api):
        new = await judged(api.world, feedback=claims("supported", "unsupported"))

        await give_feedback(api, new, "wrong", claim_position=2)
        await give_feedback(api, new, "partly")
        await give_feedback(api, new, "right", author="mina")

        found = [
            (one["claim_position"], one["author"], one["label"])
            for one in await list_feedback(api, new)
        ]
        assert found == [(None, "test", "partly"), (None, "mina", "right"), (2, "test", "wrong")]

    async def test_shows_in_the_verdict_and_changes_its_etag(self, api):
        new = await judged(api.world, feedback=claims("supported", "unsupported"))
        path = f"/qa-evaluations/{new.evaluation_id}"
        before = await api.client.get(path)

        await give_feedback(api, new, "wrong")
        await give_feedback(api, new, "right", author="mina")
        await give_feedback(api, new, "right", claim_position=1)

        assert before.json()["human"] is None
        etag = {"If-None-Match": before.headers["ETag"]}
        after = await api.client.get(path, headers=etag)
        assert after.status_code == 200
        assert after.json()["human"] == {"right": 1, "partly": 0, "wrong": 1, "claims": 1}
        positions = [
            claim["position"] for claim in after.json()["feedback"]["groundedness"]["claims"]
        ]
        assert positions == [1, 2]

    async def test_can_be_taken_back(self, api):
        new = await judged(api.world)
        id_ = (await give_feedback(api, new, "wrong")).json()["id"]
        path = f"/qa-evaluations/{new.evaluation_id}/feedback/{id_}"

        gone, again = [await api.client.delete(path) for _ in range(2)]

        assert (gone.status_code, again.status_code) == (204, 404)
        assert await list_feedback(api, new) == []

    async def test_of_the_whole_answer_stays_with_it_when_it_is_judged_again(self, api):
        new = await judged(api.world, feedback=claims("supported", "unsupported"))
        first = (await give_feedback(api, new, "right")).json()
        await give_feedback(api, new, "wrong", claim_position=2)
        again = await judged_again(api, new)

        async def listed(**filters: object) -> dict[str, Any]:
            rows = (await api.client.get("/qa-evaluations", params=filters)).json()["items"]
            return {row["id"]: row["human"] for row in rows}

        old_id, new_id = str(new.evaluation_id), str(again.evaluation_id)
        whole = {"right": 1, "partly": 0, "wrong": 0}
        assert await listed() == {old_id: whole | {"claims": 1}, new_id: whole | {"claims": 0}}
        assert list(await listed(labelled="true", current="true")) == [new_id]
        assert await listed(labelled="false") == {}
        view = (await api.client.get(f"/qa-evaluations/{new_id}")).json()
        assert view["human"] == whole | {"claims": 0}
        assert [one["id"] for one in await list_feedback(api, again)] == [first["id"]]
        queue = await api.client.get("/qa-evaluations/review-queue")
        assert queue.json()["items"] == [], "the author has labelled it"

        await give_feedback(api, again, "wrong")
        replaced, of_claim = await list_feedback(api, new)
        assert (replaced["id"], replaced["label"]) == (first["id"], "wrong")
        mine = of_claim["id"]
        path = f"/qa-evaluations/{new_id}/feedback"
        assert (await api.client.delete(f"{path}/{mine}")).status_code == 404, "another's claim"
        assert (await api.client.delete(f"{path}/{first['id']}")).status_code == 204
        assert [one["id"] for one in await list_feedback(api, new)] == [mine]

    async def test_goes_with_its_answer(self, api):
        new = await judged(api.world, feedback=claims("supported"))
        await give_feedback(api, new, "wrong")
        await give_feedback(api, new, "wrong", claim_position=1)

        assert (await api.client.delete(f"/answers/{new.answer_id}")).status_code == 204

        assert await api.world.rows("SELECT * FROM qa_feedback") == []

    async def test_needs_no_verdict_for_the_whole_answer(self, api):
        (queued,) = await store_answers(api.world)
        (skipped,) = await store_answers(api.world, from_notes=False, feature="chat")
        (failed,) = await store_answers(api.world)
        (claim,) = await api.world.lifecycle.claim([failed.evaluation_id])
        await api.world.lifecycle.record([(claim, Failure("no"))])

        for new in (queued, skipped, failed):
            assert (await give_feedback(api, new, "right")).status_code == 200
            assert (await give_feedback(api, new, "right", claim_position=1)).status_code == 422


class TestRefused:
    @for_each(
        "body",
        [
            {"label": "bad"},
            {"label": "right", "utility_label": "bad"},
            {"label": "right", "claim_position": 0},
            {"label": "right", "claim_position": 1, "utility_label": "useful"},
            {"label": "right", "comment": "x" * 4_001},
            {"label": "right", "comment": "\x00"},
            {"label": "right", "author": ""},
            {"label": "right", "author": "x" * 201},
            {"label": "right", "more": 1},
            {},
        ],
    )
    async def test_is_what_is_no_feedback(self, api, body):
        new = await judged(api.world, feedback=claims("supported"))

        response = await api.client.post(f"/qa-evaluations/{new.evaluation_id}/feedback", json=body)

        assert response.status_code == 422
        assert response.headers["content-type"] == "application/problem+json"
        assert await list_feedback(api, new) == []

    async def test_is_a_claim_that_is_not_there(self, api):
        new = await judged(api.world, feedback=claims("supported", "unsupported"))

        problem = (await give_feedback(api, new, "wrong", claim_position=3)).json()

        assert problem["type"] == "urn:searchqa:problem:unknown-claim"
        assert "no claim 3" in problem["detail"]

    async def test_is_an_evaluation_that_is_not_there(self, api):
        nobody = NewEvaluation(uuid.uuid4(), uuid.uuid4(), "queued", None)

        assert (await give_feedback(api, nobody, "wrong")).status_code == 404
        path = f"/qa-evaluations/{nobody.evaluation_id}/feedback"
        assert (await api.client.get(path)).status_code == 404


class TestAgreement:
    async def get_agreement(self, api: Api, **query: str) -> dict[str, Any]:
        return await json_of(api.client.get("/qa-evaluations/agreement", params=query))

    async def test_of_nothing_is_null_with_a_reason(self, api):
        found = (await self.get_agreement(api))["of_answers"]

        assert (found["kappa"], found["low"], found["exact"], found["pairs"]) == (None,) * 3 + (0,)
        assert "too few" in found["why"]

    async def test_counts_judge_by_rows_and_people_by_columns(self, api):
        for correctness, label in ((0.8, "right"), (0.79, "wrong"), (0.5, "partly")) * 4:
            await give_feedback(api, await judged(api.world, correctness), label)
        await judged(api.world)  # labelled by nobody
        await give_feedback(api, await judged(api.world, 0.1, degraded="busy"), "right")
        (queued,) = await store_answers(api.world)
        await give_feedback(api, queued, "right")

        found = (await self.get_agreement(api))["of_answers"]

        assert found["labels"] == ["wrong", "partly", "right"]
        assert found["confusion"] == [[0, 0, 0], [4, 4, 0], [0, 0, 4]]
        # Observed linear distance 4; by chance (8·4·1 + 8·4·1 + 4·4·2 + 4·4·1) / 12.
        assert found["kappa"] == pytest.approx(1 - 4 / (112 / 12))
        assert found["low"] < found["kappa"] < found["high"]
        assert found["why"] is None

    async def test_knows_judges_apart_and_takes_the_last_word(self, api):
        new = await judged(api.world, 0.9)
        await give_feedback(api, new, "right")
        await give_feedback(api, await judged_again(api, new), "wrong")

        current = (await self.get_agreement(api))["of_answers"]["confusion"]
        first = (await self.get_agreement(api, judge_model="openai:gpt-4o-mini"))["of_answers"][
            "confusion"
        ]

        assert current == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
        assert first == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]

    async def test_of_claims_compares_claim_by_claim(self, api):
        new = await judged(api.world, feedback=claims("supported", "partly", "unsupported"))
        for position, label in ((1, "right"), (2, "wrong"), (3, "wrong")):
            await give_feedback(api, new, label, claim_position=position)

        found = await self.get_agreement(api)

        assert found["of_claims"]["confusion"] == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
        assert (found["of_claims"]["pairs"], found["of_claims"]["answers"]) == (3, 1)
        assert found["of_answers"]["pairs"] == 0


class TestLabelledAnswers:
    async def read(self, api: Api) -> list[LabelledAnswer]:
        async with api.world.sessions() as session:
            workspace_id = await ensure_workspace(session)
        async with in_workspace(api.world.sessions, workspace_id) as session:
            return [each async for each in labelled_answers(session, workspace_id)]

    async def test_hold_what_a_bench_needs(self, api):
        new = await judged(api.world, 0.9, feedback=claims("supported", "unsupported"))
        await give_feedback(api, new, "wrong")
        await give_feedback(api, new, "wrong", claim_position=2)
        await give_feedback(api, new, "right", claim_position=1)
        await judged(api.world)

        (found,) = await self.read(api)

        assert found == LabelledAnswer(
            answer_id=new.answer_id,
            question="변성 온도는?",
            passages=["변성은 95도에서 30초 동안 한다.", "배양기는 37도로 맞춘다."],
            answer="변성은 95도에서 합니다. 어닐링은 72도입니다.",
            lang="ko",
            hallucinated=True,
            spans=[CLAIMS[1]],
            label="wrong",
            judge_correctness=0.9,
            judge_model="openai:gpt-4o-mini",
            made_by="openai:gpt-4o-mini",
            cost_usd=Decimal("0.00012"),
        )

    @pytest.mark.parametrize(
        ("labels", "label"),
        [
            (["right"], "right"),
            (["right", "wrong"], "wrong"),
            (["right", "right", "wrong"], "right"),
            (["partly", "right", "wrong"], "partly"),
        ],
    )
    async def test_take_the_middle_of_what_people_say(self, api, labels, label):
        new = await judged(api.world)
        for number, each in enumerate(labels):
            await give_feedback(api, new, each, author=f"author {number}")

        (found,) = await self.read(api)

        assert (found.label, found.hallucinated) == (label, label != "right")

    async def test_come_page_by_page(self, api, monkeypatch):
        monkeypatch.setattr("app.quality.review.feedback._PAGE", 2)
        made = [await judged(api.world) for _ in range(5)]
        for new in made:
            await give_feedback(api, new, "right")

        found = await self.read(api)

        assert [each.answer_id for each in found] == [new.answer_id for new in made]
