"""Limits of models as they are set, and as replies state them."""

import pytest
from pydantic import ValidationError

from app.ai_router.limits.model_limit import NO_LIMIT, lower, share, stated_limit
from app.platform.setting_types import ModelLimit
from app.platform.settings import Settings
from cases import for_each


def limits(written: str) -> dict[str, ModelLimit]:
    return Settings(_env_file=None, judge_limits=written).judge.limits


def test_limits_are_requests_and_tokens_of_a_minute_and_calls_in_flight():
    assert limits("openai:a:b=600/400000, anthropic:c=-/-/8, ollama:d=30,") == {
        "openai:a:b": ModelLimit(600, 400_000),
        "anthropic:c": ModelLimit(None, None, 8),
        "ollama:d": ModelLimit(30),
    }


@for_each(
    "written",
    ["openai:x=0", "openai:x=600/0", "openai:x=-/-/0", "openai:x=-", "openai:x=-/-/-", "openai:x",
     "offline:rules=600", "local:folder=600", "openai:=1", "x=1",
     "openai:x=1/2/3/4", "openai:x=-5", "openai:x=1.5", "openai:x=many", "openai:x=1e9",
     "openai:x=٣"],
)  # fmt: skip
def test_a_limit_of_zero_or_of_an_unknown_provider_is_refused_with_how_to_write_it(written):
    with pytest.raises(ValidationError, match="each 1 or more or - for no limit") as refused:
        limits(written)
    assert repr(written) in str(refused.value)


OPENAI = {"x-ratelimit-limit-requests": "500", "x-ratelimit-limit-tokens": "30000"}
ANTHROPIC = {
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-tokens-limit": "80000",
}


@for_each(
    ("headers", "limit"),
    [
        (OPENAI, ModelLimit(500, 30_000)),
        (ANTHROPIC, ModelLimit(50, 80_000)),
        ({"x-ratelimit-limit-requests": "7"}, ModelLimit(7)),
        ({"content-type": "application/json"}, NO_LIMIT),
        *(
            ({"x-ratelimit-limit-requests": odd}, NO_LIMIT)
            for odd in ("0", "-1", "", "many", "1e3", "60/min", "9" * 5000, "²")
        ),
    ],
)
def test_limits_are_read_from_the_headers_of_a_reply(headers, limit):
    assert stated_limit(headers) == limit


def test_of_two_limits_the_lower_one_holds():
    assert lower(ModelLimit(600, None, 4), ModelLimit(300, 1000)) == ModelLimit(300, 1000, 4)


def test_a_worker_alone_has_its_part_of_a_limit():
    assert share(ModelLimit(600, None, 3), 4) == ModelLimit(150, None, 1)
