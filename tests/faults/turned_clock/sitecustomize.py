"""On PYTHONPATH of a process, turns its clock by TURNED_CLOCK seconds: what it takes for the time
of day, and the time in the ids it makes. Time that passes stays as it is."""

import datetime as dt
import os
import time
import uuid
from typing import Any

import uuid_utils.compat

TURNED = float(os.environ["TURNED_CLOCK"])

_time, _time_ns, _real, _uuid7 = time.time, time.time_ns, dt.datetime, uuid_utils.compat.uuid7


class _Kind(type):
    """What C code makes is of the real class, and is to pass for one of ours."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _real)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _real)


class TurnedDatetime(_real, metaclass=_Kind):
    __slots__ = ()  # C code warns of a class that is larger than its own

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
        return _real.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls) -> dt.datetime:
        return _real.fromtimestamp(time.time(), dt.UTC).replace(tzinfo=None)

    @classmethod
    def today(cls) -> dt.datetime:
        return cls.now()


def _turned_uuid7() -> uuid.UUID:
    """RFC 9562 §5.7: the upper 48 bits are milliseconds."""
    return uuid.UUID(int=_uuid7().int + (int(TURNED * 1000) << 80))


def _turn() -> None:
    time.time = lambda: _time() + TURNED
    time.time_ns = lambda: _time_ns() + int(TURNED * 1e9)
    dt.datetime = TurnedDatetime  # type: ignore[misc]
    changed: Any = uuid_utils.compat
    changed.uuid7 = _turned_uuid7


_turn()
