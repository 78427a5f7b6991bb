"""A process that cannot start says why, and ends with 2."""

import subprocess
import sys

import pytest

from services.runtime.cannot_start import cannot_start


def test_it_prints_each_sentence_where_errors_go_and_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        raise cannot_start("A_URL: wrong", "B_URL: wrong, too")
    assert ended.value.code == 2
    assert capsys.readouterr() == ("", "A_URL: wrong\nB_URL: wrong, too\n")


def test_the_sentence_alone_is_printed() -> None:
    program = "from services.runtime.cannot_start import cannot_start\nraise cannot_start('wrong')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "wrong\n")
