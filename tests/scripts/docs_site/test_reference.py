"""The reference has everything that clients are given, and its links lead to what they name."""

import re

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorSet

from scripts.docs_site.build import CONTRACT
from scripts.docs_site.reference import index, pages


@pytest.fixture(scope="module")
def contract() -> FileDescriptorSet:
    return FileDescriptorSet.FromString(CONTRACT.read_bytes())


def _with_nested(message: DescriptorProto, prefix: str = "") -> list[tuple[str, DescriptorProto]]:
    name = prefix + message.name
    nested = [each for inner in message.nested_type for each in _with_nested(inner, f"{name}.")]
    return [] if message.options.map_entry else [(name, message), *nested]


def test_every_method_message_field_and_value_of_the_contract_is_there(contract: FileDescriptorSet) -> None:
    made = pages(contract)
    for file in (one for one in contract.file if one.package == "brettwerk.v1"):
        page = made[file.name.removeprefix("brettwerk/v1/").removesuffix(".proto")]
        methods = [method.name for service in file.service for method in service.method]
        assert [name for name in methods if f"| `{name}` |" not in page] == []
        for name, message in (each for top in file.message_type for each in _with_nested(top)):
            section = page.split(f"## {name} {{ #{name} }}")[1].split("\n## ")[0]
            assert [field.name for field in message.field if f"| `{field.name}` | {field.number} |" not in section] == []


def test_links_lead_to_headings(contract: FileDescriptorSet) -> None:
    made = pages(contract)
    links = {link for page in made.values() for link in re.findall(r"\]\((\w+)\.md#([\w.]+)\)", page)}
    assert len(links) > 100
    assert [link for link in links if f"{{ #{link[1]} }}" not in made[link[0]]] == []


def test_a_field_has_its_type_its_bounds_and_its_comment(contract: FileDescriptorSet) -> None:
    section = pages(contract)["play"].split("## ActRequest ")[1].split("\n## ")[0]
    (row,) = (line for line in section.splitlines() if line.startswith("| `request_id`"))
    assert re.fullmatch(r"\| `request_id` \| \d+ \| string \| at most \d+ bytes \| .+ \|", row)


def test_a_reason_of_a_refusal_has_its_comment_and_its_code(contract: FileDescriptorSet) -> None:
    page = pages(contract)["errors"]
    assert "| `REASON_GAME_OVER` | 5 | The game is over. (`FAILED_PRECONDITION`) |" in page
    assert "| `REASON_UNSPECIFIED` | 0 | Not set; never sent. |" in page


def test_the_index_names_every_file_with_its_first_sentence(contract: FileDescriptorSet) -> None:
    listed = index(contract)
    assert [name for name in pages(contract) if f"[{name}.proto]({name}.md) | " not in listed] == []
    assert " |  |" not in listed
