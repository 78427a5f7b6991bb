"""The half of the Python client that waits is made of the one on asyncio."""

import sys

import pytest

from scripts import sync_client
from scripts.sync_client import MADE, PACKAGE, made


def test_the_sync_client_in_git_is_the_one_that_would_be_made() -> None:
    for source, target in MADE.items():
        assert made(PACKAGE / source) == (PACKAGE / target).read_text("utf-8")


def test_the_sync_half_is_free_of_asyncio() -> None:
    for target in MADE.values():
        assert not {"async", "await", "asyncio", "aio"} & set((PACKAGE / target).read_text("utf-8").replace(".", " ").split())


def test_a_stale_half_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync_client, "NOTE", "# Made of {source}.\n\n")
    monkeypatch.setattr(sys, "argv", ["sync_client", "--check"])
    with pytest.raises(SystemExit, match=r"client\.py, seat\.py: not as scripts/sync_client\.py makes it"):
        sync_client.main()


def test_a_text_that_the_source_no_longer_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sync_client.TEXTS, "asyncio.no_such_thing", "")
    monkeypatch.setattr(sys, "argv", ["sync_client", "--check"])
    with pytest.raises(SystemExit, match=r"nothing says 'asyncio\.no_such_thing' any more"):
        sync_client.main()
