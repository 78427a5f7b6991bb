"""The client's exceptions and the page's table are made of the catalogue in the contract."""

import sys

import grpc
import pytest

from scripts import refusal_catalogue
from scripts.refusal_catalogue import BEGIN, CLIENT, END, HEAD, PAGE, Entry, catalogue, client, page

FULL = Entry("FULL", grpc.StatusCode.RESOURCE_EXHAUSTED, "There is no room.")
LONG = Entry(
    "NO_ROOM", grpc.StatusCode.RESOURCE_EXHAUSTED, f"There is no room: details say where, as `{'x' * 90}`, and as `place`."
)
PLACE = f"{BEGIN}\n{END}\n"


def test_the_catalogue_has_the_codes_and_comments_of_the_contract() -> None:
    found = {entry.name: entry for entry in catalogue()}
    assert found["AMBIGUOUS"] == Entry("AMBIGUOUS", grpc.StatusCode.INVALID_ARGUMENT, "The notation fits more than one action.")
    assert found["INTERNAL"].code is grpc.StatusCode.INTERNAL
    assert "UNSPECIFIED" not in found


def test_the_catalogue_in_git_is_the_one_that_would_be_made() -> None:
    assert client(CLIENT.read_text("utf-8"), catalogue()) == CLIENT.read_text("utf-8")
    assert page(PAGE.read_text("utf-8"), catalogue()) == PAGE.read_text("utf-8")


def test_a_reason_becomes_an_exception_with_the_sentence_of_the_contract() -> None:
    made = client(PLACE, [FULL])
    assert 'class Full(Refused, reason=errors_pb2.REASON_FULL):\n    """There is no room."""\n' in made
    assert client(made, [FULL]) == made


def test_a_sentence_too_long_for_a_line_is_cut_where_it_pauses() -> None:
    made = client(PLACE, [LONG])
    assert 'class NoRoom(Refused, reason=errors_pb2.REASON_NO_ROOM):\n    """There is no room.\n\n    Details say where' in made
    assert max(map(len, made.splitlines())) <= 130


def test_a_reason_that_only_services_get_has_no_exception() -> None:
    assert "class" not in client(PLACE, [Entry("UNKNOWN_CALLER", grpc.StatusCode.UNAUTHENTICATED, "Who is that?")])


def test_a_reason_becomes_a_row_with_the_status_that_it_has_in_http() -> None:
    made = page("\n".join(("before", "", *HEAD, "| old | row | 1 | x |", "", "after", "")), [FULL])
    row = "| `FULL` | `RESOURCE_EXHAUSTED` | 429 | There is no room |"
    assert made == "\n".join(("before", "", *HEAD, row, "", "after", ""))


def test_a_file_without_a_place_for_the_catalogue_is_refused() -> None:
    for made in (client, page):
        with pytest.raises(ValueError, match="0 places"):
            made("nothing\n", [FULL])


def test_stale_files_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusal_catalogue, "catalogue", lambda: [FULL])
    monkeypatch.setattr(sys, "argv", ["refusal_catalogue", "--check"])
    with pytest.raises(SystemExit, match=r"refusals\.py, protocol\.md: not as scripts/refusal_catalogue\.py makes it"):
        refusal_catalogue.main()
