"""A chance that is drawn once and for all."""

import hashlib


def unit_hash(key: bytes, salt: bytes = b"") -> float:
    """A number in [0, 1) that is always the same for the same key, so that nobody can look for a
    luckier one. Samples that have nothing to do with each other take different salts."""
    digest = hashlib.blake2b(key, digest_size=8, salt=salt).digest()
    return int.from_bytes(digest) / 2**64
