"""TLS to a server, by the parameters `ssl_…` of its address: redis-py's names."""

import os
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import certifi

_VERIFY = {"required": True, "optional": True, "none": False}
_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")


def https_context() -> ssl.SSLContext:
    """Verifies certificates and names of HTTPS servers: by the CAs of SSL_CERT_FILE or
    SSL_CERT_DIR where one is set, else by Mozilla's, because bare machines have none."""
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file or folder:
        return ssl.create_default_context(cafile=file or None, capath=None if file else folder)
    return ssl.create_default_context(cafile=certifi.where())


class AddressError(ValueError):
    """What is wrong with an address, as the part of a sentence. Never holds a password."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Unlike Celery's, the default is that the server's certificate is checked: its issuer, by
    the system's CAs without a file of one's own, and its name."""

    ca_certs: str | None = None
    certfile: str | None = None
    keyfile: str | None = None
    verify: bool = True
    check_hostname: bool = True

    @classmethod
    def read(cls, query: dict[str, str]) -> Self:
        """Takes its parameters out of `query`. Raises AddressError."""
        files = {name: query.pop(name, None) for name in _FILES}
        for name, file in files.items():
            if file is not None and not Path(file).is_file():
                raise AddressError(f"{name}: there is no file {file}")
        needed = query.pop("ssl_cert_reqs", "required").lower().removeprefix("cert_")
        checked = query.pop("ssl_check_hostname", "true").lower()
        if needed not in _VERIFY:
            raise AddressError("ssl_cert_reqs is one of required and none")
        if checked not in _TRUTHS:
            raise AddressError("ssl_check_hostname is one of true and false")
        verify = _VERIFY[needed]
        return cls(
            ca_certs=files["ssl_ca_certs"],
            certfile=files["ssl_certfile"],
            keyfile=files["ssl_keyfile"],
            verify=verify,
            check_hostname=verify and _TRUTHS[checked],
        )

    def for_redis(self) -> dict[str, object]:
        """Arguments of redis-py's connections."""
        return {
            "ssl_cert_reqs": ssl.CERT_REQUIRED if self.verify else ssl.CERT_NONE,
            "ssl_check_hostname": self.check_hostname,
            **dict(self._files()),
        }

    def _files(self) -> Iterator[tuple[str, str]]:
        for name in ("ca_certs", "certfile", "keyfile"):
            if file := getattr(self, name):
                yield f"ssl_{name}", file
