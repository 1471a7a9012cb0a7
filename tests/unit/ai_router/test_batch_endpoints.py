"""Both vendors' batches, over HTTP against the stub."""

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from app.ai_router.batches.protocol import BatchEndpoint, BatchLine
from app.ai_router.router import Providers
from app.ai_router.types import ChatRequest, ChatResponse, Message, OutputSchema, ProviderRequest
from app.platform.errors import (
    BatchesNotSupported,
    BatchTooLarge,
    ConfigurationError,
    MalformedOutput,
    PermanentProviderError,
    ProviderError,
    TransientProviderError,
)
from app.platform.setting_types import ModelPrice
from app.platform.settings import Settings
from cases import for_each
from stub_batches import Batch, Fate, Line, Plan, StubBatches
from stub_server import Exchange, Json, StubServer, html, status

SCHEMA = OutputSchema("sure", {"type": "object", "properties": {"score": {"type": "number"}}})
KEY = "0198c0de"
SINCE = datetime.now(UTC) - timedelta(seconds=5)


@pytest.fixture(params=["openai", "anthropic"])
def vendor(request):
    return request.param


@dataclass
class World:
    """A server with batches, and what asks it for model `m` at 1 and 2 dollars for a million
    tokens read and written, and half of that in batches."""

    stub: StubServer
    batches: StubBatches
    providers: Providers
    model: str

    @property
    def endpoint(self) -> BatchEndpoint:
        return self.providers.batch_endpoint(self.model)

    async def hand_in(self, lines: list[BatchLine], key: str = KEY) -> str:
        return await self.endpoint.create(key, await self.endpoint.upload(lines), lines)

    async def read(self, batch_id: str) -> dict[str, ChatResponse | ProviderError]:
        """The replies by custom id, once the batch has ended; of several the last."""
        while (await self.endpoint.status(batch_id)).state == "running":
            pass
        async with aclosing(self.endpoint.replies(batch_id)) as replies:
            return {reply.custom_id: reply.reply async for reply in replies}


@asynccontextmanager
async def world(
    vendor: str, plan: Plan | None = None, content: str | None = None, **given: object
) -> AsyncIterator[World]:
    batches = StubBatches(plan or Plan())
    if content is not None:
        batches.content = lambda _: content
    price = ModelPrice(Decimal(1), Decimal(2), Decimal(1), Decimal(1))
    chosen: dict[str, object] = {
        "model_prices": {f"{vendor}:m": price},
        "batch_price": 0.5,
        **given,
    }
    async with (
        StubServer(batches=batches) as stub,
        Providers(
            Settings(
                _env_file=None,
                openai_base_url=stub.base_url,
                anthropic_base_url=stub.base_url,
                openai_api_key="sk-secret",
                anthropic_api_key="sk-secret",
                **chosen,  # type: ignore[arg-type]  # as each setting takes it
            )
        ) as providers,
    ):
        yield World(stub, batches, providers, f"{vendor}:m")


def request(text: str = "Is it so?") -> ProviderRequest:
    said = [Message("system", "You judge. 판정하세요."), Message("user", text)]
    return ProviderRequest(said, 0.0, 300, SCHEMA, model="m", deadline=60)


def lines(count: int, first: int = 0) -> list[BatchLine]:
    numbers = range(first, first + count)
    return [BatchLine(f"{number:032x}-1-0", request(f"Is it {number}?")) for number in numbers]


def by_turns(*fates: Fate) -> Plan:
    return Plan(fate=lambda place, _: fates[place % len(fates)])


async def test_a_line_asks_what_a_call_asks_and_its_reply_is_that_of_a_call_at_half_the_price(
    vendor,
):
    asked = request()
    async with world(vendor) as at:
        router = at.providers.router(at.model, deadline=60)
        called = await router.chat(ChatRequest(asked.messages, 0.0, 300, SCHEMA))
        batch_id = await at.hand_in([BatchLine("a-1-0", asked)])
        replied = (await at.read(batch_id))["a-1-0"]

    assert at.batches.batches[batch_id].lines[0].body == at.stub.requests[0].json
    assert isinstance(replied, ChatResponse)
    assert replied.content == called.content == '{"score": 0.9}'
    assert (replied.prompt_tokens, replied.completion_tokens) == (100, 20)
    assert (replied.provider, replied.model) == (vendor, "m")
    assert called.cost_usd == Decimal("0.00014")
    assert replied.cost_usd == Decimal("0.00007")
    assert replied.raw_body, "kept as the body of a call is"


