"""A Redis of these tests' own."""

from tests.services.session.conftest import redis_url

__all__ = ["redis_url"]
