"""A certificate authority of a test's own, and certificates that it has signed."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from debian import debian_program

_NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1"


@dataclass(frozen=True)
class Certificates:
    """One certificate serves as server's and as client's."""

    ca: Path
    certificate: Path
    key: Path

    @property
    def query(self) -> str:
        """The parameters of an address for a client that has to show a certificate."""
        return f"ssl_ca_certs={self.ca}&ssl_certfile={self.certificate}&ssl_keyfile={self.key}"


def make_certificates(folder: Path) -> Certificates:
    """For localhost and 127.0.0.1."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Certificates(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    names, ca_key = folder / "names", folder / "ca.key"
    names.write_text(_NAMES)
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    _openssl(
        *("req", "-x509", *new_key, "-subj", "/CN=test CA", "-days", "2"),
        *("-keyout", str(ca_key), "-out", str(made.ca)),
    )
    request = folder / "request"
    _openssl(
        *("req", *new_key, "-subj", "/CN=localhost"),
        *("-keyout", str(made.key), "-out", str(request)),
    )
    _openssl(
        *("x509", "-req", "-in", str(request), "-CA", str(made.ca), "-CAkey", str(ca_key)),
        *("-CAcreateserial", "-days", "2", "-extfile", str(names), "-out", str(made.certificate)),
    )
    return made


def _openssl(*arguments: str) -> None:
    subprocess.run(
        [debian_program("openssl", "openssl"), *arguments], check=True, capture_output=True
    )
