"""The contract for authors of clients: as descriptors with their comments, and as .proto files in a zip.

Both are made along with the generated code (scripts/prepare.py), and contain what is for clients, not what the services tell each
other.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import brettwerk
from gateway.http.responses import ASK_EACH_TIME, File, web_refusal
from gateway.messages.compression import gzipped_to_keep
from services.runtime.refusal import malformed

DESCRIPTORS = "contract.binpb"
"""An encoded google.protobuf.FileDescriptorSet: buf, grpcurl (-protoset) and protoc (--descriptor_set_in) read it."""
BUNDLE = "contract.zip"
_TYPES = {DESCRIPTORS: "application/x-protobuf", BUNDLE: "application/zip"}


@cache
def _read() -> Mapping[str, File]:
    """Return the files by their names. They are read and compressed once."""
    bodies = {name: (resources.files(brettwerk) / "published" / name).read_bytes() for name in _TYPES}
    return {
        DESCRIPTORS: File.of(bodies[DESCRIPTORS], _TYPES[DESCRIPTORS], {"gzip": gzipped_to_keep(bodies[DESCRIPTORS])}),
        BUNDLE: File.of(bodies[BUNDLE], _TYPES[BUNDLE], {}),
    }


class ContractFiles:
    """Serves both."""

    def __init__(self) -> None:
        """Read them. Raises OSError if the code was generated without them."""
        self._files = _read()

    def routes(self) -> list[Route]:
        """Return where they are."""
        every = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        return [Route(f"/v1/{name}", self._handle, methods=every) for name in _TYPES]

    async def _handle(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return web_refusal(malformed("", "the contract is read by GET").refusal, 405, {"allow": "GET, HEAD"})
        return self._files[request.url.path.rpartition("/")[2]].response(request, ASK_EACH_TIME)
