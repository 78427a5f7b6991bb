"""The diagrams of packages show which imports which, and no more arrows than that needs."""

import pytest

from scripts.package_diagrams import BEGIN, PAGE, Imports, flowchart, package, reduced, renewed


@pytest.mark.parametrize(
    ("imports", "arrows"),
    [
        ({"a": {"b"}, "b": set()}, {("a", "b")}),
        ({"a": {"b", "c"}, "b": {"c"}, "c": set()}, {("a", "b"), ("b", "c")}),
        ({"a": {"b", "d"}, "b": {"c"}, "c": {"d"}, "d": set()}, {("a", "b"), ("b", "c"), ("c", "d")}),
        ({"a": {"b", "c"}, "b": set(), "c": set()}, {("a", "b"), ("a", "c")}),
        ({"a": {"a"}}, set()),
    ],
)
def test_an_arrow_that_others_imply_is_left_out(imports: Imports, arrows: set[tuple[str, str]]) -> None:
    assert {(*a, *b) for a, b in reduced(imports)} == arrows


def test_packages_that_import_each_other_share_a_box() -> None:
    imports = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"a", "c"}}
    assert set(reduced(imports)) == {(("e",), ("a",)), (("a",), ("b", "c")), (("b", "c"), ("d",))}
    assert flowchart({"b": {"c"}, "c": {"b", "d"}, "d": set()}) == '```mermaid\nflowchart TD\n  b["b<br>c"] --> d\n```\n'


def test_a_package_is_a_folder_of_services_or_deploy_or_stands_for_itself() -> None:
    modules = ("services.ai.board.want", "services", "deploy.local", "gateway.calls.handler", "brettwerk_client.seat")
    assert [package(name) for name in modules] == ["services.ai", "", "deploy.local", "gateway", "brettwerk_client"]


def test_an_arrow_that_a_page_lost_is_drawn_again() -> None:
    page = renewed(PAGE.read_text("utf-8"))
    arrow = next(line for line in page.partition(BEGIN)[2].splitlines(keepends=True) if "-->" in line)
    assert page.count(arrow) == 1
    assert renewed(page.replace(arrow, "")) == page
