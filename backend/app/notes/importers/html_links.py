"""Addresses that a link of a note may lead to."""

import re
from urllib.parse import quote

# Browsers leave these out of an address before they read its scheme.
_IGNORED = re.compile(r"[\x00-\x20\x7f]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# Brackets, quotes and the like, which end an address in Markdown; letters of any script stay.
_ENDS_ADDRESS = re.compile(r"[^\w/:?#@!$&*+,;=%~.-]")
_LINKS = frozenset({"http", "https", "mailto", "tel"})


def safe_address(written: str) -> str:
    """A harmless address, written so that it cannot end early in Markdown; "" for another."""
    address = _IGNORED.sub("", written)
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme[1].lower() not in _LINKS:
        return ""
    return _ENDS_ADDRESS.sub(lambda found: quote(found[0], errors="replace"), address)