async def test_replies_come_in_any_order_and_each_is_that_of_its_line(vendor):
    async with world(vendor) as at:
        at.batches.content = lambda body: body["messages"][-1]["content"]
        given = lines(40)
        batch_id = await at.hand_in(given)
        replies = await at.read(batch_id)
        ended = await at.endpoint.status(batch_id)

    assert list(replies) != [line.custom_id for line in given], "the stub shuffles them"
    assert {one: reply.content for one, reply in replies.items()} == {  # type: ignore[union-attr]
        line.custom_id: line.request.messages[-1].content for line in given
    }
    assert (ended.state, ended.done, ended.failed, ended.total) == ("ended", 40, 0, 40)


async def test_a_batch_runs_until_the_provider_says_otherwise(vendor):
    async with world(vendor, Plan(polls=2)) as at:
        batch_id = await at.hand_in(lines(3))
        states = [(await at.endpoint.status(batch_id)).state for _ in range(3)]

    assert states == ["running", "running", "ended"]


async def test_each_line_may_fail_in_its_own_way(vendor):
    plan = by_turns("answered", "refused", "overloaded", "expired", "lost", "broken", "twice")
    async with world(vendor, plan) as at:
        given = lines(7)
        batch_id = await at.hand_in(given)
        replies = await at.read(batch_id)
        ended = await at.endpoint.status(batch_id)
    found = [replies.get(line.custom_id) for line in given]

    assert [type(one) for one in found] == [
        ChatResponse,
        PermanentProviderError,
        TransientProviderError,
        TransientProviderError,
        type(None),
        type(None),
        ChatResponse,
    ]
    assert "expired" in str(found[3])
    assert ended.state == "ended"
    assert (ended.done, ended.failed) == (4, 3)


async def test_a_line_that_comes_twice_is_given_twice_and_a_strangers_too(vendor):
    plan = by_turns("twice")
    plan.stranger = True
    async with world(vendor, plan) as at:
        batch_id = await at.hand_in(lines(2))
        at.batches.finish()
        async with aclosing(at.endpoint.replies(batch_id)) as replies:
            ids = sorted([reply.custom_id async for reply in replies])

    first, second = (line.custom_id for line in lines(2))
    assert ids == [first, first, second, second, "stranger-0-0"]


async def test_a_last_line_without_its_end_is_left_out_with_a_warning(vendor, caplog):
    async with world(vendor, Plan(cut_off=True)) as at:
        batch_id = await at.hand_in(lines(5))
        replies = await at.read(batch_id)

    assert len(replies) == 4
    assert "cannot be read" in caplog.text


async def test_a_line_that_is_too_long_does_not_hide_the_others(vendor, caplog):
    caplog.set_level(logging.WARNING)
    long = lines(5)[2].request.messages[-1].content

    def content(body: Json) -> str:
        return "x" * 3_000_000 if body["messages"][-1]["content"] == long else "short"

    async with world(vendor) as at:
        at.batches.content = content
        replies = await at.read(await at.hand_in(lines(5)))

    assert len(replies) == 4
    assert lines(5)[2].custom_id not in replies
    assert "too long" in caplog.text


async def test_results_that_break_off_are_an_error_after_what_was_read(vendor):
    async def broken_off(exchange: Exchange) -> None:
        await exchange.begin("application/octet-stream", length=10_000)
        await exchange.write(b"{}\n")

    async with world(vendor) as at:
        batch_id = await at.hand_in(lines(2))
        at.batches.finish()
        at.batches.script("replies", broken_off)
        with pytest.raises(TransientProviderError, match="connection"):
            await at.read(batch_id)

        assert len(await at.read(batch_id)) == 2, "read again from the beginning"


async def test_a_reply_of_no_use_is_an_error_that_says_what_it_cost(vendor):
    async with world(vendor, content=" ") as at:
        (error,) = (await at.read(await at.hand_in(lines(1)))).values()

    assert isinstance(error, MalformedOutput)
    assert isinstance(error.reply, ChatResponse)
    assert error.reply.cost_usd == Decimal("0.00007")


