"""What an application says of its answers: release, environment, user, session, tags, own keys."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from typing_extensions import TypedDict, Unpack


class Attributes(TypedDict, total=False):
    """user_ref: stored as a keyed hash unless the workspace's policy says otherwise. attributes:
    up to 20 keys of your own."""

    app_version: str
    environment: str
    user_ref: str
    session_id: str
    tags: Sequence[str]
    attributes: Mapping[str, str | int | float | bool]


_NONE: Mapping[str, Any] = MappingProxyType({})
_given: ContextVar[Mapping[str, Any]] = ContextVar("searchqa_attributes", default=_NONE)


@contextmanager
def propagate_attributes(**given: Unpack[Attributes]) -> Iterator[None]:
    """Answers that are submitted, asked for or begun within it, in this thread or task, carry
    these, by whatever part of this client. Inner ones replace outer ones; tags and own keys are
    added to theirs."""
    token = _given.set(_joined(_given.get(), given))
    try:
        yield
    finally:
        # A generator that a web framework drives may end in another context than it began in.
        with suppress(ValueError):
            _given.reset(token)


def current_attributes() -> dict[str, Any]:
    """Those of SEARCHQA_APP_VERSION and SEARCHQA_ENVIRONMENT, and of `propagate_attributes`."""
    deployed = {
        "app_version": os.environ.get("SEARCHQA_APP_VERSION"),
        "environment": os.environ.get("SEARCHQA_ENVIRONMENT"),
    }
    return {name: value for name, value in deployed.items() if value} | dict(_given.get())


def _joined(outer: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    found = {**outer, **given}
    if tags := (*outer.get("tags", ()), *given.get("tags", ())):
        found["tags"] = list(dict.fromkeys(tags))
    if own := {**outer.get("attributes", {}), **given.get("attributes", {})}:
        found["attributes"] = own
    return found
