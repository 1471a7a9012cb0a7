"""One delivery from its claim to its record: written, signed, sent."""

import datetime as dt
import logging
import random
from collections.abc import Mapping

from app.integrations.webhooks.addresses import signatures
from app.integrations.webhooks.events import TEST_EVENT, EventName, FailureCode, Format, Message
from app.integrations.webhooks.formats import FORMATS, FormatName
from app.integrations.webhooks.outbox import Attempt, Delivery
from app.integrations.webhooks.sending import Reply, Sender
from app.platform.settings import Settings
from app.platform.spans import TRACEPARENT
from app.text.language import lang_of

# Seconds after the first failed try, the second, and so on; a day and an hour in all.
DELAYS = (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 36_000)
MAX_TRIES = len(DELAYS) + 1
# Receivers that failed together are not all tried again in the same moment.
_JITTER = 0.2
MAX_RETRY_AFTER = 86_400


def next_delay(tries: int, retry_after: float | None) -> float | None:
    """Seconds until the next try after `tries` have failed; None when there is none. A receiver
    that asks for more time than that gets it, up to a day."""
    if tries >= MAX_TRIES:
        return None
    delay = DELAYS[tries - 1] * (1 + _JITTER * random.random())  # noqa: S311  no secret
    return max(delay, min(retry_after or 0, MAX_RETRY_AFTER))


logger = logging.getLogger(__name__)

_GONE = 410
# Events that are about no verdict, but are shown on a page.
_PAGES: Mapping[str, str] = {
    EventName.QUALITY_CHANGED: "quality",
    EventName.FAILURE_OPENED: "failures/{failure_id}",
    EventName.FAILURE_REOPENED: "failures/{failure_id}",
}


class Deliverer:
    """Sends what it is given over one Sender."""

    def __init__(self, sender: Sender, settings: Settings) -> None:
        self._sender = sender
        self._pages = settings.api.public_url and f"{settings.api.public_url.rstrip('/')}/ui/"

    async def deliver(self, delivery: Delivery) -> Attempt:
        """Sends it once. Never raises, neither for what the receiver does nor for a mistake of
        ours: that must not have it sent again without a pause."""
        if delivery.tries > MAX_TRIES:
            return _failed_attempt(FailureCode.WORKER_DIED)
        try:
            return await self._send(delivery)
        except Exception:
            logger.exception("Delivery %s failed", delivery.id)
            failure = FailureCode.INTERNAL_ERROR
            return _failed_attempt(failure, _delay(delivery, failure))

    async def _send(self, delivery: Delivery) -> Attempt:
        format_ = FORMATS[FormatName(delivery.format)]
        try:
            body = format_.write(self._message(delivery))
        except Exception:  # a mistake of ours must not have it tried for ever
            logger.exception("Delivery %s cannot be written as %s", delivery.id, delivery.format)
            return _failed_attempt(FailureCode.NOT_WRITTEN)
        id_ = f"msg_{delivery.id.hex}"
        timestamp = int(dt.datetime.now(dt.UTC).timestamp())
        headers = {
            "content-type": "application/json",
            "webhook-id": id_,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signatures(id_, timestamp, body, delivery.secrets),
            **({TRACEPARENT: delivery.traceparent} if delivery.traceparent else {}),
        }
        reply = await self._sender.post(delivery.url, body, headers)
        failure = reply.failure or _failure(reply, format_)
        return Attempt(
            failure=failure,
            delay=_delay(delivery, failure, reply.retry_after),
            status=reply.status,
            ms=reply.ms,
            reply=reply.text,
        )

    def _message(self, delivery: Delivery) -> Message:
        of_verdict = "evaluations/{evaluation_id}" if "evaluation_id" in delivery.data else ""
        page = _PAGES.get(delivery.event, of_verdict).format_map(delivery.data)
        return Message(
            id=delivery.id,
            event=delivery.event,
            at=delivery.at,
            data=delivery.data,
            content=delivery.content,
            link=self._pages and self._pages + page,
            lang=lang_of(delivery.lang),
            traceparent=delivery.traceparent,
        )


def _failed_attempt(failure: FailureCode, delay: float | None = None) -> Attempt:
    return Attempt(failure=failure, delay=delay, status=None, ms=0, reply="")


def _failure(reply: Reply, format_: Format) -> FailureCode | None:
    status = reply.status or 0
    if 200 <= status < 300:
        return None if format_.accepted(reply.text) else FailureCode.NOT_ACCEPTED
    if 300 <= status < 400:
        return FailureCode.REDIRECTED
    return FailureCode.GONE if status == _GONE else FailureCode.REFUSED


def _delay(
    delivery: Delivery, failure: FailureCode | None, retry_after: float | None = None
) -> float | None:
    # People wait for the result of a test, and a receiver that is gone wants nothing more.
    if failure is None or failure is FailureCode.GONE or delivery.event == TEST_EVENT:
        return None
    return next_delay(delivery.tries, retry_after)
