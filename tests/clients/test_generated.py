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
PHP_RUNTIME = Path("/usr/share/php")
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


IN_RUBY = """
require "google/protobuf/well_known_types"
require "net/http"
Dir["#{ARGV[1]}/brettwerk/v1/*_pb.rb"].each { |file| require file }
include Brettwerk::V1

def call(method, request, answer)
  headers = { "content-type" => "application/proto", "authorization" => $token && "Bearer #{$token}" }.compact
  got = Net::HTTP.post(URI("#{ARGV[0]}/brettwerk.v1.PlayService/#{method}"), request.to_proto, headers)
  raise got.body unless got.code == "200"
  answer.decode(got.body)
end

me = CreatePlayerRequest.new(name: "Ruby", request_id: "a Ruby program")
$token = call("CreatePlayer", me, CreatePlayerResponse).player_token
games = call("ListGames", ListGamesRequest.new(page_size: 100), ListGamesResponse).games
puts games.map(&:id) & ["einstein"]
seats = [SeatWish.new(me: true), SeatWish.new(me: true)]
wished = CreateSessionRequest.new(game: "einstein", request_id: "a Ruby session", seats: seats)
session = call("CreateSession", wished, CreateSessionResponse).session
puts "#{session.seats.size} seats"
view = call("GetSession", GetSessionRequest.new(session_id: session.id), GetSessionResponse).update.view
puts view.unpack(EinsteinView).class.descriptor.name
"""

IN_PHP = r"""<?php
use Brettwerk\V1 as v1;

[, $url, $folder, $runtime] = $argv;
set_include_path($folder . PATH_SEPARATOR . $runtime);
spl_autoload_register(fn($class) => require_once str_replace('\\', '/', $class) . '.php');
$files = new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS);
foreach (new RecursiveIteratorIterator($files) as $file) require_once $file;

function call($method, $request, $answer) {
    global $url, $token;
    $said = ['content-type: application/proto', ...($token ? ["authorization: Bearer $token"] : [])];
    $content = $request->serializeToString();
    $how = ['http' => ['method' => 'POST', 'header' => $said, 'content' => $content, 'ignore_errors' => true]];
    $got = file_get_contents("$url/brettwerk.v1.PlayService/$method", false, stream_context_create($how));
    if (!str_contains($http_response_header[0], '200')) throw new Exception($got);
    $answer->mergeFromString($got);
    return $answer;
}

$me = new v1\CreatePlayerRequest(['name' => 'PHP', 'request_id' => 'a PHP program']);
$token = call('CreatePlayer', $me, new v1\CreatePlayerResponse())->getPlayerToken();
$games = call('ListGames', new v1\ListGamesRequest(['page_size' => 100]), new v1\ListGamesResponse())->getGames();
foreach ($games as $game) if ($game->getId() == 'einstein') echo $game->getId(), "\n";
$seats = [new v1\SeatWish(['me' => true]), new v1\SeatWish(['me' => true])];
$wished = new v1\CreateSessionRequest(['game' => 'einstein', 'request_id' => 'a PHP session', 'seats' => $seats]);
$session = call('CreateSession', $wished, new v1\CreateSessionResponse())->getSession();
echo count($session->getSeats()), " seats\n";
new v1\EinsteinView();  // messages can be unpacked once there was one
$asked = new v1\GetSessionRequest(['session_id' => $session->getId()]);
$view = call('GetSession', $asked, new v1\GetSessionResponse())->getUpdate()->getView()->unpack();
$pool = Google\Protobuf\Internal\DescriptorPool::getGeneratedPool();
echo $pool->getDescriptorByClassName(get_class($view))->getFullName(), "\n";
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
    asked = [subprocess.run(["apt-cache", "show", package], capture_output=True, check=False) for package in packages]
    return all(answer.returncode == 0 for answer in asked)


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


@pytest.mark.nightly
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


@pytest.mark.nightly
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


def test_a_client_generated_in_ruby_creates_a_game(tmp_path: Path, deployment: Deployment) -> None:
    """There all of it is loaded: nothing compiles it before."""
    ruby = shutil.which("ruby")
    runtime = ruby and subprocess.run([ruby, "-e", 'require "google/protobuf"'], capture_output=True, check=False).returncode == 0
    needs("ruby", "ruby-google-protobuf", "protobuf-compiler", found=bool(runtime and PROTOC.exists()))
    generate("ruby_out", tmp_path / "generated")
    (tmp_path / "program.rb").write_text(IN_RUBY)
    words = ("program.rb", f"http://{deployment.web_address}", str(tmp_path / "generated"))
    assert run("ruby", "-I", tmp_path / "generated", *words, folder=tmp_path).splitlines() == SAID


def test_a_client_generated_in_php_creates_a_game(tmp_path: Path, deployment: Deployment) -> None:
    """As in Ruby."""
    found = bool(shutil.which("php") and PHP_RUNTIME.joinpath("Google", "Protobuf").exists() and PROTOC.exists())
    needs("php-cli", "php-google-protobuf", "protobuf-compiler", found=found)
    generate("php_out", tmp_path / "generated")
    (tmp_path / "program.php").write_text(IN_PHP)
    words = ("program.php", f"http://{deployment.web_address}", str(tmp_path / "generated"), str(PHP_RUNTIME))
    assert run("php", *words, folder=tmp_path).splitlines() == SAID
