"""A request that could not be acknowledged: whether its place is free again."""

from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from kombu import Connection
from kombu.transport import redis

from services.ai.celery_worker import acknowledgements
from tests.ports import free_port
from tests.redis_server import server


@pytest.mark.parametrize("way", ["ack_log_error", "reject_log_error"])
def test_the_place_of_a_request_is_free_though_the_broker_went_away_before_it_was_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(redis.Channel, "QoS", redis.QoS)  # as it is afterwards
    acknowledgements.install()
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    with server(tmp_path, port, "--save", "") as broker, Connection(url, transport_options={"socket_timeout": 5}) as connection:
        connection.ensure_connection(max_retries=100, interval_step=1, interval_max=1)
        queue = connection.SimpleQueue("think")
        queue.put({"a": "request"})
        channel: Any = queue.channel
        channel.basic_qos(0, 1, False)
        message = queue.get(timeout=30)
        assert not channel.qos.can_consume()
        broker.kill()
        broker.wait()
        logger = Mock()
        getattr(message, way)(logger, connection.connection_errors)
        logger.critical.assert_called_once()  # it has failed
        assert channel.qos.can_consume()
