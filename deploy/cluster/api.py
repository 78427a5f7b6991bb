"""The API server, asked directly: cheaper than a kubectl for each look."""

import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from deploy.cluster import settings
from deploy.cluster.place import Place

TIMEOUT_S = 30


class Api:
    """Access to the API server, within the node's network."""

    def __init__(self, place: Place) -> None:
        self._token = place.token_file.read_text().split(",", 1)[0]
        self._context = ssl.create_default_context(cafile=str(place.authority))

    def is_well(self) -> bool:
        """Return whether the API server is there with all its parts."""
        request = urllib.request.Request(settings.API + "/healthz", headers={"Authorization": f"Bearer {self._token}"})  # noqa: S310
        try:
            with urllib.request.urlopen(request, context=self._context, timeout=TIMEOUT_S):  # noqa: S310
                return True
        except OSError:
            return False

    def items(self, path: str) -> Sequence[Mapping[str, Any]]:
        """Return the objects of a list. Raises OSError."""
        return list(self.call(path)["items"])

    def call(self, path: str, body: Mapping[str, object] | None = None) -> Mapping[str, Any]:
        """Return what is at a path, or the answer to what is posted to it. Raises OSError (HTTPError with what it refuses)."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(settings.API + path, data=data, headers=headers)  # noqa: S310 - our own address
        with urllib.request.urlopen(request, context=self._context, timeout=TIMEOUT_S) as opened:  # noqa: S310
            return dict(json.load(opened))
