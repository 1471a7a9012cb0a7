"""The base of what the server gives."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Reply(BaseModel):
    """Fields that a newer server has more are ignored."""

    model_config = ConfigDict(
        extra="ignore", frozen=True, protected_namespaces=(), defer_build=True
    )
