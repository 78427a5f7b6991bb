"""Code that is generated from the public contract for other languages compiles with their runtimes, and talks to a server."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.local.deployment import Deployment

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
PROTOS = Path(__file__).resolve().parents[2] / "protos"
PROTOC = Path("/usr/bin/protoc")
JAR = Path("/usr/share/java/protobuf.jar")
GO_SOURCES = Path("/usr/share/gocode")
GO_RUNTIME = GO_SOURCES / "src" / "google.golang.org" / "protobuf"
HASTE = ("-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1")
"""A compiler that runs once for half a minute takes half the time when it is not itself optimised."""
SAID = ["einstein", "2 seats", "brettwerk.v1.EinsteinView"]

IN_JAVA = """
import brettwerk.v1.*;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.net.URI;
import java.net.http.*;

public class Program {
  static String url, token;

  static <Answer> Answer call(String method, Message request, Parser<Answer> parser) throws Exception {
    var builder = HttpRequest.newBuilder(URI.create(url + "/brettwerk.v1.PlayService/" + method))
        .header("content-type", "application/proto")
        .POST(HttpRequest.BodyPublishers.ofByteArray(request.toByteArray()));
    if (token != null) builder.header("authorization", "Bearer " + token);
    var answer = HttpClient.newHttpClient().send(builder.build(), HttpResponse.BodyHandlers.ofByteArray());
    if (answer.statusCode() != 200) throw new IllegalStateException(new String(answer.body()));
    return parser.parseFrom(answer.body());
  }

  public static void main(String[] arguments) throws Exception {
    url = arguments[0];
    var me = CreatePlayerRequest.newBuilder().setName("Java").setRequestId("a Java program").build();
    token = call("CreatePlayer", me, CreatePlayerResponse.parser()).getPlayerToken();
    var games = call("ListGames", ListGamesRequest.newBuilder().setPageSize(100).build(), ListGamesResponse.parser());
    for (var game : games.getGamesList()) if (game.getId().equals("einstein")) System.out.println(game.getId());
    var wished = CreateSessionRequest.newBuilder().setGame("einstein").setRequestId("a Java session")
        .addSeats(SeatWish.newBuilder().setMe(true)).addSeats(SeatWish.newBuilder().setMe(true)).build();
    var created = call("CreateSession", wished, CreateSessionResponse.parser());
    System.out.println(created.getSession().getSeatsCount() + " seats");
    var asked = GetSessionRequest.newBuilder().setSessionId(created.getSession().getId()).build();
    var view = call("GetSession", asked, GetSessionResponse.parser()).getUpdate().getView();
    System.out.println(view.unpack(EinsteinView.class).getDescriptorForType().getFullName());
  }
}
"""

IN_GO = """
package main

import (
	"bytes"
	v1 "brettwerk/v1"
	"fmt"
	"google.golang.org/protobuf/proto"
	"io"
	"net/http"
	"os"
)

var token string

func call(method string, request, answer proto.Message) {
	body, _ := proto.Marshal(request)
	asked, _ := http.NewRequest("POST", os.Args[1]+"/brettwerk.v1.PlayService/"+method, bytes.NewReader(body))
	asked.Header.Set("Content-Type", "application/proto")
	if token != "" {
		asked.Header.Set("Authorization", "Bearer "+token)
	}
	got, err := http.DefaultClient.Do(asked)
	if err != nil {
		panic(err)
	}
	body, _ = io.ReadAll(got.Body)
	if got.StatusCode != 200 {
		panic(string(body))
	}
	if err := proto.Unmarshal(body, answer); err != nil {
		panic(err)
	}
}

