"""Keys and prices of models, as they are set."""

from decimal import Decimal

import pytest
from pydantic import ValidationError

from app.ai_router.pricing import cost_usd
from app.platform.settings import Settings
from app.verdicts.policy.judge_prices import JudgePrices
from cases import for_each


def settings(model_prices: str) -> Settings:
    return Settings(_env_file=None, model_prices=model_prices)


def test_prices_are_of_a_million_tokens_read_and_written():
    own = settings("openai:my-model=0.15/0.60, ollama:a:b=1/2 ,").models.prices

    assert {model: price[:2] for model, price in own.items()} == {
        "openai:my-model": (Decimal("0.15"), Decimal("0.60")),
        "ollama:a:b": (Decimal(1), Decimal(2)),
    }
    assert cost_usd("openai", "my-model", "", 2_000_000, 1_000_000, own=own) == Decimal("0.9")
    assert cost_usd("ollama", "a:b", "", 1_000_000, 0, own=own) == 1


@for_each(
    ("written", "cost"), [("2/0", 6), ("2/0/0.5", "4.5"), ("2/0/0.5/2.5", 5), ("2/0/2/2.5", "6.5")]
)
def test_tokens_of_the_cache_cost_what_the_others_do_unless_they_have_a_price(written, cost):
    """Of three million, one is read from the cache and one written to it."""
    million, own = 1_000_000, settings(f"openai:x={written}").models.prices

    assert cost_usd("openai", "x", "", 3 * million, 0, million, million, own=own) == Decimal(cost)


@for_each(
    "written",
    ["openai:x=1/2/3/4/5", "openai:x=1/2/", "openai:x=1/2/-3",
     "openai:x", "x=1/2", "openai:x=1", "openai:x=-1/2", "openai:x=NaN/1", "openai:=1/1",
     "openai:x=1/1e9", "openai:x=cheap/dear"],
)  # fmt: skip
def test_a_price_that_is_none_is_refused_with_how_to_write_it(written):
    with pytest.raises(ValidationError, match=r"openai:my-model=0\.15/0\.60"):
        settings(written)


def test_a_model_has_a_price_where_the_operator_sets_one():
    assert not JudgePrices(settings("")).known("openai:my-model")
    assert JudgePrices(settings("openai:my-model=1/1")).known("openai:my-model")
    assert JudgePrices(settings("")).known("ollama:llama3.2")
    assert JudgePrices(settings("")).known("offline:rules")


def test_no_price_makes_a_cost_that_cannot_be_stored():
    own = settings("openai:x=10000/10000").models.prices

    assert cost_usd("openai", "x", "", 10_000_000, 10_000_000, own=own) == 9_999


HOUSE = "house=http://127.0.0.1:8000/v1"


@for_each(
    ("given", "reason"),
    [
        ({"servers": f"{HOUSE} {HOUSE}"}, "two servers have the name house"),
        ({"servers": "openai=http://127.0.0.1/v1"}, "openai is the name of a provider"),
        ({"servers": "http://127.0.0.1:8000/v1"}, "write name=value for each server"),
        ({"servers": "House=http://127.0.0.1/v1"}, "write name=value for each server"),
        ({"servers": HOUSE, "server_keys": "sk-secret"}, "write name=value for each server"),
        ({"servers": HOUSE, "server_keys": "edge=sk-secret"}, "has a key of edge, which"),
        ({"servers": HOUSE, "judge_limits": "edge:m=60"}, "names edge:m, whose server is neither"),
    ],
)
def test_servers_that_cannot_be_told_apart_are_refused_in_one_sentence(given, reason):
    with pytest.raises(ValidationError, match=reason) as refused:
        Settings(None, {}, **given)

    assert "sk-secret" not in str(refused.value)


def test_servers_have_names_addresses_and_keys():
    given = Settings(
        *(None, {}),
        servers=f"{HOUSE},edge=https://edge.example.com/v1?version=2",
        server_keys="house=a=b",
        judge_limits="edge:m:8b=60",
    )

    assert [*given.models.servers] == ["house", "edge"]
    assert given.models.servers["edge"].endswith("?version=2")
    assert given.models.server_keys["house"].get_secret_value() == "a=b"
    assert "edge:m:8b" in given.judge.limits
    assert Settings(None, {}, servers=HOUSE, model_keys=False).models.server_keys == {}


def test_a_process_that_calls_no_model_keeps_no_key_of_an_env_file(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".env").write_text("OPENAI_API_KEY=sk-1\nANTHROPIC_API_KEY=sk-2\n")
    monkeypatch.chdir(tmp_path)
    given = Settings()
    monkeypatch.setenv("SEARCHQA_MODEL_KEYS", "false")
    without = Settings()

    assert given.models.openai_api_key is not None
    assert given.models.anthropic_api_key is not None
    assert (without.models.openai_api_key, without.models.anthropic_api_key) == (None, None)
