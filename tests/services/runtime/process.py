"""A service as a process of its own, as it is run in production."""

import os
import subprocess
import sys
import time
from types import TracebackType

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.ports import free_port


class ServiceProcess:
    """`python -m module`, listening on a free port; ready when the block begins and gone when it ends."""

    def __init__(self, module: str, **environment: str) -> None:
        self.address = f"127.0.0.1:{free_port()}"
        self.metrics = f"127.0.0.1:{free_port()}"
        self.links = f"127.0.0.1:{free_port()}"
        listens = {"LISTEN": self.address, "LINK_LISTEN": self.links, "METRICS_LISTEN": self.metrics}
        settings = {**{f"BRETTWERK_{name}": address for name, address in listens.items()}, **environment}
        self._popen = subprocess.Popen(
            [sys.executable, "-m", module],
            env={**os.environ, "BRETTWERK_DRAIN_S": "0", **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "ServiceProcess":
        try:
            self._wait_until_ready()
        except BaseException:
            self._popen.kill()
            out, err = self._popen.communicate()
            print(out, err)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._popen.poll() is None:
            self._popen.kill()
        self._popen.communicate()

    def signal(self, number: int) -> None:
        self._popen.send_signal(number)

    def wait(self, timeout: float) -> int:
        """Return the exit code."""
        return self._popen.wait(timeout)

    def output(self) -> tuple[str, str]:
        """Return what it wrote to standard output and to standard error, once it has ended."""
        return self._popen.communicate(timeout=30)

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + 60
        with grpc.insecure_channel(self.address) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            while time.monotonic() < until and self._popen.poll() is None:
                try:
                    response = health.Check(health_pb2.HealthCheckRequest(), timeout=1, wait_for_ready=True)
                except grpc.RpcError:
                    continue
                if response.status == health_pb2.HealthCheckResponse.SERVING:
                    return
                time.sleep(0.05)
        raise AssertionError("the service did not become ready")
