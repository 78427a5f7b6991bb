"""The pod that restores a backup on the trial's node is the one of the guide."""

import yaml

from deploy.cluster.trial.backup import MANIFEST, pod


def test_only_the_image_and_the_volume_of_the_archive_differ() -> None:
    given, made = yaml.safe_load(MANIFEST.read_text()), pod(MANIFEST)
    assert made["spec"]["containers"][0].pop("image") != given["spec"]["containers"][0].pop("image")
    assert made["spec"]["containers"][0].pop("imagePullPolicy") == "Never"
    changed = [
        (before["name"], after)
        for before, after in zip(given["spec"].pop("volumes"), made["spec"].pop("volumes"), strict=True)
        if before != after
    ]
    assert changed == [("archive", {"name": "archive", "emptyDir": {}})]
    assert made == given
