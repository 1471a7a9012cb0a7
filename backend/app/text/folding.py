"""Text as it is compared with keywords that people wrote down."""

import unicodedata


def folded(text: str) -> str:
    """The text without letter case and with its Hangul put together: files from macOS come with
    Hangul taken apart into letters."""
    return unicodedata.normalize("NFC", text).casefold()
