"""The address of a client, also behind reverse proxies that the operator has named.

Anybody can send `Forwarded` and `X-Forwarded-For`. What a trusted proxy has appended to them is
believed, and nothing to the left of the first address that is none of ours.
"""

import re
from collections.abc import Collection, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from starlette.requests import Request

from app.platform.setting_types import Network

Address = IPv4Address | IPv6Address

# RFC 7239, section 4, and addresses with a port that are not quoted, as some proxies write them.
_PAIR = re.compile(
    r"""\s*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))\s*([,;]|\Z)""", re.ASCII
)
_IPV4_AND_PORT = re.compile(r"([\d.]+):\d{1,5}", re.ASCII)
_IPV6_AND_PORT = re.compile(r"\[([^]]+)\](?::\d{1,5})?", re.ASCII)


def client_address(request: Request, proxies: Collection[Network]) -> Address | None:
    """Whose request it is: the peer of the connection or, if that is a trusted proxy, the
    right-most address in the forwarded headers that is not one. None for a unix socket."""
    address = parse_address(request.client.host if request.client else "")
    if address is None or not is_trusted(address, proxies):
        return address
    for entry in reversed(_forwarded(request)):
        found = parse_address(entry)
        if found is None:
            break
        address = found
        if not is_trusted(address, proxies):
            break
    return address


def is_trusted(address: Address, proxies: Collection[Network]) -> bool:
    return any(address in network for network in proxies)


def parse_address(written: str) -> Address | None:
    """An address with or without a port; one of IPv4 inside IPv6 as the former."""
    match = _IPV4_AND_PORT.fullmatch(written) or _IPV6_AND_PORT.fullmatch(written)
    try:
        address = ip_address(match[1] if match else written)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def network_of(address: Address) -> str:
    """What one client has to itself: the address, or in IPv6 its network of 64 bits."""
    if isinstance(address, IPv4Address):
        return str(address)
    return str(IPv6Network((int(address) >> 64 << 64, 64)))


def _forwarded(request: Request) -> Sequence[str]:
    """The entries that the proxies wrote, the nearest client last. A proxy appends to one of the
    headers and may pass the other on as it came; where they disagree neither is believed."""
    standard = _for_of(",".join(request.headers.getlist("forwarded")))
    usual = request.headers.getlist("x-forwarded-for")
    others = [entry.strip() for entry in ",".join(usual).split(",")] if usual else []
    if standard and others:
        same = [parse_address(e) for e in standard] == [parse_address(e) for e in others]
        return others if same else ()
    return standard or others


def _for_of(header: str) -> list[str]:
    """The `for` of each element; empty for one without, and no entries if it is malformed."""
    entries: list[str] = []
    position, address = 0, ""
    while position < len(header):
        pair = _PAIR.match(header, position)
        if pair is None:
            return []
        position = pair.end()
        if pair[1].lower() == "for":
            address = pair[2] if pair[2] is not None else pair[3]
        if pair[4] != ";":
            entries.append(address)
            address = ""
    return entries
