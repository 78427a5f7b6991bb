"""The README of the chart: every value is in it, with what it is by default and what is said of it."""

from typing import Any

import yaml

from deploy.chart_readme import FILE, about, readme, values
from tests.deploy.chart.rendering import CHART

TEXT = (CHART / "values.yaml").read_text()


def leaves(value: Any, name: str = "") -> set[str]:
    """Return the names of all values that are no mappings, or empty ones."""
    if not isinstance(value, dict) or not value:
        return {name}
    return {one for key, inner in value.items() for one in leaves(inner, f"{name}.{key}".lstrip("."))}


def test_the_page_is_made_from_the_values_that_there_are() -> None:
    assert FILE.read_text() == readme()


def test_every_value_has_a_row_of_its_own_or_in_that_of_its_group() -> None:
    rows = {row.name for section in values(TEXT).values() for row in section}
    for leaf in leaves(yaml.safe_load(TEXT)):
        assert leaf in rows or any(leaf.startswith(f"{row}.") for row in rows), leaf


def test_defaults_are_those_that_helm_reads() -> None:
    known = yaml.safe_load(TEXT)
    for section in values(TEXT).values():
        for row in section:
            value = known
            for key in row.name.split("."):
                value = value[key]
            assert row.default == "see values.yaml" or yaml.safe_load(row.default) == value, row.name


def test_comments_stand_with_what_they_are_about() -> None:
    text = "# Of all of it.\nouter: # and more\n  inner: 1 # why\n  list: # of what\n    - 1\nalone: {} # itself\n"
    made = values(text)
    assert [(row.name, row.default, row.meaning) for row in made["outer"]] == [
        ("outer.inner", "1", "why"),
        ("outer.list", "see values.yaml", "of what"),
    ]
    assert made["alone"][0].meaning == "itself"
    assert about(text)["outer"] == "Of all of it. and more"
