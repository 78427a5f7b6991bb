"""Says what a test expects to be refused."""

import contextlib
from collections.abc import Iterator

import pytest

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused


@contextlib.contextmanager
def refused(reason: str) -> Iterator["pytest.ExceptionInfo[Refused]"]:
    """Expect a refusal with a reason of the catalogue (STALE_VERSION)."""
    with pytest.raises(Refused) as caught:
        yield caught
    assert errors_pb2.Reason.Name(caught.value.reason) == f"REASON_{reason}", caught.value.refusal
