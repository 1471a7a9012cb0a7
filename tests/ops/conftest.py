"""Tests against the servers that operators run: the stack and the table of tests/faults."""

from fault_fixtures import *  # noqa: F403  pytest finds them here
