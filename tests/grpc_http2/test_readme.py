"""The example of the README serves what it says, to grpcio."""

import re
import socket
from pathlib import Path
from typing import Any

import grpc

README = Path(__file__).parents[2] / "grpc_http2" / "README.md"


async def test_the_example_answers_a_call_and_a_stream() -> None:
    found = re.search(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found
    example: dict[str, Any] = {}
    exec(found[1], example)
    bound = socket.create_server(("127.0.0.1", 0))
    server = await example["serve"](bound)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{bound.getsockname()[1]}") as channel:
        greet: Any = channel.unary_unary("/Greeter/Greet")
        count: Any = channel.unary_stream("/Greeter/Count")
        assert await greet(b"Ada", timeout=20) == b"Hello Ada"
        assert [number async for number in count(b"3", timeout=20)] == [b"0", b"1", b"2"]
    await server.stop(1)
