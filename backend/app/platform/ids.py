"""Ids of rows, and numbers in [0, 1) by hash of a key."""

import hashlib
import uuid

import uuid_utils.compat


def new_id() -> uuid.UUID:
    """A UUIDv7: sorts by creation time. Made here because uuidv7() starts with PostgreSQL 18."""
    return uuid_utils.compat.uuid7()


def unit_hash(key: bytes, salt: bytes = b"") -> float:
    """A number in [0, 1) that is always the same for the same key, so that nobody can look for a
    luckier one. Samples that have nothing to do with each other take different salts."""
    digest = hashlib.blake2b(key, digest_size=8, salt=salt).digest()
    return int.from_bytes(digest) / 2**64
