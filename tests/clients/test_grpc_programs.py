"""Programs in Go and Java over gRPC's own libraries of these languages: an idle channel that asks for signs of life stays."""

import os
import shutil
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment
from tests.clients.test_generated import GO_SOURCES, HASTE, needs, run

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.nightly, pytest.mark.timeout(900)]
JARS = Path("/usr/share/java")
IN_JARS = ("grpc-*", "guava", "netty-*", "perfmark-*", "opencensus-*", "jsr305", "gson")
IDLE_S = 65
"""Long enough for six signs of life: gRPC's own servers send a client away after the third that comes too soon."""

IN_GO = """
// Stays idle over one connection, but for signs of life every ten seconds, which is the least that grpc-go allows.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
)

func ask(conn *grpc.ClientConn) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	answer, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{Service: "live"})
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Status)
}

func main() {
	idle, _ := time.ParseDuration(os.Args[2])
	terms := keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 5 * time.Second, PermitWithoutStream: true}
	conn, err := grpc.Dial(os.Args[1], grpc.WithInsecure(), grpc.WithBlock(), grpc.WithKeepaliveParams(terms))
	if err != nil {
		panic(err)
	}
	ask(conn)
	ctx, cancel := context.WithTimeout(context.Background(), idle)
	defer cancel()
	if conn.WaitForStateChange(ctx, connectivity.Ready) {
		panic(conn.GetState())
	}
	ask(conn)
}
"""

IN_JAVA = """
import io.grpc.*;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.*;
import java.util.concurrent.TimeUnit;

/** Stays idle over one connection, but for signs of life every ten seconds, which is the least that grpc-java allows. */
public class Program {
  static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
    public InputStream stream(byte[] value) { return new ByteArrayInputStream(value); }
    public byte[] parse(InputStream stream) {
      try { return stream.readAllBytes(); } catch (IOException error) { throw new UncheckedIOException(error); }
    }
  };

  static void ask(Channel channel) {
    var method = MethodDescriptor.newBuilder(BYTES, BYTES).setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName("brettwerk.v1.PlayService/ListGames").build();
    var options = CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS);
    System.out.println(ClientCalls.blockingUnaryCall(channel, method, options, new byte[0]).length > 0 ? "SERVING" : "?");
  }

  public static void main(String[] arguments) throws Exception {
    var channel = NettyChannelBuilder.forTarget(arguments[0]).usePlaintext().keepAliveTime(10, TimeUnit.SECONDS)
        .keepAliveTimeout(5, TimeUnit.SECONDS).keepAliveWithoutCalls(true).build();
    ask(channel);
    var until = System.nanoTime() + Long.parseLong(arguments[1]) * 1_000_000_000L;
    while (System.nanoTime() < until) {
      if (channel.getState(false) != ConnectivityState.READY) throw new IllegalStateException("sent away");
      Thread.sleep(100);
    }
    ask(channel);
    channel.shutdownNow();
  }
}
"""


def test_an_idle_channel_in_go_stays(tmp_path: Path, deployment: Deployment) -> None:
    found = bool(shutil.which("go") and (GO_SOURCES / "src" / "google.golang.org" / "grpc").exists())
    needs("golang-go", "golang-google-grpc-dev", found=found)
    program = tmp_path / "src" / "program"
    program.mkdir(parents=True)
    (program / "main.go").write_text(IN_GO)
    places = {"GOPATH": f"{tmp_path}{os.pathsep}{GO_SOURCES}", "GOCACHE": str(tmp_path / "cache"), "GO111MODULE": "off"}
    assert run("go", "run", "program", deployment.grpc_address, f"{IDLE_S}s", folder=program, **places).split() == ["SERVING"] * 2


def test_an_idle_channel_in_java_stays(tmp_path: Path, deployment: Deployment) -> None:
    jars = [str(jar) for name in IN_JARS for jar in JARS.glob(f"{name}.jar")]
    needs(
        "default-jdk-headless",
        "libgrpc-java",
        "libnetty-java",
        found=bool(shutil.which("javac") and (JARS / "grpc-netty.jar").exists()),
    )
    (tmp_path / "Program.java").write_text(IN_JAVA)
    path = os.pathsep.join([*jars, str(tmp_path)])
    run("javac", *HASTE, "-nowarn", "-proc:none", "-cp", path, "-d", tmp_path, "Program.java", folder=tmp_path)
    said = run("java", "-cp", path, "Program", deployment.grpc_address, str(IDLE_S), folder=tmp_path)
    assert said.split() == ["SERVING"] * 2
