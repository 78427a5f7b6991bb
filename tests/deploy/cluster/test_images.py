"""The image that the node's pods are held by."""

import hashlib
import io
import json
import tarfile

from deploy.cluster.images import image_of
from deploy.cluster.settings import PAUSE_IMAGE


def test_the_pause_is_an_image_of_one_program() -> None:
    with tarfile.open(fileobj=io.BytesIO(image_of("pause", b"program", PAUSE_IMAGE))) as image:
        files = {member.name: image.extractfile(member).read() for member in image.getmembers()}  # type: ignore[union-attr]
    (manifest,) = json.loads(files["manifest.json"])
    config, layer = files[manifest["Config"]], files[manifest["Layers"][0]]
    assert manifest["RepoTags"] == [PAUSE_IMAGE]
    assert manifest["Config"] == f"{hashlib.sha256(config).hexdigest()}.json"
    assert json.loads(config)["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(layer).hexdigest()}"]
    with tarfile.open(fileobj=io.BytesIO(layer)) as inner:
        member = inner.getmember(json.loads(config)["config"]["Entrypoint"][0].strip("/"))
        assert member.mode == 0o755
        assert inner.extractfile(member).read() == b"program"  # type: ignore[union-attr]
