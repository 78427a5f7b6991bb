"""Every diagram of the pages is drawn by the Mermaid that the site is built with, in a real browser."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from deploy.local import node
from scripts.docs_site import diagrams

pytestmark = pytest.mark.browser
ROOT = Path(__file__).parents[2]
LISTED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
DRAWN = {
    f"{name} {number}": text
    for name in LISTED
    for number, text in enumerate(re.findall(r"^```mermaid\n(.*?)^```", (ROOT / name).read_text("utf-8"), re.M | re.S), 1)
}
RENDER = """async (text) => {
    mermaid.initialize({ startOnLoad: false, suppressErrorRendering: true });
    const { svg } = await mermaid.render("drawn", text);
    document.body.innerHTML = svg;
    const box = document.querySelector("svg").getBoundingClientRect();
    return { width: box.width, height: box.height, words: document.body.textContent };
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """An empty page with the pinned Mermaid in it."""
    found = node.find(print)
    script = diagrams.fetch(found.npm, found.environment, ROOT / "generated" / "mermaid")
    with chromium.new_page() as opened:
        opened.set_content("<body></body>")
        opened.add_script_tag(path=script)
        yield opened


def words_of(text: str) -> set[str]:
    """Return the labels of a diagram's nodes and messages."""
    text = text.replace("<br>", " ")
    nodes = re.findall(r"\[\(?([^\])]+)\)?\]", text)
    ends = re.findall(r"^ *(\w+)(?= --> )", text, re.M) + re.findall(r" --> (\w+)$", text, re.M)
    nodes += set(ends) - set(re.findall(r"(\w+)[\[({]", text))  # without a label
    messages = re.findall(r"^\s*(?:\w+-{1,2}>>\w+|[\w\[\]*]+ --> [\w\[\]*]+): (.+)$", text, re.M)
    persons = re.findall(r"^\s*participant \w+ as (.+)$", text, re.M)
    return {word for label in (*nodes, *messages, *persons) for word in re.findall(r"[a-zA-Z]+", label)}


def test_the_architecture_shows_packages_and_a_context_an_action_a_take_over_and_a_computers_move() -> None:
    drawn = sum(name.startswith("docs/architecture.md") for name in DRAWN)
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    of_packages = page[page.index("<!-- made by") : page.index("<!-- end of what is made")].count("```mermaid")
    assert of_packages > 1
    assert drawn - of_packages == 4


@pytest.mark.nightly
@pytest.mark.parametrize("text", DRAWN.values(), ids=DRAWN)
def test_a_diagram_is_drawn_with_all_its_words(page: Page, text: str) -> None:
    drawn = page.evaluate(RENDER, text)
    assert drawn["width"] > 100
    assert drawn["height"] > 100
    words = words_of(text)
    assert len(words) > 1
    assert [word for word in words if word not in drawn["words"]] == []


@pytest.mark.nightly
def test_a_diagram_with_a_mistake_is_found(page: Page) -> None:
    with pytest.raises(Exception, match=r"Parse error|Syntax error|Lexical error"):
        page.evaluate(RENDER, "sequenceDiagram\n  A->>>B hello")