func main() {
	me := &v1.CreatePlayerResponse{}
	call("CreatePlayer", &v1.CreatePlayerRequest{Name: "Go", RequestId: "a Go program"}, me)
	token = me.PlayerToken
	games := &v1.ListGamesResponse{}
	call("ListGames", &v1.ListGamesRequest{PageSize: 100}, games)
	for _, game := range games.Games {
		if game.Id == "einstein" {
			fmt.Println(game.Id)
		}
	}
	mine := &v1.SeatWish{Kind: &v1.SeatWish_Me{Me: true}}
	created := &v1.CreateSessionResponse{}
	wished := &v1.CreateSessionRequest{Game: "einstein", RequestId: "a Go session", Seats: []*v1.SeatWish{mine, mine}}
	call("CreateSession", wished, created)
	fmt.Println(len(created.Session.Seats), "seats")
	got := &v1.GetSessionResponse{}
	call("GetSession", &v1.GetSessionRequest{SessionId: created.Session.Id}, got)
	view := &v1.EinsteinView{}
	if err := got.Update.View.UnmarshalTo(view); err != nil {
		panic(err)
	}
	fmt.Println(view.ProtoReflect().Descriptor().FullName())
}
"""


def needs(*packages: str, found: bool) -> None:
    """Skip the test where this is not installed; in CI fail it, unless the distribution has no such packages."""
    if found:
        return
    missing = f"not installed: {' '.join(packages)} (.ci/install)"
    if os.environ.get("CI") == "true" and to_be_had(*packages):
        pytest.fail(missing)
    pytest.skip(missing)


def to_be_had(*packages: str) -> bool:
    """Return whether apt knows all of these packages."""
    if not shutil.which("apt-cache"):
        return False
    return subprocess.run(["apt-cache", "show", *packages], capture_output=True, check=False).returncode == 0


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Return what a program says, once it has ended well."""
    words = [*map(str, command)]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    return done.stdout


def generate(option: str, into: Path) -> list[Path]:
    """Return the code that protoc makes of the public contract. It is the one beside the runtimes, which fit its generators."""
    into.mkdir(parents=True)
    files = sorted(path.relative_to(PROTOS) for path in (PROTOS / "brettwerk" / "v1").glob("*.proto"))
    run(PROTOC, f"-I{PROTOS}", f"--{option}={into}", *files, folder=PROTOS)
    return [path for path in into.rglob("*") if path.is_file()]


@pytest.mark.timeout(900)
def test_a_client_generated_in_java_compiles_and_creates_a_game(tmp_path: Path, deployment: Deployment) -> None:
    found = bool(shutil.which("javac") and PROTOC.exists() and JAR.exists())
    needs("default-jdk-headless", "protobuf-compiler", "libprotobuf-java", found=found)
    program = tmp_path / "Program.java"
    program.write_text(IN_JAVA)
    listed = tmp_path / "sources"
    listed.write_text("\n".join(map(str, [*generate("java_out", tmp_path / "generated"), program])))
    classes = tmp_path / "classes"
    run("javac", *HASTE, "-nowarn", "-proc:none", "-cp", JAR, "-d", classes, f"@{listed}", folder=tmp_path)
    path = f"{classes}{os.pathsep}{JAR}"
    assert run("java", "-cp", path, "Program", f"http://{deployment.web_address}", folder=tmp_path).splitlines() == SAID


@pytest.mark.timeout(900)
def test_a_client_generated_in_go_compiles_and_creates_a_game(tmp_path: Path, deployment: Deployment) -> None:
    found = bool(shutil.which("go") and shutil.which("protoc-gen-go") and PROTOC.exists() and GO_RUNTIME.exists())
    needs("golang-go", "protobuf-compiler", "protoc-gen-go", "golang-google-protobuf-dev", found=found)
    generate("go_out", tmp_path / "src")
    program = tmp_path / "src" / "program"
    program.mkdir()
    (program / "main.go").write_text(IN_GO)
    places = {"GOPATH": f"{tmp_path}{os.pathsep}{GO_SOURCES}", "GOCACHE": str(tmp_path / "cache")}
    said = run("go", "run", "program", f"http://{deployment.web_address}", folder=program, GO111MODULE="off", **places)
    assert said.splitlines() == SAID
