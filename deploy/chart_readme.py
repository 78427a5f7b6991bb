"""The README of the chart: a table of its values, made from values.yaml; `python -m deploy.chart_readme` writes it.

A value's line says what it is by default, and the comment behind it what it means; what stands above a top-level key is about all
that is below it.
"""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

CHART = Path(__file__).resolve().parent / "chart"
FILE = CHART / "README.md"
COLUMNS = 110
"""Of a line of prose, as in all pages."""
_HEAD = """# The Brettwerk chart

{description}.
[docs/kubernetes.md](../../docs/kubernetes.md) explains how to install and run it; `examples/` has files of
values to begin with. Invalid values are refused before anything is changed (`values.schema.json`).

This page is made from [values.yaml](values.yaml) by `python -m deploy.chart_readme`."""


@dataclass(frozen=True, slots=True)
class Value:
    """A row: the value's name, what it is by default, and what the comment behind it says."""

    name: str
    default: str
    meaning: str


def values(text: str) -> dict[str, list[Value]]:
    """Return the values of a values file, by their top-level key."""
    lines = text.splitlines()
    document = yaml.compose(text, yaml.SafeLoader)
    assert isinstance(document, yaml.MappingNode)
    return {key.value: list(_rows(key.value, key, node, lines)) for key, node in document.value}


def _rows(name: str, key: yaml.Node, node: yaml.Node, lines: list[str]) -> Iterator[Value]:
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        for below, inner in node.value:
            yield from _rows(f"{name}.{below.value}", below, inner, lines)
        return
    line = lines[key.start_mark.line]
    if node.end_mark.line != node.start_mark.line:  # a list of several lines
        default, rest = "see values.yaml", line[key.end_mark.column :]
    else:
        default, rest = line[node.start_mark.column : node.end_mark.column], line[node.end_mark.column :]
    yield Value(name, default, rest.partition("#")[2].strip())


def about(text: str) -> dict[str, str]:
    """Return what is said above each top-level key, and behind it."""
    said: dict[str, str] = {}
    above: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):
            above.append(line.removeprefix("#").strip())
            continue
        if key := re.match(r"([A-Za-z]+):\s*(?:#\s*(.*))?$", line):
            words = " ".join([*above, key[2] or ""]).strip()
            said[key[1]] = words[:1].upper() + words[1:]
        elif key := re.match(r"([A-Za-z]+):", line):
            said[key[1]] = " ".join(above)
        above = []
    return said


def readme() -> str:
    """Return the whole page."""
    text = (CHART / "values.yaml").read_text()
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    said, alone = about(text), []
    parts = [_HEAD.format(description=chart["description"])]
    for key, rows in values(text).items():
        if len(rows) == 1 and rows[0].name == key:
            alone.append((rows[0], said.get(key, "")))
            continue
        parts.append("\n".join([f"\n## {key}\n", *([_wrapped(said[key]), ""] if said.get(key) else []), *_table(rows)]))
    heading = " ".join(words for _, words in alone if words)
    parts.append(
        "\n".join(["\n## Top level\n", *([_wrapped(heading), ""] if heading else []), *_table([row for row, _ in alone])])
    )
    return "\n".join(parts) + "\n"


def _table(rows: list[Value]) -> list[str]:
    return ["| value | default | |", "| --- | --- | --- |", *(f"| `{row.name}` | `{row.default}` | {_cell(row.meaning)} |" for row in rows)]  # fmt: skip # noqa: E501


def _wrapped(text: str) -> str:
    return textwrap.fill(_cell(text), COLUMNS, break_long_words=False, break_on_hyphens=False)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    FILE.write_text(readme())
