"""Planted faults: read from their list, put into one line of a file, and tried by the tests that are nearest to it."""

import pytest

from scripts.plant_faults import LISTED, ROOT, Fault, listed, nearest_tests

TEXT = "def f(x):\n    if x > 1:\n        return x\n    return 1\n"


def test_a_list_names_files_lines_and_their_replacements() -> None:
    text = "# remark\na.py\n- if x:\n+ if not x:\n- y = 1\n+ y = 2\n\nb/c.py\n- z\n+ pass\n"
    assert list(listed(text)) == [
        Fault("a.py", "if x:", "if not x:"),
        Fault("a.py", "y = 1", "y = 2"),
        Fault("b/c.py", "z", "pass"),
    ]


def test_a_fault_changes_its_line_and_nothing_else() -> None:
    planted = Fault("a.py", "if x > 1:", "if x >= 1:").planted(TEXT)
    assert planted == "def f(x):\n    if x >= 1:\n        return x\n    return 1\n"


@pytest.mark.parametrize("line", ["if x > 2:", "x > 1"])
def test_a_line_that_is_not_there_is_no_fault(line: str) -> None:
    with pytest.raises(ValueError, match="lines"):
        Fault("a.py", line, "pass").planted(TEXT)


def test_the_tests_of_a_module_come_before_others_of_its_service() -> None:
    found = nearest_tests("services/session/live/memory.py", ROOT)
    assert found[0] == "tests/services/session/live/test_memory.py"
    assert "tests/services/session/store/test_bounds.py" in found
    assert all(file.startswith("tests/services/session/") for file in found)


def test_each_listed_fault_is_of_a_file_and_changes_it() -> None:
    faults = list(listed(LISTED.read_text(encoding="utf-8")))
    assert len(faults) > 80
    assert {fault.file for fault in faults if not (ROOT / fault.file).exists()} == set()
    assert [fault for fault in faults if fault.old == fault.new] == []


def test_each_listed_fault_still_fits_its_file() -> None:
    unfit = []
    for fault in listed(LISTED.read_text(encoding="utf-8")):
        try:
            fault.planted((ROOT / fault.file).read_text(encoding="utf-8"))
        except ValueError as error:
            unfit.append(str(error))
    assert unfit == []
