"""Makes what stands elsewhere of the catalogue of refusals (errors.proto): exceptions of the Python client, and a table of docs.

    python -m scripts.refusal_catalogue [--check]

With --check it only says what would be made otherwise, and fails then. The contract is read as clients are given it
(`/v1/contract.binpb`), so prepare the checkout after a change of errors.proto.
"""

import argparse
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import grpc
from google.protobuf.descriptor_pb2 import EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet

from brettwerk.v1 import errors_pb2
from gateway.http.responses import STATUSES
from scripts.docs_site.build import CONTRACT
from scripts.docs_site.reference import comments

ROOT = Path(__file__).resolve().parent.parent
CLIENT = ROOT / "clients" / "python" / "src" / "brettwerk_client" / "refusals.py"
PAGE = ROOT / "docs" / "protocol.md"
WIDTH = 130
BEGIN, END = "# Made by python -m scripts.refusal_catalogue: from here", "# to here."
HEAD = ("| reason | gRPC code | HTTP | what it means |", "| --- | --- | --- | --- |")
CLASSES: Mapping[str, str] = {
    "BOT": "BotsCannot",
    "CLUB": "ClubRefused",
    "CONDITIONAL_MOVES": "ConditionalMovesRefused",
    "ORDERS": "OrdersRefused",
    "PROPOSAL": "ProposalStands",
    "TOURNAMENT": "TournamentRefused",
}
"""Names of exceptions that are not those of their reasons; programs of others have them."""
NOT_FOR_CLIENTS = frozenset({"UNKNOWN_CALLER"})


class Entry(NamedTuple):
    """A reason of the catalogue."""

    name: str
    """As in ErrorInfo: STALE_VERSION."""
    code: grpc.StatusCode
    meaning: str
    """The contract's sentence on it."""


def catalogue() -> list[Entry]:
    """Return the reasons, as the contract states them. Raises KeyError for one whose code is none of gRPC's."""
    contract = FileDescriptorSet.FromString(CONTRACT.read_bytes())
    file = next(file for file in contract.file if file.name == errors_pb2.DESCRIPTOR.name)
    at = next(index for index, enum in enumerate(file.enum_type) if enum.name == errors_pb2.Reason.DESCRIPTOR.name)
    said = comments(file)
    found = []
    for index, value in enumerate(file.enum_type[at].value):
        if value.number:
            path = (FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER, at, EnumDescriptorProto.VALUE_FIELD_NUMBER, index)
            code = grpc.StatusCode[value.options.Extensions[errors_pb2.grpc_code]]
            found.append(Entry(value.name.removeprefix("REASON_"), code, " ".join(said[path].split())))
    return found


def client(source: str, entries: Sequence[Entry]) -> str:
    """Return the client's module with an exception for each reason of clients. Raises ValueError where no place is marked."""
    classes = "\n\n".join(_class(entry) for entry in entries if entry.name not in NOT_FOR_CLIENTS)
    return _replaced(source, rf"(?<=^{re.escape(BEGIN)}\n).*?(?=^{re.escape(END)}$)", f"\n\n{classes}\n\n")


def page(source: str, entries: Sequence[Entry]) -> str:
    """Return the page with the table of reasons. Raises ValueError where it has none."""
    rows = (
        f"| `{name}` | `{code.name}` | {STATUSES[code.value[0]]} | {text.removesuffix('.')} |" for name, code, text in entries
    )
    return _replaced(source, rf"^{re.escape(HEAD[0])}\n(?:\|[^\n]*\n)*", "\n".join((*HEAD, *rows, "")))


def _class(entry: Entry) -> str:
    name = CLASSES.get(entry.name) or "".join(map(str.capitalize, entry.name.split("_")))
    head = f"class {name}(Refused, reason=errors_pb2.REASON_{entry.name}):"
    return "\n".join((head, *_docstring(entry.meaning), ""))


def _docstring(text: str) -> Iterator[str]:
    """Yield the lines of a docstring: a sentence too long for one line is cut where it pauses, and goes on in a paragraph."""
    indent = " " * 4
    if len(text) + len(indent) + 6 <= WIDTH:
        yield f'{indent}"""{text}"""'
        return
    summary, rest = re.split(r"[;:] ", text, maxsplit=1)
    yield f'{indent}"""{summary}.'
    yield ""
    yield from textwrap.wrap(rest[0].upper() + rest[1:], WIDTH, initial_indent=indent, subsequent_indent=indent)
    yield f'{indent}"""'


def _replaced(source: str, pattern: str, text: str) -> str:
    made, count = re.subn(pattern, lambda _: text, source, flags=re.DOTALL | re.MULTILINE)
    if count != 1:
        raise ValueError(f"there are {count} places for what is made of the catalogue, not one")
    return made


def main() -> None:
    """Write both files, or only say which ones are not as they would be made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, and fail where something would be written")
    check = parser.parse_args().check
    entries = catalogue()
    stale = []
    for path, made in ((CLIENT, client), (PAGE, page)):
        before = path.read_text("utf-8")
        if (after := made(before, entries)) != before:
            stale.append(path)
            if not check:
                path.write_text(after, "utf-8")
    if check and stale:
        names = ", ".join(path.name for path in stale)
        sys.exit(f"{names}: not as scripts/refusal_catalogue.py makes it; run it without --check")


if __name__ == "__main__":
    main()
