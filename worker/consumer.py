"""Celery's consumer, which sends the events for Flower in batches, has a heartbeat, and leaves
messages to other workers while this one cannot reach PostgreSQL."""

from typing import Any, ClassVar

from celery.worker.consumer import Consumer as CeleryConsumer

from app.platform.heartbeat import heartbeat
from worker.fetching import PAUSED

# Flower shows what happened this long ago (seconds).
EVENTS_INTERVAL_SECONDS = 0.2
# With this many events a batch is sent before its time.
MAX_BUFFERED_EVENTS = 1000
# How often RabbitMQ's consumer follows PAUSED.
PAUSE_INTERVAL_SECONDS = 0.2
_LOOP = "consumer"
# Celery's own commands wait for a frozen broker with the thread of the hub, one time limit
# and one new try after the other, while the calls in flight go on.
_SILENCE_SECONDS = 300.0


class Consumer(CeleryConsumer):  # type: ignore[misc]  # celery ships no types
    """Sending each task's three events as they come costs as much as taking its message."""

    class Blueprint(CeleryConsumer.Blueprint):  # type: ignore[misc]
        """Without the 28 queues that Celery declares in RabbitMQ for messages with a countdown:
        ours have none."""

        default_steps: ClassVar = [
            step
            for step in CeleryConsumer.Blueprint.default_steps
            if "delayed_delivery" not in step
        ]

        def info(self, parent: Any) -> dict[str, Any]:
            """For Flower and `celery inspect stats`: without the Sentinels' password, which is
            among the options; the broker's own Celery leaves out."""
            found: dict[str, Any] = super().info(parent)
            if isinstance(found.get("broker"), dict):
                found["broker"].pop("transport_options", None)
            return found

    def register_with_event_loop(self, hub: Any) -> None:
        super().register_with_event_loop(hub)
        self.event_dispatcher.buffer_limit = MAX_BUFFERED_EVENTS
        hub.call_repeatedly(EVENTS_INTERVAL_SECONDS, self._flush_events)
        heartbeat.expect(_LOOP, _SILENCE_SECONDS)
        hub.call_repeatedly(heartbeat.interval, heartbeat.beat, _LOOP)
        if self.connection.transport.driver_type == "amqp":
            self._consuming = True  # from the end of this start
            hub.call_repeatedly(PAUSE_INTERVAL_SECONDS, self._follow_pause)

    def _follow_pause(self) -> None:
        """RabbitMQ delivers to whoever consumes, where our channel asks Redis for messages."""
        if PAUSED.is_set() == self._consuming:
            self._consuming = not self._consuming
            if self._consuming:
                self.task_consumer.consume()
            else:
                self.task_consumer.cancel()

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """While the broker is away, Celery waits for it with this thread."""
        heartbeat.release(_LOOP)
        super().on_connection_error_after_connected(exc)

    def on_send_event_buffered(self) -> None:
        """The timer sends them."""
