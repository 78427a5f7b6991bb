"""Asks a process on this machine how it is.

    python -m services.runtime.probe grpc 127.0.0.1:9001 [live]
    python -m services.runtime.probe http 127.0.0.1:9000/live

For whoever looks after a container without knowing gRPC; exits with 0 when the answer is good, 1 when it is not. Kubernetes asks
by itself.
"""

import http.client
import sys
from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

TIMEOUT_S = 3.0


def main(arguments: Sequence[str]) -> int:
    """Return the exit code."""
    match arguments:
        case ["grpc", address]:
            return 0 if serves(address, "") else 1
        case ["grpc", address, service]:
            return 0 if serves(address, service) else 1
        case ["http", place]:
            return 0 if answers(place) else 1
        case _:
            print(__doc__, file=sys.stderr)
            return 2


def serves(address: str, service: str) -> bool:
    """Return whether a gRPC health service says SERVING."""
    with grpc.insecure_channel(address) as channel:
        try:
            request = health_pb2.HealthCheckRequest(service=service)
            status = health_pb2_grpc.HealthStub(channel).Check(request, timeout=TIMEOUT_S).status
        except grpc.RpcError:
            return False
    return bool(status == health_pb2.HealthCheckResponse.SERVING)


def answers(place: str) -> bool:
    """Return whether a GET of host:port/path is answered with 200."""
    address, _, path = place.partition("/")
    connection = http.client.HTTPConnection(address, timeout=TIMEOUT_S)
    try:
        connection.request("GET", f"/{path}")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
