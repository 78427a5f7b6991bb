"""Under a path of another site the page says that it needs a name of its own."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect

from deploy.local.deployment import Deployment
from tests.browser.conftest import Opener
from tests.e2e.stranger import eventually
from tests.night import at_night
from tests.ports import free_port
from tests.surroundings import program

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


@pytest.fixture(params=["/", ""], ids=["path taken off", "path passed on"])
def other_site(request: pytest.FixtureRequest, site: Deployment, tmp_path: Path) -> Iterator[str]:
    """The address of a site whose nginx passes /play/ on to us."""
    nginx = program("nginx", optional=True)
    port = free_port()
    temporary = "".join(f"{kind}_temp_path {tmp_path}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {tmp_path}/pid; error_log stderr; events {{}}\n"
        f"http {{ access_log off; {temporary}server {{ listen 127.0.0.1:{port}; "
        f"location /play/ {{ proxy_set_header Host $http_host; proxy_pass http://{site.web_address}{request.param}; }} }} }}\n"
    )
    arguments = [nginx, "-e", "stderr", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        yield f"http://127.0.0.1:{port}/play/"
        process.kill()


@pytest.mark.parametrize(("locale", "said"), [at_night("en-GB", "under a path"), ("de-DE", "unter einem Pfad")])
def test_a_page_under_a_path_says_that_it_needs_a_name(chromium: Browser, other_site: str, locale: str, said: str) -> None:
    with chromium.new_context(locale=locale) as context:
        page = context.new_page()

        def is_there() -> bool:
            try:
                page.goto(other_site)
            except Error:
                return False
            return True

        eventually(is_there, within_s=20)
        expect(page.get_by_text(said)).to_be_visible()


def test_at_a_name_of_its_own_it_does_not(open_page: Opener) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading").first).to_be_visible()
    expect(page.locator(".astray").first).to_be_hidden()
