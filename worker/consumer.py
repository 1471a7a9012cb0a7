"""Celery's consumer, which tells Flower of many tasks at a time."""

from typing import Any

from celery.worker.consumer import Consumer as CeleryConsumer

# Flower shows what happened this long ago (seconds).
EVENTS_EVERY = 0.2
# Beyond this many events nobody waits any longer.
MOST_EVENTS = 1000


class Consumer(CeleryConsumer):  # type: ignore[misc]  # celery ships no types
    """Sending each task's three events as they come costs as much as taking its message."""

    def register_with_event_loop(self, hub: Any) -> None:
        super().register_with_event_loop(hub)
        self.event_dispatcher.buffer_limit = MOST_EVENTS
        hub.call_repeatedly(EVENTS_EVERY, self._flush_events)

    def on_send_event_buffered(self) -> None:
        """The timer sends them."""
