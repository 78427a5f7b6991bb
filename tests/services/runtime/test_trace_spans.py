"""One trace an action, from endpoint to worker, as a real OTLP receiver gets it."""

import gzip
import os
import random
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
import yaml
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from services.runtime import trace
from tests.e2e.stranger import Stranger, computer, eventually, me
from tests.ports import free_port

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).resolve().parents[3]


class Receiver:
    """Takes spans: (service, name, trace id, span id, parent id)."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, str, str, str, str]] = []
        kept = self.spans

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    facts = {fact.key: fact.value.string_value for fact in resource.resource.attributes}
                    for scope in resource.scope_spans:
                        for one in scope.spans:
                            ids = (one.trace_id.hex(), one.span_id.hex(), one.parent_span_id.hex())
                            kept.append((facts["service.name"], one.name, *ids))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1/traces"

    def of(self, call: str) -> list[tuple[str, str, str, str, str]]:
        """Return the spans of the trace that begins with a call at the gateway."""
        begun = {one[2] for one in self.spans if one[:2] == ("brettwerk-gateway", call)}
        assert len(begun) <= 1
        return [one for one in self.spans if one[2] in begun]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    started = Receiver()
    yield started
    started.server.shutdown()
    started.server.server_close()


def test_without_an_endpoint_a_step_is_only_a_trace_id() -> None:
    step = trace.begin_span("step")
    assert step is trace.NO_SPAN
    assert len(trace.trace_id()) == 32
    step.end()


@pytest.fixture(params=["straight", "through a collector"])
def endpoint(request: pytest.FixtureRequest, receiver: Receiver, tmp_path: Path) -> Iterator[str]:
    """Yield where spans are to be sent so that the receiver gets them."""
    if request.param == "straight":
        yield receiver.url
        return
    program = os.environ.get("BRETTWERK_COLLECTOR") or shutil.which("otelcol")
    if not program:
        pytest.skip("no OpenTelemetry Collector is installed (otelcol, or BRETTWERK_COLLECTOR)")
    listens = f"127.0.0.1:{free_port()}"
    settings = yaml.safe_load((ROOT / "deploy" / "observe" / "collector.yaml").read_text())
    settings["receivers"]["otlp"]["protocols"]["http"]["endpoint"] = listens
    settings["exporters"]["otlp_http"]["endpoint"] = receiver.url.removesuffix("/v1/traces")
    settings["service"]["telemetry"] = {"metrics": {"level": "none"}}
    file = tmp_path / "collector.yaml"
    file.write_text(yaml.safe_dump(settings))
    log = (tmp_path / "collector.log").open("wb")
    with log, subprocess.Popen([program, f"--config={file}"], stdout=log, stderr=log) as collector:
        try:
            eventually(lambda: is_listening(listens), within_s=60)
            yield f"http://{listens}/v1/traces"
        finally:
            collector.terminate()


def is_listening(address: str) -> bool:
    """Return whether somebody listens at host:port."""
    host, _, port = address.rpartition(":")
    with socket.socket() as asking:
        return asking.connect_ex((host, int(port))) == 0


@pytest.mark.nightly
def test_an_action_is_one_trace_from_the_endpoint_to_the_worker(tmp_path: Path, receiver: Receiver, endpoint: str) -> None:
    with Deployment(
        data=tmp_path / "deployment", processes=Processes(web=False), environment={"BRETTWERK_TRACE_ENDPOINT": endpoint}
    ) as deployment:
        ada = Stranger(deployment.grpc_address, "Ada")
        session, seats = ada.create(me(), computer("easy"))
        update = ada.look(session.id, seats[0])
        ada.act(update, seats[0], random.Random(1).randrange(len(update.actions)))
        wanted = {"Act", "think", "WantMoves", "SubmitActions", "NoteNews"}
        eventually(lambda: wanted <= {one[1] for one in receiver.of("Act")}, within_s=60)
        address = deployment.metrics_address("gateway")
        shown = httpx.get(f"http://{address}/metrics", headers={"accept": "application/openmetrics-text"}, timeout=10).text
        ada.close()
    steps = receiver.of("Act")
    services = {one[0].removeprefix("brettwerk-") for one in steps}
    assert services == {"gateway", "session", "rules", "ai", "worker", "players"}
    (exemplar,) = re.findall(r'_duration_seconds_bucket{.*method="Act".*} .* # {trace_id="(\w+)"}', shown)
    assert exemplar == steps[0][2], "dashboards lead from a slow call to its trace"
    by_id = {one[3] for one in steps}
    roots = [one for one in steps if one[4] not in by_id]
    assert [one[:2] for one in roots] == [("brettwerk-gateway", "Act")]
