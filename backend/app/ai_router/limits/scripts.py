"""The Lua scripts of limits, the keys that they are given, and when Redis counts as away."""

from importlib import resources

from redis.exceptions import RedisError

UNAVAILABLE = (RedisError, OSError, TimeoutError)
REDIS_TIMEOUT = 1.0

PREFIX = "searchqa:limits"
# Models whose limits are shared, with the time (seconds since 1970) that each was last asked for.
MODELS_KEY = f"{PREFIX}:models"
# As long as a learned limit is kept that nobody has asked for since.
SHOWN_SECONDS = 86_400.0
# The fields of a model's state that replies have stated.
STATED = ("stated_requests", "stated_tokens")
# The field that says that they state none.
OPEN = "open"


def keys_of(model: str) -> list[str]:
    """Of a model: its state, its calls in flight, the workers that ask for it, how many wait in
    each. One hash slot."""
    return [f"{PREFIX}:{{{model}}}:{part}" for part in ("state", "flight", "askers", "waiting")]


def load_script(name: str) -> str:
    """`lua/NAME.lua` after what all of them begin with."""
    folder = resources.files(__package__) / "lua"
    return "".join((folder / f"{part}.lua").read_text("utf-8") for part in ("common", name))
