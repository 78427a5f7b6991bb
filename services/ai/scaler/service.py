"""The methods that KEDA calls. The target for a pool of workers is in its trigger (deploy/chart, values.yaml)."""

import math
import time
from collections.abc import AsyncIterator

from brettwerk.internal.keda import external_scaler_pb2 as keda
from brettwerk.internal.keda import external_scaler_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.ai.board.load import Load
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.tasks import ends_within

LOAD = "load"
"""Demand over capacity: more workers in the proportion in which it is too much."""
WAIT = "wait"
"""How long a person waits for a computer to begin, in seconds: more workers in the proportion in which that is too long."""
STREAMS = 16
"""Streams at once: KEDA has one for each pool of workers."""
STREAM_S = 3_000.0
"""After so long a stream ends in order, and KEDA opens another: sooner than its connection is closed."""
_DEFAULTS = {"busyShare": 0.7, "oldestWait": 1.0, "clearWithin": 30.0}
_TARGETS = {LOAD: "busyShare", WAIT: "oldestWait"}
_MAX = 1e6


class ScalerService(external_scaler_pb2_grpc.ExternalScalerServicer):
    """Answers from what is known; nothing that is asked here goes any further."""

    def __init__(self, load: Load) -> None:
        """Tell of this load."""
        self._load = load
        self._streams = 0
        self._is_closing = False

    def end_streams(self) -> None:
        """End all streams in order, now and from now on: their callers come again, and find another process."""
        self._is_closing = True
        self._load.wake()

    async def IsActive(self, request: keda.ScaledObjectRef, context: object) -> keda.IsActiveResponse:
        """Return whether a worker is needed. Raises Refused (UNAVAILABLE) while the board cannot be reached."""
        return keda.IsActiveResponse(result=self._load.is_active())

    async def StreamIsActive(self, request: keda.ScaledObjectRef, context: object) -> AsyncIterator[keda.IsActiveResponse]:
        """Yield the same now and whenever it changes. While the board cannot be reached there is nothing to say.

        Raises Refused (FULL) for too many streams.
        """
        if self._streams >= STREAMS:
            raise Refused(errors_pb2.REASON_FULL, f"{STREAMS} streams are open: more are not needed")
        self._streams += 1
        self._load.watch()
        until_s, said = time.monotonic() + STREAM_S, None
        try:
            while not self._is_closing:
                change = self._load.change  # before what it is about: nothing is missed meanwhile
                is_active = self._known()
                if is_active is not None and is_active is not said:
                    said = is_active
                    yield keda.IsActiveResponse(result=is_active)
                if not await ends_within(until_s - time.monotonic(), change.wait()):
                    break
        finally:
            self._load.unwatch()
            self._streams -= 1

    async def GetMetricSpec(self, request: keda.ScaledObjectRef, context: object) -> keda.GetMetricSpecResponse:
        """Return the two figures and what they should be by the trigger. Raises Refused (MALFORMED)."""
        response = keda.GetMetricSpecResponse()
        for name, target in _TARGETS.items():
            size = _number(request, target)
            response.metric_specs.add(metric_name=name, target_size=max(1, math.ceil(size)), target_size_float=size)
        return response

    async def GetMetrics(self, request: keda.GetMetricsRequest, context: object) -> keda.GetMetricsResponse:
        """Return one of the two figures. Raises Refused (UNKNOWN, MALFORMED, UNAVAILABLE)."""
        if request.metric_name == LOAD:
            figure = self._load.ratio(_number(request.scaled_object_ref, "clearWithin"))
        elif request.metric_name == WAIT:
            figure = self._load.person_wait_s()
        else:
            raise unknown("figure", "metric_name", request.metric_name, _TARGETS)
        response = keda.GetMetricsResponse()
        response.metric_values.add(metric_name=request.metric_name, metric_value=math.ceil(figure), metric_value_float=figure)
        return response

    def _known(self) -> bool | None:
        try:
            return self._load.is_active()
        except Refused:
            return None


def _number(of: keda.ScaledObjectRef, name: str) -> float:
    """Return a number of the trigger, by default that of the chart. Raises Refused (MALFORMED) for one that is not above 0."""
    given = of.scaler_metadata.get(name, "")
    if not given:
        return _DEFAULTS[name]
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not 0 < number <= _MAX:
        raise malformed("scaler_metadata", f"{name} must be a number above 0, at most {_MAX:,.0f}")
    return number
