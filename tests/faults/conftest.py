"""The fixtures of these tests."""

from fault_fixtures import *  # noqa: F403  pytest finds them here
