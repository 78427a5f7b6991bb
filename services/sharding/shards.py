"""Shards, and how processes share them.

An id begins with its shard, in two hex digits, and so does the tag of each key (docs/architecture.md, Redis).

Each process computes the same overall plan from what the store says, and carries out its own part. Each gets its fair share, and
as few shards as possible move. A shard of a process of a newer release never goes to an older one while a newer one lives,
because the older one could not read what the newer one has written.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SHARDS = 16
"""The number of the store's shards; fixed forever, because ids contain their shard."""
_SHAPE = re.compile(r"0[0-9a-f][a-z2-7]{22}")


def shard_of(id_: str) -> int:
    """Return the shard of an id. Raises ValueError where it has none."""
    return int(id_[:2], 16)


def shard_if_any(text: str) -> int | None:
    """Return the shard of an id; None if nothing can have it."""
    return shard_of(text) if _SHAPE.fullmatch(text) else None


def shard_key(shard: int, name: str) -> str:
    """Return the key of something that each shard has one of (due, lease)."""
    return f"bw:{{s{shard:02x}}}:{name}"


def lease_key(shard: int) -> str:
    """Return the key of a shard's lease."""
    return shard_key(shard, "lease")


@dataclass(frozen=True, slots=True)
class Member:
    """A live process."""

    format: int
    """The newest format of stored sessions that it reads (newer.FORMAT)."""
    is_leaving: bool = False
    unreadable: frozenset[int] = frozenset()
    """Shards in which it has met sessions that it cannot read."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The owner of a shard, according to the store."""

    owner: str
    """A process; empty if nobody has had the shard yet, or its owner released it."""
    is_free: bool
    """Whether anybody may claim it: nobody owns it, or its owner has been silent for too long."""
    format: int = 0
    """The format of the last owner."""


@dataclass(frozen=True, slots=True)
class Share:
    """The tasks of a process."""

    claim: tuple[int, ...] = ()
    hand_over: tuple[tuple[int, str], ...] = ()
    """Its own shards, and to which process each goes; the empty name means nobody, which leaves a shard free."""


def share(own: str, members: Mapping[str, Member], holdings: Sequence[Holding]) -> Share:
    """Return what the process `own` must do about the shards."""
    wanted = wanted_owners(members, holdings)
    is_leaving = own not in members or members[own].is_leaving
    claim = [shard for shard, held in enumerate(holdings) if held.is_free and wanted[shard] == own]
    handed = [
        (shard, wanted[shard] or "")
        for shard, held in enumerate(holdings)
        if held.owner == own and not held.is_free and wanted[shard] != own and (wanted[shard] or is_leaving)
    ]
    return Share(tuple(claim), tuple(handed))


def wanted_owners(members: Mapping[str, Member], holdings: Sequence[Holding]) -> list[str | None]:
    """Return who should own each shard; None if nobody can take it.

    A shard whose owner is not known to be alive, but whose lease still holds, stays with it: nobody else can have it yet.
    """
    staying = {name: member for name, member in members.items() if not member.is_leaving}
    owners: list[str | None] = [None if held.is_free or held.owner in members else held.owner for held in holdings]
    load = dict.fromkeys(staying, 0)
    for shard, held in enumerate(holdings):
        if not held.is_free and held.owner in staying and not _must_leave(shard, held, staying):
            owners[shard] = held.owner
            load[held.owner] += 1
    for shard, held in enumerate(holdings):
        if owners[shard] is None and (able := _able(shard, held, staying)):
            owners[shard] = taker = min(able, key=lambda name: (load[name], name))
            load[taker] += 1
    while (move := _fairer(staying, holdings, owners, load)) is not None:
        shard, giver, taker = move
        owners[shard] = taker
        load[giver] -= 1
        load[taker] += 1
    return owners


def _must_leave(shard: int, held: Holding, staying: Mapping[str, Member]) -> bool:
    """Return whether a shard's owner cannot read all of it, and another process may."""
    return shard in staying[held.owner].unreadable and held.owner not in _able(shard, held, staying)


def _able(shard: int, held: Holding, staying: Mapping[str, Member]) -> list[str]:
    """Return who may take a shard: those who can read what its last owner wrote, all of it if possible."""
    reading = [name for name, member in staying.items() if member.format >= held.format] or list(staying)
    able_to_read = [name for name in reading if shard not in staying[name].unreadable]
    newest_without = max((staying[name].format for name in reading if shard in staying[name].unreadable), default=-1)
    return [name for name in able_to_read if staying[name].format > newest_without] or reading


def _fairer(
    staying: Mapping[str, Member], holdings: Sequence[Holding], owners: Sequence[str | None], load: Mapping[str, int]
) -> tuple[int, str, str] | None:
    """Return the next shard that must move, from whom and to whom; None once all have their share.

    The fullest gives to the emptiest; free shards, which nobody misses, come first.
    """
    for giver in sorted(load, key=lambda name: (-load[name], name)):
        for taker in sorted(load, key=lambda name: (load[name], name)):
            if load[giver] - load[taker] < 2:
                break
            for shard in sorted(range(len(owners)), key=lambda shard: (not holdings[shard].is_free, shard)):
                if owners[shard] == giver and taker in _able(shard, holdings[shard], staying):
                    return shard, giver, taker
    return None
