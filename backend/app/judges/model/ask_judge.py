"""Asks a judge for a structured reply, a second time if the first cannot be used."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from app.ai_router.types import ChatRequest, ChatRouter, Lang, Message, OutputSchema
from app.judges.model.parsing import refuse_copy
from app.judges.prompts.shared import RE_ASK
from app.platform.errors import CallLimitReached, MalformedOutput

JUDGE_TEMPERATURE = 0.1

T = TypeVar("T")


async def ask_judge(
    router: ChatRouter,
    messages: Sequence[Message],
    *,
    output: OutputSchema,
    max_tokens: int,
    parse: Callable[[str], T],
    lang: Lang,
    temperature: float = JUDGE_TEMPERATURE,
    re_ask: Mapping[Lang, str] = RE_ASK,
) -> T:
    """What `parse` makes of the reply, asking a second time when it raises MalformedOutput, or
    when the reply is a copy (`refuse_copy`). parse: reads the reply by `parse_reply`.

    The second request repeats the first and adds the reason by way of `re_ask`, which holds
    `{reason}`; the refused reply itself is never sent back. Raises MalformedOutput after the
    second bad reply, or after the first when no call is left, and whatever ProviderError the router
    raises.
    """

    async def ask(asked: Sequence[Message], *, again: bool = False) -> T:
        request = ChatRequest(asked, temperature, max_tokens, output, re_ask=again)
        response = await router.chat(request)
        parsed = parse(response.content)
        refuse_copy(response.content, messages)
        return parsed

    try:
        return await ask(messages)
    except MalformedOutput as error:
        unusable = error
    # One longer message instead of a third one: some chat templates insist on taking turns.
    last = messages[-1]
    reminder = re_ask[lang].format(reason=unusable)
    try:
        longer = Message(last.role, f"{last.content}\n\n{reminder}")
        return await ask([*messages[:-1], longer], again=True)
    except CallLimitReached:
        raise unusable from None


async def all_of(asking: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """What each gives, asked at the same time. Where one fails the others may finish, because
    their replies are paid for, and then its error is raised."""
    coroutines = list(asking)
    if len(coroutines) == 1:
        return [await coroutines[0]]
    results = await asyncio.gather(*coroutines, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [result for result in results if not isinstance(result, BaseException)]
