"""Whose request it is, whatever headers somebody has made up."""

from ipaddress import ip_network

from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from app.api.client_address import client_address, network_of, parse_address
from cases import for_each

PROXIES = [ip_network("10.0.0.0/8"), ip_network("::1/128")]
PROXY = "10.0.0.1"


def address(peer: str, **headers: str | list[str]) -> str:
    """As text; each underscore in a header's name is a hyphen."""
    lines = [
        (name.replace("_", "-").encode(), line.encode("latin-1"))
        for name, value in headers.items()
        for line in ([value] if isinstance(value, str) else value)
    ]
    scope = {"type": "http", "headers": lines, "client": (peer, 1)}
    return str(client_address(Request(scope), PROXIES))


@for_each(
    "headers",
    [
        {"x_forwarded_for": "198.51.100.1"},
        {"forwarded": "for=198.51.100.1"},
        {"forwarded": "for=198.51.100.1", "x_forwarded_for": "198.51.100.1"},
    ],
)
def test_only_configured_proxies_are_trusted(headers):
    assert address("192.0.2.1", **headers) == "192.0.2.1"
    assert address("192.0.2.1") == "192.0.2.1"


@for_each(
    ("written", "client"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("203.0.113.9, 198.51.100.1", "198.51.100.1"),
        ("203.0.113.9,198.51.100.1 , 10.2.3.4", "198.51.100.1"),
        (["203.0.113.9", "198.51.100.1"], "198.51.100.1"),
        ("198.51.100.1:4711", "198.51.100.1"),
        ("2001:db8::17", "2001:db8::17"),
        ("[2001:db8::17]:4711", "2001:db8::17"),
        ("::ffff:198.51.100.1", "198.51.100.1"),
        ("10.9.9.9, 10.2.3.4", "10.9.9.9"),
        ("198.51.100.1, garbage", PROXY),
        ("198.51.100.1, unknown, 10.2.3.4", "10.2.3.4"),
        ("198.51.100.1,", PROXY),
        ("", PROXY),
        ("198.51.100.1:x", PROXY),
        ("999.1.1.1", PROXY),
        # The standard header.
        ("for=198.51.100.1", "198.51.100.1"),
        ('For="198.51.100.1:4711";proto=https;by=10.0.0.1', "198.51.100.1"),
        ('for=203.0.113.9, for="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"),
        ("for=198.51.100.1:4711", "198.51.100.1"),
        ("for=203.0.113.9;proto=http , proto=https;for=198.51.100.1, for=10.2.3.4", "198.51.100.1"),
        (["for=203.0.113.9", "for=198.51.100.1"], "198.51.100.1"),
        (r'for=198.51.100.1;host="a\",for=203.0.113.9;for=203.0.113.9"', "198.51.100.1"),
        ("for=198.51.100.1, for=_hidden", PROXY),
        ("for=198.51.100.1, for=unknown", PROXY),
        ("for=198.51.100.1, by=10.0.0.1", PROXY),
        ('for=198.51.100.1;host="unfinished', PROXY),
    ],
)
def test_the_right_most_that_is_no_proxy_of_ours(written, client):
    header = "forwarded" if "=" in str(written) else "x_forwarded_for"
    assert address(PROXY, **{header: written}) == client


def test_an_address_alone_is_no_standard_header():
    assert address(PROXY, forwarded="198.51.100.1") == PROXY


def test_a_header_that_the_proxy_does_not_write_is_not_believed():
    """The proxy appends to one of them and passes on what the client has sent as the other."""
    assert address(PROXY, x_forwarded_for="198.51.100.1", forwarded="for=203.0.113.9") == PROXY
    both = {"x_forwarded_for": "198.51.100.1", "forwarded": 'for="198.51.100.1:80"'}
    assert address(PROXY, **both) == "198.51.100.1"


def test_a_unix_socket_has_no_address():
    assert address("") == "None"


@given(
    st.text(alphabet=st.characters(max_codepoint=255)),
    st.text(alphabet='for=;,"\\:. 1[]_', max_size=80),
)
def test_garbage_is_the_proxy_s_own_request(one, other):
    for written in (one, other):
        assert address(PROXY, forwarded=written)
        assert address(PROXY, x_forwarded_for=written)


def test_a_network_of_ipv6_is_one_client():
    networks = {
        network_of(found)
        for written in ("2001:db8::1", "2001:db8::2", "::ffff:192.0.2.7")
        if (found := parse_address(written))
    }
    assert networks == {"2001:db8::/64", "192.0.2.7"}
