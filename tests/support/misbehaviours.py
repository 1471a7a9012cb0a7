"""The ways in which a judge fails."""

from stub_behaviours import (
    Behaviour,
    Content,
    Json,
    answer,
    cut_json,
    cut_off,
    drip,
    hang,
    html,
    oversized,
    reset,
    say,
    status,
)


def misbehaviours(reply: Content, *, retry_after: str) -> dict[str, Behaviour]:
    """By their names. reply: what the judge would say, whole or in part; retry_after: seconds."""

    def twice(request: Json) -> str:
        return reply(request) * 2

    return {
        "status-500": status(500),
        "status-429": status(429),
        "retry-after": status(429, retry_after=retry_after),
        "hang": hang(),
        "drip": drip(reply, interval=0.5),
        "reset": reset(),
        "cut-off": cut_off(reply, after=40),
        "cut-json": cut_json(reply),
        "two-objects": answer(twice),
        "wrong-schema": answer(say('{"correctness": "0.9"}')),
        "html": html(),
        "oversized": oversized(50_000_000),
    }
