"""Whether a JSON text is of a size that may be parsed.

A value of two characters becomes an object of some sixty bytes, so that a text of nothing but
brackets takes twenty times its size in memory. What notes hold is mostly one long text.
"""

MAX_VALUES = 1_000_000


def has_too_many_values(data: bytes) -> bool:
    """Counts brackets, those within texts too, and quotation marks that begin or end a text."""
    brackets = data.count(b"[") + data.count(b"{")
    marks = data.count(b'"') - data.count(b'\\"')
    return brackets + marks // 2 > MAX_VALUES
