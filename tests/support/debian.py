"""Servers of Debian packages, which tests do without where they are not installed."""

import shutil

import pytest

# Where Debian puts servers; not on the PATH of everybody.
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def debian_program(name: str, package: str) -> str:
    """The path of a program. Skips the test where it is not installed."""
    if found := shutil.which(name, path=_PATH):
        return found
    pytest.skip(f"{name} is not installed: apt-get install {package}")
