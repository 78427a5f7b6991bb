"""The page on proxies shows the configurations that are tried (tests/gateway/test_tried_proxies.py), and no others."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_shows_each_configuration_as_it_is_tried() -> None:
    page = (ROOT / "docs" / "proxies.md").read_text("utf-8")
    shown = re.findall(r"```(?:nginx|caddyfile|haproxy)\n(.*?)```", page, re.DOTALL)
    tried = [path.read_text("utf-8") for path in (ROOT / "deploy" / "proxies").iterdir()]
    assert sorted(shown) == sorted(tried)
