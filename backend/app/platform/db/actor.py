"""Who acts, for the audit log: transactions pass it on to the triggers that write it."""

import json
import uuid
from contextvars import ContextVar
from typing import Literal

MAX_ORIGIN_CHARS = 300

_actor: ContextVar[str] = ContextVar("actor", default="")


def act_as(
    name: str, via: Literal["api", "cli", "job"], origin: str = "", id_: uuid.UUID | None = None
) -> None:
    """From now on, in this task and those it starts. name: of a token, an account or a job.
    origin: an address with the route and user agent, or a command; cut to 300 characters. id_: the
    token's or the job's."""
    shown = "".join(char for char in origin if char.isprintable())[:MAX_ORIGIN_CHARS]
    about = {"name": name, "via": via, "origin": shown, "id": id_ and str(id_)}
    _actor.set(json.dumps(about))


def user_agent() -> str:
    """Of the requests of a command: its words, and the account in brackets; ASCII."""
    about = json.loads(_actor.get() or "{}")
    words = f"{about.get('origin', 'searchqa')} ({about.get('name', 'operator')})"
    return words.encode("ascii", "replace").decode()


def actor() -> str:
    """The value of the setting `app.actor`; empty for a process that nobody asked."""
    return _actor.get()
