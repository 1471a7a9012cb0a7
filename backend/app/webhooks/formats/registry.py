"""The formats by name."""

from collections.abc import Mapping

from app.webhooks.formats import FormatName
from app.webhooks.formats.json import JsonFormat
from app.webhooks.formats.message import Format
from app.webhooks.formats.otlp import OtlpFormat
from app.webhooks.formats.slack import SlackFormat

FORMATS: Mapping[FormatName, Format] = {
    FormatName.JSON: JsonFormat(),
    FormatName.SLACK: SlackFormat(),
    FormatName.OTLP: OtlpFormat(),
}
