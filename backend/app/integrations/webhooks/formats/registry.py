"""The formats by name."""

from collections.abc import Mapping

from app.integrations.webhooks.formats import FormatName
from app.integrations.webhooks.formats.json import JsonFormat
from app.integrations.webhooks.formats.message import Format
from app.integrations.webhooks.formats.otlp import OtlpFormat
from app.integrations.webhooks.formats.slack import SlackFormat

FORMATS: Mapping[FormatName, Format] = {
    FormatName.JSON: JsonFormat(),
    FormatName.SLACK: SlackFormat(),
    FormatName.OTLP: OtlpFormat(),
}
