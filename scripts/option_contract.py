"""Makes the options messages of our own games, and the enums in them, of their options classes.

    python -m scripts.option_contract [--check]

With --check it only says what would be made otherwise, and fails then. A comment of the contract is what stands in the source:
below a field or a member, and on top of an enum. The rest of a .proto file is written by hand.
"""

import argparse
import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto

from brettwerk.v1 import limits_pb2
from brettwerk_games.rules.derived.contract import ContractFile, snake_case
from brettwerk_games.rules.options import Option, presets_of

ROOT = Path(__file__).resolve().parent.parent
GAMES = sorted(path.parent.name for path in (ROOT / "brettwerk_games" / "rules").glob("*/options.py"))
PROTOS = ROOT / "protos" / "brettwerk" / "v1"
WIDTH = 115
PACKAGE = "brettwerk.v1"


def made(source: str, options: type[Any], game: str) -> str:
    """Return a .proto file with the messages and enums of the options class of a game, each in the place of the one before.

    One that the file does not have yet stands before the options. Raises ValueError where the options message is missing.
    """
    file = FileDescriptorProto(package=PACKAGE)
    contract = ContractFile(file, game, {}, {})
    contract.named[options] = f"{game}Options"
    contract.add(options)
    hints = get_type_hints(options)
    for enum in file.enum_type:
        key = next(key for key, hint in hints.items() if getattr(hint, "__name__", "") == enum.name.removeprefix(game))
        text = "".join(_enum_text(enum, hints[key], presets_of(options)[key]))
        found = re.search(rf"(?:^//[^\n]*\n)+enum {enum.name} {{\n.*?^}}\n", source, re.DOTALL | re.MULTILINE)
        if found is None:
            place = re.search(rf"(?:^//[^\n]*\n)+message {game}Options {{", source, re.MULTILINE)
            if place is None:
                raise ValueError(f"there is no message {game}Options")
            source = f"{source[: place.start()]}{text}\n{source[place.start() :]}"
        else:
            source = source[: found.start()] + text + source[found.end() :]
    (message,) = file.message_type
    text = "".join(_message_text(message, options))
    return re.sub(rf"^message {message.name} {{\n.*?^}}\n", lambda _: text, source, count=1, flags=re.DOTALL | re.MULTILINE)


def comments(cls: type[Any]) -> Mapping[str, str]:
    """Return what stands in the source below each field or member of a class, by name."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(body, ast.ClassDef)
    found = {}
    for statement, after in zip(body.body, body.body[1:], strict=False):
        match statement, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = inspect.cleandoc(text)
    return found


def _enum_text(enum: EnumDescriptorProto, cls: type[Any], preset: Any) -> Iterator[str]:
    about, prefix = comments(cls), snake_case(enum.name).upper()
    yield from _comment(inspect.getdoc(cls) or "", "")
    yield f"enum {enum.name} {{\n"
    for value in enum.value:
        member = value.name.removeprefix(f"{prefix}_")
        yield from _comment(about[member] if value.number else f"The same as {preset.name}.", "  ")
        yield f"  {value.name} = {value.number};\n"
    yield "}\n"


def _message_text(message: DescriptorProto, cls: type[Any]) -> Iterator[str]:
    about, hints = comments(cls), get_type_hints(cls, include_extras=True)
    yield f"message {message.name} {{\n"
    for field in message.field:
        option = next((each for each in get_args(hints[field.name])[1:] if isinstance(each, Option)), None)
        # The comment on a choice, and its rule, stand above its enum.
        rule = "" if option is None or field.type == FieldDescriptorProto.TYPE_ENUM else f" ({option.rule})"
        yield from _comment(about[field.name].removesuffix(".") + f"{rule}.", "  ")
        yield f"  {_label(field)}{_type(field)} {field.name} = {field.number}{_bounds(field)};\n"
    yield "}\n"


def _comment(text: str, indent: str) -> Iterator[str]:
    paragraph = " ".join(text.partition("\n\n")[0].split())
    for line in textwrap.wrap(paragraph, WIDTH - len(indent) - 3, break_long_words=False, break_on_hyphens=False):
        yield f"{indent}// {line}\n"


def _label(field: FieldDescriptorProto) -> str:
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return "repeated "
    return "optional " if field.proto3_optional else ""


def _type(field: FieldDescriptorProto) -> str:
    return field.type_name.rpartition(".")[2] or FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def _bounds(field: FieldDescriptorProto) -> str:
    limit = field.options.Extensions[limits_pb2.limit]
    stated = [f"(limit).{name.name} = {value}" for name, value in limit.ListFields()]
    if len(stated) > 1:
        return " [\n    " + ",\n    ".join(stated) + "\n  ]"
    return f" [{stated[0]}]" if stated else ""


def main() -> None:
    """Write the files, or only say which ones are not as they would be made."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, and fail where something would be written")
    is_check, stale = parser.parse_args().check, []
    for game in GAMES:
        path = PROTOS / f"{game}.proto"
        source = path.read_text(encoding="utf-8")
        options = importlib.import_module(f"brettwerk_games.rules.{game}.options").Options
        if (text := made(source, options, game.capitalize())) != source:
            stale.append(path)
            if not is_check:
                path.write_text(text, encoding="utf-8")
    if is_check and stale:
        sys.exit(f"{', '.join(path.name for path in stale)}: not as scripts/option_contract.py makes it; run it without --check")


if __name__ == "__main__":
    main()
