"""A real OpenID provider for tests, in a process of its own: oidc-provider-mock, made to insist on PKCE, as Authlib checks it.

It knows nobody's password: who is to sign in says by which id.
"""

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from types import TracebackType
from typing import Any, Self

from tests.ports import free_port

START_S = 60.0


class OpenIdProvider:
    """A provider that runs while its context does, unless it is stopped before."""

    def __init__(self) -> None:
        self.port = free_port()
        self.issuer = f"http://localhost:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Start it; it has forgotten whom it knew. Returns when it answers."""
        command = [sys.executable, "-W", "ignore", "-m", "tests.openid_provider", str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + START_S
        while not self._answers():
            assert self._process.poll() is None, "the provider has ended"
            assert time.monotonic() < end, "the provider does not start"
            time.sleep(0.05)

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def register(self, redirect: str) -> tuple[str, str]:
        """Return the id and the secret of a new client that has one page to come back to."""
        body = json.dumps({"redirect_uris": [redirect]}).encode()
        asked = urllib.request.Request(f"{self.issuer}/oauth2/clients", body, {"content-type": "application/json"})
        with urllib.request.urlopen(asked, timeout=20) as response:
            said: dict[str, Any] = json.load(response)
        return said["client_id"], said["client_secret"]

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.issuer}/jwks", timeout=20):
                return True
        except urllib.error.URLError:
            return False


def main(port: int) -> None:
    """Serve until killed."""
    import werkzeug.serving
    from authlib.oauth2.rfc7636 import CodeChallenge
    from oidc_provider_mock import _app

    challenges: dict[str, tuple[str, str]] = {}

    class InsistingChallenge(CodeChallenge):  # type: ignore[misc]
        def get_authorization_code_challenge(self, authorization_code: Any) -> str:
            return challenges[authorization_code.code][0]

        def get_authorization_code_challenge_method(self, authorization_code: Any) -> str:
            return challenges[authorization_code.code][1]

    class InsistingGrant(_app.AuthorizationCodeGrant):  # type: ignore[misc]
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            InsistingChallenge()(self)

        def save_authorization_code(self, code: str, request: Any) -> None:
            super().save_authorization_code(code, request)
            asked = request.payload.data
            challenges[code] = asked["code_challenge"], asked["code_challenge_method"]

    _app.AuthorizationCodeGrant = InsistingGrant
    app = _app.app(require_client_registration=True, require_nonce=True)

    def without_strangers(response: Any) -> Any:
        # Its pages get their looks from elsewhere in the Internet, where tests cannot go.
        if response.mimetype == "text/html":
            response.set_data(re.sub(r"<link[^>]*>", "", response.get_data(as_text=True)))
        return response

    app.after_request(without_strangers)
    werkzeug.serving.make_server("localhost", port, app, threaded=True).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
