"""The promises of a release (docs/compatibility.md), as plain data: `python -m scripts.promises`.

It writes tests/contract/promised.json, which is done for every release. Messages that clients send and get are kept in
protos/released.binpb; this is the rest: codes of refusals, bounds of fields, addresses, ports, settings, options of the launcher,
values of the chart, and what games in packages may import.
"""

import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import zip_longest
from pathlib import Path
from typing import Any

import yaml
from google.protobuf import descriptor_pb2, descriptor_pool

from brettwerk.v1 import errors_pb2, limits_pb2, play_pb2
from brettwerk_games import api
from deploy.local import options
from deploy.local.ports import DEFAULT_GRPC_PORT
from gateway.endpoints import contract_files, game_export
from gateway.http import allowed_hosts
from gateway.websocket import upgrade
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from services.runtime.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
PROMISED = ROOT / "tests" / "contract" / "promised.json"
NAMES = ("addresses", "settings", "launcher", "chart")
"""The parts that are promised by name only."""
_CEILINGS = ("length", "items", "max")


def promises() -> dict[str, Any]:
    """Return what this checkout would promise."""
    values = yaml.safe_load((ROOT / "deploy" / "chart" / "values.yaml").read_text(encoding="utf-8"))
    routes = [route.path for route in contract_files.ContractFiles().routes()]
    return {
        "version": VERSION,
        "addresses": sorted((allowed_hosts.HEALTH, upgrade.PATH, game_export.PATH, *routes)),
        "ports": {"web": options.parse([]).port, "grpc": DEFAULT_GRPC_PORT},
        "launcher": sorted(set(re.findall(r"--[a-z-]+", options.parser().format_help()))),
        "refusals": {name: Refused(reason, "").code.name for name, reason in errors_pb2.Reason.items() if reason},
        "settings": sorted(f"BRETTWERK_{name.upper()}" for name in Settings.model_fields),
        "chart": sorted(_paths(values)),
        "games": dict(sorted(_importable())),
        "bounds": dict(sorted(_bounds())),
    }


def broken(promised: Mapping[str, Any], now: Mapping[str, Any], replaced: str = "") -> list[str]:
    """Return which promises do not hold, a line each.

    `replaced` has a line for each name that went, with the version that replaced it: with the next minor version after that it
    may go.
    """
    stated = (line.split() for line in replaced.splitlines() if line and not line.startswith("#"))
    gone = {name for name, version in stated if _minor(version) < _minor(now["version"])}
    wrong = [f"{what}: {name} is gone" for what in NAMES for name in promised[what] if name not in now[what] and name not in gone]
    for what in ("refusals", "ports"):
        for name, value in promised[what].items():
            if now[what].get(name) != value:
                wrong.append(f"{what}: {name} was {value} and is {now[what].get(name)}")
    wrong += _broken_imports(promised["games"], now["games"])
    for name, bound in promised["bounds"].items():
        newer = now["bounds"].get(name)
        if newer is not None and _is_narrower(newer, bound):
            wrong.append(f"bounds: {name} was {bound} and is {newer}")
    return wrong


def _importable() -> Iterator[tuple[str, list[str]]]:
    """Yield what games in packages may import, and what each class has: the names of what it takes.

    `?` is behind one that may be left out, and `!` behind a method that a game must have.
    """
    for name in api.__all__:
        thing = getattr(api, name)
        if not inspect.isclass(thing):
            yield name, _taken(thing)
            continue
        yield name, [] if issubclass(thing, Enum) else _taken(thing)
        required: frozenset[str] = getattr(thing, "__abstractmethods__", frozenset())
        own = {*vars(thing), *vars(thing).get("__annotations__", ()), *required}  # what it inherits is promised where it is from
        for member in sorted(each for each in own if each[0] != "_"):
            of = inspect.getattr_static(thing, member, None)
            yield f"{name}.{member}{'!' if member in required else ''}", _taken(of) if inspect.isfunction(of) else []


def _taken(thing: Any) -> list[str]:
    """Return the names of what a function or class takes, in order, without `self`."""
    if not callable(thing) or getattr(thing, "_is_protocol", False):
        return []
    stated = inspect.signature(thing).parameters.values()
    named = [each for each in stated if each.name != "self" and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    return [each.name + ("" if each.default is each.empty else "?") for each in named]


def _broken_imports(promised: Mapping[str, Sequence[str]], now: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what games in packages may not rely on any more, and what is asked of them that was not."""
    for name, taken in promised.items():
        newer = now.get(name, now.get(name.removesuffix("!")))
        if newer is None:
            yield f"games: {name} is gone"
        elif [each.rstrip("?") for each in newer[: len(taken)]] != [each.rstrip("?") for each in taken] or any(
            new[-1] != "?" and (old is None or old[-1] == "?") for old, new in zip_longest(taken, newer)
        ):
            yield f"games: {name} took {taken} and takes {newer}"
    known = {name.rstrip("!").partition(".")[0] for name in promised}
    for name in now:
        if name[-1] == "!" and name not in promised and name.partition(".")[0] in known:
            yield f"games: {name} is asked of a game"


def _is_narrower(newer: Mapping[str, int], older: Mapping[str, int]) -> bool:
    """Tell whether a bound allows less than it did. A field that is not named is unbounded."""
    lowered = any(name in newer and newer[name] < older.get(name, sys.maxsize) for name in _CEILINGS)
    return lowered or ("min" in newer and newer["min"] > older.get("min", -sys.maxsize))


def _bounds() -> Iterator[tuple[str, dict[str, int]]]:
    """Return the bounds of every field of the contract for clients."""
    contract = ROOT / "generated" / "python" / "brettwerk" / "published" / contract_files.DESCRIPTORS
    names = [file.name for file in descriptor_pb2.FileDescriptorSet.FromString(contract.read_bytes()).file]
    assert play_pb2.DESCRIPTOR.name in names
    for name in names:
        if name.startswith("brettwerk/"):
            for message in descriptor_pool.Default().FindFileByName(name).message_types_by_name.values():
                yield from _bounds_of(message)


def _bounds_of(message: Any) -> Iterator[tuple[str, dict[str, int]]]:
    for field in message.fields:
        limit = field.GetOptions().Extensions[limits_pb2.limit]
        yield field.full_name.removeprefix("brettwerk.v1."), {bound.name: value for bound, value in limit.ListFields()}
    for nested in message.nested_types:
        yield from _bounds_of(nested)


def _paths(values: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, value in values.items():
        yield above + name
        if isinstance(value, dict):
            yield from _paths(value, f"{above}{name}.")


def _minor(version: str) -> tuple[int, int]:
    major, minor, *_ = version.split(".")
    return int(major), int(minor)


def _written(promised: Mapping[str, Any]) -> str:
    """Return them as JSON with a line for each, so that a change is seen in what changes."""
    parts = []
    for what, value in promised.items():
        lines = json.dumps(value)
        if isinstance(value, dict):
            lines = "{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in value.items()) + "\n }"
        elif isinstance(value, list):
            lines = "[\n" + ",\n".join(f"  {json.dumps(one)}" for one in value) + "\n ]"
        parts.append(f" {json.dumps(what)}: {lines}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    PROMISED.write_text(_written(promises()), encoding="utf-8")
