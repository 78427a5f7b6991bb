import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime import trace

KNOWN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_trace_that_a_caller_began_goes_on() -> None:
    assert trace.begin(KNOWN) == KNOWN
    assert trace.traceparent() == KNOWN
    assert trace.trace_id() == "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    "header",
    [
        "",
        "nonsense",
        KNOWN + "\n",
        KNOWN.upper(),
        "00-" + "0" * 32 + "-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-" + "0" * 16 + "-01",
        "٠٠-" + KNOWN[3:],
    ],
)
def test_one_that_cannot_be_read_is_begun_anew(header: str) -> None:
    begun = trace.begin(header)
    assert begun != header
    assert trace.begin(begun) == begun


@given(header=st.text())
def test_a_trace_begins_from_any_header_and_can_go_on(header: str) -> None:
    assert trace.begin(trace.begin(header)) == trace.traceparent()
    assert len(trace.trace_id()) == 32


async def test_each_task_has_a_trace_of_its_own() -> None:
    async def one() -> str:
        trace.begin()
        await asyncio.sleep(0)
        return trace.trace_id()

    ids = await asyncio.gather(*(one() for _ in range(10)))
    assert len(set(ids)) == 10


def test_outside_of_a_trace_there_is_no_id() -> None:
    trace._current.set("")
    assert trace.trace_id() == ""
