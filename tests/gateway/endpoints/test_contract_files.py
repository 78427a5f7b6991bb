"""A server shows its contract: to generators of code, and to programs that build messages while they run."""

import io
import re
import zipfile
from pathlib import Path

import httpx
import pytest
from google.protobuf import descriptor_pool, json_format
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc

from brettwerk.v1 import play_pb2
from services.runtime.version import CONTRACT


async def descriptors(client: httpx.AsyncClient) -> FileDescriptorSet:
    return FileDescriptorSet.FromString((await client.get("/v1/contract.binpb")).content)


async def test_a_program_without_generated_code_makes_a_call_with_the_descriptors(client: httpx.AsyncClient) -> None:
    pool = descriptor_pool.DescriptorPool()
    for file in (await descriptors(client)).file:
        pool.Add(file)
    request = GetMessageClass(pool.FindMessageTypeByName("brettwerk.v1.CreatePlayerRequest"))(name="Ada", request_id="12345678")
    asked = await client.post("/v1/CreatePlayer", json=json_format.MessageToDict(request))
    answer = GetMessageClass(pool.FindMessageTypeByName("brettwerk.v1.CreatePlayerResponse"))()
    json_format.ParseDict(asked.json(), answer)
    assert play_pb2.CreatePlayerResponse.FromString(answer.SerializeToString()).name == "Ada"


async def test_code_can_be_generated_from_the_bundle(client: httpx.AsyncClient, tmp_path: Path) -> None:
    answer = await client.get("/v1/contract.zip")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as bundle:
        bundle.extractall(tmp_path)
        files = [str(tmp_path / name) for name in bundle.namelist()]
        assert b"  // Plays an action.\n" in bundle.read("brettwerk/v1/play.proto")
    included = Path(protoc.__file__).with_name("_proto")
    made = tmp_path / "made.binpb"
    assert protoc.main(["protoc", f"-I{tmp_path}", f"-I{included}", f"--descriptor_set_out={made}", *files]) == 0
    own = {file.name for file in FileDescriptorSet.FromString(made.read_bytes()).file}
    assert own == {file.name for file in (await descriptors(client)).file if file.name.startswith("brettwerk/")}


async def test_a_client_that_has_it_is_not_sent_it_again(client: httpx.AsyncClient) -> None:
    first = await client.get("/v1/contract.binpb")
    assert first.headers["content-encoding"] == "gzip"
    again = await client.get("/v1/contract.binpb", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await client.head("/v1/contract.zip")).status_code == 200


async def test_it_is_read_and_nothing_else(client: httpx.AsyncClient) -> None:
    refused = await client.post("/v1/contract.zip", json={})
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")
    assert refused.json()["refusal"]["reason"] == "REASON_MALFORMED"


async def test_health_names_its_number(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/health")).json()["contract"] == CONTRACT
    assert re.fullmatch(r"1\.\d+", CONTRACT)


@pytest.mark.parametrize("path", ["/v1/contract", "/v1/contract.txt", "/v1/contract.zip/x"])
async def test_similar_paths_are_refused(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code in (404, 405)
