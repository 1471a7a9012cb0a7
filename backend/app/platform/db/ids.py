"""Keys of rows."""

import uuid

import uuid_utils.compat


def new_id() -> uuid.UUID:
    """A UUIDv7: sorts by creation time. Made here because uuidv7() starts with PostgreSQL 18."""
    return uuid_utils.compat.uuid7()
