"""How an event is written for its receiver: a module each, registered in `registry`."""

import enum


class FormatName(enum.StrEnum):
    JSON = "json"
    SLACK = "slack"
    OTLP = "otlp"
