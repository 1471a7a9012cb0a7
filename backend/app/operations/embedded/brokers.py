"""A broker that is not embedded: whether it can be reached."""

import asyncio

from app.operations.embedded.redis import can_connect
from app.platform.errors import SetupError
from app.platform.servers.amqp_address import is_amqp, read_amqp_address
from app.platform.servers.redis_address import read_redis_address
from app.platform.settings import Settings


async def check_broker(broker_url: str, settings: Settings) -> None:
    """Raises SetupError in one sentence if BROKER_URL is no address or nothing answers there."""
    if is_amqp(broker_url):
        from app.platform.broker import PublishError, rabbitmq_version

        shown = f"RabbitMQ at {read_amqp_address(broker_url).shown}"
        try:
            await asyncio.to_thread(rabbitmq_version, broker_url, settings)
        except PublishError:
            answers = False
        else:
            answers = True
    else:
        shown = f"The broker at {read_redis_address(broker_url, 'BROKER_URL').shown}"
        answers = await can_connect(broker_url)
    if not answers:
        raise SetupError(
            f"{shown} cannot be reached or refuses the login: check BROKER_URL and that it runs, or"
            " unset BROKER_URL to send messages through Redis."
        )
