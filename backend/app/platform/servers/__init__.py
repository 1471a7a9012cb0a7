"""Addresses of Redis and of RabbitMQ, and clients of Redis."""
