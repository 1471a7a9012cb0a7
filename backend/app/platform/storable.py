"""Text that PostgreSQL stores: without NUL and without halves of surrogate pairs, which come from
broken JSON escapes and are not even UTF-8."""


def storable(text: str) -> str:
    """The text without NUL, and with a question mark for each half of a surrogate pair."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def is_storable(text: str) -> bool:
    return storable(text) == text