async def test_a_cancelled_batch_gives_what_was_done(vendor):
    async with world(vendor, Plan(polls=None, done_at_cancel=2)) as at:
        given = lines(5)
        batch_id = await at.hand_in(given)
        await at.endpoint.cancel(batch_id)
        replies = await at.read(batch_id)
        await at.endpoint.cancel(batch_id)
        ended = await at.endpoint.status(batch_id)

    done = [line.custom_id for line in given if isinstance(replies[line.custom_id], ChatResponse)]
    assert done == [line.custom_id for line in given[:2]]
    assert "cancelled" in str(replies[given[4].custom_id])
    assert (ended.state, ended.done, ended.failed) == ("ended", 2, 3)


async def test_a_batch_that_the_provider_does_not_know_is_unknown(vendor):
    async with world(vendor) as at:
        found = await at.endpoint.status("batch/../unknown?")

    assert found.state == "unknown"
    assert found.error == f"{vendor} does not know this batch."


async def test_nothing_is_left_of_what_was_deleted(vendor):
    async with world(vendor, by_turns("answered", "refused")) as at:
        batch_id = await at.hand_in(lines(4))
        await at.read(batch_id)
        await at.endpoint.delete(batch_id)
        await at.endpoint.delete(batch_id)

    assert not at.batches.files
    assert vendor == "openai" or not at.batches.batches


# --- A reply that was lost


async def test_a_batch_whose_reply_was_lost_is_found_and_not_made_again(vendor):
    async with world(vendor, Plan(polls=None)) as at:
        given = lines(3)
        await at.hand_in(lines(3, first=10), "another")
        file = await at.endpoint.upload(given)
        at.batches.lose_reply("create")
        with pytest.raises(TransientProviderError) as lost:
            await at.endpoint.create(KEY, file, given)
        assert lost.value.status is None
        made = list(at.batches.batches)[-1]
        at.batches.finish()

        assert await at.endpoint.find(KEY, SINCE, given, []) == made
        assert await at.endpoint.find(KEY, SINCE, given[:2], []) == made, "one line was deleted"
        assert await at.endpoint.find(KEY, SINCE, given, [made]) is None
    assert at.batches.submitted.total() == 6


async def test_no_batch_is_found_where_none_was_made(vendor):
    async with world(vendor) as at:
        other = await at.hand_in(lines(3, first=10), "another")
        await at.read(other)

        assert await at.endpoint.find(KEY, SINCE, lines(3), []) is None


async def test_while_a_batch_that_may_be_ours_still_runs_anthropic_cannot_say():
    async with world("anthropic", Plan(polls=None)) as at:
        await at.hand_in(lines(3, first=10))
        with pytest.raises(TransientProviderError, match="its results will tell"):
            await at.endpoint.find(KEY, SINCE, lines(3), [])

        assert await at.endpoint.find(KEY, SINCE, lines(4), []) is None, "it has too few lines"
        later = datetime.now(UTC) + timedelta(hours=2)
        assert await at.endpoint.find(KEY, later, lines(3), []) is None, "made before ours"


async def test_a_batch_is_found_behind_a_page_of_newer_ones(vendor):
    async with world(vendor) as at:
        ours = await at.hand_in(lines(2))
        old = at.batches.batches[ours]
        for number in range(150):
            line = Line(f"x{number}-1-0", {}, "answered")
            at.batches.add(Batch(f"later_{number}", [line], old.created_at, ended=True))
        at.batches.finish()

        assert await at.endpoint.find(KEY, SINCE, lines(2), []) == ours


# --- What a server does not take


@pytest.mark.parametrize(
    "answer", [status(404), status(405), status(501), html(), status(200, {"ok": True})]
)
async def test_a_server_without_batches_is_told_from_one_that_fails(vendor, answer):
    async with world(vendor) as at:
        at.batches.script("upload" if vendor == "openai" else "create", answer)
        with pytest.raises(BatchesNotSupported) as refused:
            await at.hand_in(lines(1))

    assert str(refused.value) == (
        f"The server of {vendor} has no batch endpoint; answers are judged by calls."
    )


async def test_a_server_that_cannot_list_batches_has_none(vendor):
    async with world(vendor, Plan(missing=True)) as at:
        with pytest.raises(BatchesNotSupported):
            await at.endpoint.find(KEY, SINCE, lines(1), [])


