from pathlib import Path

from prometheus_client import REGISTRY

from services.runtime.store_gauges import look_at_disk
from tests.small_disk import fill, small_disk


def shown(name: str) -> float | None:
    return REGISTRY.get_sample_value(f"brettwerk_disk_{name}_bytes", {"disk": "tested"})


def test_a_disk_tells_how_much_room_it_has(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 2) as folder:
        look_at_disk(folder, "tested")
        assert shown("size") == 2 * 1024 * 1024
        assert 0 < (shown("free") or 0) <= 2 * 1024 * 1024
        fill(folder)
        look_at_disk(folder, "tested")
        assert shown("free") == 0
    look_at_disk(tmp_path / "not there", "tested")
    assert shown("free") == 0
