"""Addresses of receivers, which must be public, and signatures of deliveries."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from app.platform.errors import InvalidRequest

Address = IPv4Address | IPv6Address
Networks = Collection[IPv4Network | IPv6Network]

MAX_URL_CHARS = 2_000

# An IPv4 address in the last four bytes of an IPv6 address: mapped, and of NAT64.
_HOLD_IPV4 = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
# Tunnels and what was given up; where a packet to them goes is not in the address.
_OBSOLETE = tuple(
    map(ip_network, ("::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10"))
)


def is_allowed(address: Address, allowed: Networks) -> bool:
    """Whether it is public, or in one of the networks that the operator has allowed."""
    if isinstance(address, IPv6Address) and any(address in network for network in _HOLD_IPV4):
        address = IPv4Address(int(address) & 0xFFFF_FFFF)
    if any(address in network for network in allowed):
        return True
    obsolete = any(address in network for network in _OBSOLETE)
    return address.is_global and not (address.is_multicast or address.is_reserved or obsolete)


def literal_address(host: str) -> Address | None:
    """The address that a host is written as; None for a name."""
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None


def checked_url(url: str, allowed: Networks) -> str:
    """The URL as it may be stored. Raises InvalidRequest for one that can never be delivered to.
    A name may still resolve to an address that is refused later."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.scheme not in {"http", "https"} or not url.isprintable() or " " in url:
        raise InvalidRequest.worded("webhook-url")
    if "@" in parts.netloc or parts.fragment:
        raise InvalidRequest.worded("webhook-url-parts")
    address = literal_address(host)
    if address is not None and not is_allowed(address, allowed):
        raise refused(host)
    return url


def refused(host: str) -> InvalidRequest:
    return InvalidRequest.worded("address-not-allowed", host=host)


PREFIX = "whsec_"
# Of 24 to 64 that the specification allows.
_KEY_BYTES = 32


def new_secret() -> str:
    """Random bytes in base64 behind the prefix of the specification."""
    return f"{PREFIX}{base64.b64encode(secrets.token_bytes(_KEY_BYTES)).decode()}"


def signatures(message_id: str, timestamp: int, body: bytes, keys: Iterable[str]) -> str:
    """The header `webhook-signature`: one for each key, with spaces between them. timestamp:
    seconds of the Unix epoch, as in `webhook-timestamp`."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return " ".join(f"v1,{_signature(key, signed)}" for key in keys)


def _signature(key: str, signed: bytes) -> str:
    secret = base64.b64decode(key.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()