async def test_a_strange_answer_to_a_file_that_was_taken_does_not_mean_that_no_batch_was():
    async with world("openai") as at:
        file = await at.endpoint.upload(lines(1))
        at.batches.script("create", status(200, {"ok": True}))
        with pytest.raises(MalformedOutput):
            await at.endpoint.create(KEY, file, lines(1))


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (status(401, {"error": {"message": "sk-secret"}}), ConfigurationError),
        (status(429, retry_after="7"), TransientProviderError),
        (status(503), TransientProviderError),
    ],
)
async def test_other_refusals_are_those_of_calls(vendor, answer, kind):
    async with world(vendor) as at:
        at.batches.script("create", answer)
        with pytest.raises(kind) as refused:
            await at.hand_in(lines(1))

    assert "sk-secret" not in refused.value.body_excerpt
    assert refused.value.retry_after == (7 if refused.value.status == 429 else None)


@pytest.mark.parametrize("code", [400, 429])
async def test_no_file_is_left_of_a_batch_that_was_refused(code):
    async with world("openai") as at:
        at.batches.script("create", status(code))
        with pytest.raises(ProviderError):
            await at.hand_in(lines(1))

        assert not at.batches.files


async def test_too_large_a_batch_is_refused(vendor):
    async with world(vendor) as at:
        given = lines(10)
        at.batches.plan.max_bytes = sum(map(at.endpoint.size, given)) // 2
        with pytest.raises(BatchTooLarge):
            await at.hand_in(given)

        assert not at.batches.batches


async def test_bytes_of_lines_are_what_the_file_has():
    async with world("openai") as at:
        file = await at.endpoint.upload(lines(3))
        assert file

        assert len(at.batches.files[file]) == sum(map(at.endpoint.size, lines(3)))


@for_each(
    ("code", "words", "later"),
    [
        ("token_limit_exceeded", "token_limit_exceeded", True),
        ("duplicate_custom_id", "duplicate_custom_id", False),
        ("a note said so", "it does not say why", False),
    ],
)
async def test_a_batch_that_was_not_begun_says_why(code, words, later):
    async with world("openai") as at:
        batch_id = await at.hand_in(lines(1))
        batch = at.batches.batches[batch_id]
        batch.error = code
        found = await at.endpoint.status(batch_id)

    assert (found.state, found.later) == ("failed", later)
    assert found.error == f"openai did not begin this batch ({words})."


# --- Parts of requests that a model refuses


async def test_parts_refused_in_all_lines_are_left_out_of_the_next_batch():
    plan = by_turns("refused")
    plan.complaint = "Unsupported parameter: use 'max_completion_tokens' instead of 'max_tokens'."
    async with world("openai", plan) as at:
        first = await at.read(await at.hand_in(lines(2)))
        again = await at.hand_in(lines(2))
        body = at.batches.batches[again].lines[0].body

    assert {type(error) for error in first.values()} == {TransientProviderError}
    assert "max_completion_tokens" in body
    assert "max_tokens" not in body


async def test_what_a_note_may_have_been_refused_for_is_not_left_out():
    plan = by_turns("answered", "refused")
    plan.complaint = "The note about temperature was refused."
    async with world("anthropic", plan) as at:
        await at.read(await at.hand_in(lines(2)))
        again = await at.hand_in(lines(2))
        body = at.batches.batches[again].lines[0].body

    assert "temperature" in body


# --- Which models have batches


@for_each("model", ["offline:rules", "ollama:llama3", "local:/models/judge"])
def test_models_of_ones_own_have_no_batches(model):
    with pytest.raises(BatchesNotSupported, match="has no batch endpoint"):
        Providers(Settings(_env_file=None)).batch_endpoint(model)


def test_batches_need_the_key_that_calls_need(vendor):
    with pytest.raises(ConfigurationError, match=f"{vendor.upper()}_API_KEY"):
        Providers(Settings(_env_file=None)).batch_endpoint(f"{vendor}:m")


async def test_at_another_address_a_batch_costs_what_calls_do():
    async with world("openai", batch_price=None) as at:
        (reply,) = (await at.read(await at.hand_in(lines(1)))).values()

    assert isinstance(reply, ChatResponse)
    assert reply.cost_usd == Decimal("0.00014")
