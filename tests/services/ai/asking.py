"""How tests ask the AI service, and answer for its workers."""

import time
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from grpc_status import rpc_status

from brettwerk.internal.v1 import ai_pb2, ai_pb2_grpc
from brettwerk.v1 import errors_pb2
from brettwerk_games.rules.einstein.board import WHITE
from services.ai.board.order import Finished, Order
from services.ai.board.worker_board import WorkerBoard
from tests.services.ai.deployment import Deployment, start_position, view_of, wait_until


def want(number: int = 0, version: int = 7, level: str = "easy", **fields: Any) -> ai_pb2.Want:
    filled: dict[str, Any] = {
        "session_id": f"07abcdefghijklmnopqrst{number:02d}",
        "seat": 1,
        "version": version,
        "game": "einstein",
        "since_ms": int(time.time() * 1000) - 1000 + number,
        "waiting": ai_pb2.WAITING_PERSON,
        "player": bytes([number]),
        "ticket": b"a ticket",
        **fields,
    }
    made = ai_pb2.Want(**filled)
    made.computer.level = level
    return made


def withdrawal(number: int = 0, version: int = 7) -> ai_pb2.Withdrawal:
    return ai_pb2.Withdrawal(session_id=want(number).session_id, seat=1, version=version)


def states(ai: ai_pb2_grpc.AiServiceStub, *numbers: int) -> list[str]:
    statuses = ai.GetWantStatuses(ai_pb2.GetWantStatusesRequest(moves=[withdrawal(number) for number in numbers])).statuses
    return [ai_pb2.WantStatus.State.Name(one.state).removeprefix("STATE_") for one in statuses]


def refusal_of(call: Callable[..., Any], request: Message) -> errors_pb2.Refusal:
    """Return the refusal that a call ends with."""
    with pytest.raises(grpc.RpcError) as caught:
        call(request, timeout=10)
    status = rpc_status.from_call(caught.value)
    assert status is not None
    assert status.code == caught.value.code().value[0]
    refusal = errors_pb2.Refusal()
    assert status.details[-1].Unpack(refusal)
    return refusal


def noted(ai: ai_pb2_grpc.AiServiceStub) -> int:
    return int(ai.GetWantStatuses(ai_pb2.GetWantStatusesRequest()).demand.waiting)


def end(worker: WorkerBoard, order: Order, outcome: str) -> None:
    worker.take(1, [Finished(order.key, order.version, outcome, 0, False)], 0)


def taken(worker: WorkerBoard) -> Order:
    """Return the next order, when there is one."""
    orders: list[Order] = []

    def takes() -> bool:
        worker.beat(1, (1, 2), closing=False)
        orders.extend(worker.take(1, [], 1).orders)
        return bool(orders)

    wait_until(takes)
    return orders[0]


def review(level: str = "easy") -> ai_pb2.ReviewRequest:
    request = ai_pb2.ReviewRequest(game="einstein", view=view_of(start_position(), WHITE))
    request.computer.level = level
    return request


def reply(deployment: Deployment, order: Order, answer: Message) -> None:
    envelope = AnyMessage()
    envelope.Pack(answer)
    with deployment.broker() as broker:
        broker.rpush(order.reply_to, envelope.SerializeToString())


def swept_at(broker: Any) -> bytes | None:
    """Return when the board was swept last, as the board has it."""
    swept: bytes | None = broker.hget("bw:{wanted}:state", "swept")
    return swept


def queued(deployment: Deployment) -> int:
    with deployment.broker() as broker:
        return int(broker.llen("bw:queue:think"))
