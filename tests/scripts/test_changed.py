"""Changes are checked, and nothing else: files changed since the branch left main, and the tests that look at them."""

import subprocess
from pathlib import Path

import pytest

from scripts.changed import MAX_TESTS, changed_files, relevant_tests
from scripts.checks import of_changed, of_changed_web
from scripts.runner import ROOT, Check, Runner
from scripts.unsteady import Unsteady

SOURCES = (
    "brettwerk_games",
    "grpc_http2",
    "services",
    "gateway/*.py",
    "deploy",
    "loadtests",
    "scripts",
    "clients/python/src",
    "examples",
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for name in ("old.py", "touched.py", "gone.py"):
        (tmp_path / name).write_text("x = 1\n")
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    git(tmp_path, "switch", "-q", "-c", "work")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    known = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *known, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "some")


def test_files_committed_edited_and_added_since_main_have_changed(repository: Path) -> None:
    (repository / "committed.py").touch()
    (repository / "gone.py").unlink()
    commit(repository)
    (repository / "touched.py").write_text("x = 2\n")
    (repository / "new.py").touch()
    assert changed_files(repository) == ["committed.py", "new.py", "touched.py"]
    assert changed_files(repository, "HEAD") == ["new.py", "touched.py"]


def test_files_changed_on_main_meanwhile_have_not(repository: Path) -> None:
    git(repository, "switch", "-q", "main")
    (repository / "old.py").write_text("x = 3\n")
    commit(repository)
    git(repository, "switch", "-q", "work")
    assert changed_files(repository) == []


def test_a_commit_that_there_is_not_is_named(repository: Path) -> None:
    with pytest.raises(ValueError, match="no commit nonsense"):
        changed_files(repository, "nonsense")


def test_tests_are_found_by_the_place_of_their_module() -> None:
    files = ["scripts/unsteady.py", "scripts/new-game", "tests/scripts/test_checks.py", "services/__init__.py", "README.md"]
    assert relevant_tests(ROOT, files) == [
        "tests/scripts/test_checks.py",
        "tests/scripts/test_new_game.py",
        "tests/scripts/test_unsteady.py",
    ]


def names(checks: object) -> set[str]:
    return {check.name for check in checks if isinstance(check, Check)}  # type: ignore[attr-defined]


def test_each_kind_of_file_has_its_checks_and_no_others() -> None:
    assert names(of_changed(["README.md"])) == names(of_changed_web(["README.md", "scripts/unsteady.py"])) == set()
    of_a_script = {"ruff check", "ruff format", "mypy", "import-linter", "diagrams of packages", "1 files of tests"}
    assert names(of_changed(["scripts/unsteady.py"])) == names(of_changed(["scripts/new-game"])) == of_a_script
    assert "half of the client" in names(of_changed(["clients/python/src/brettwerk_client/seat.py"])) - of_a_script
    assert names(of_changed(["scripts/check", "LICENSE"])) == set()
    of_contract = {"buf lint", "buf format", "buf breaking", "contract of options", "catalogue of refusals", "3 files of tests"}
    assert names(of_changed(["protos/brettwerk/v1/play.proto"])) == of_contract
    assert names(of_changed_web(["protos/brettwerk/v1/play.proto"])) == {"web generate", "svelte-check"}
    of_a_module = names(of_changed_web(["clients/web/src/app/refusal_text.ts"]))
    assert of_a_module == {"web generate", "svelte-check", "eslint", "web tests", "prettier"}


@pytest.mark.parametrize(("text", "is_good"), [('"""Some."""\n', True), ('"""Some."""\n\nimport os\n', False)])
def test_a_fault_in_what_changed_is_found(text: str, is_good: bool, tmp_path: Path) -> None:
    file = tmp_path / "some.py"
    file.write_text(text)
    check = next(one for one in of_changed([str(file)]) if one.name == "ruff check")
    assert (Runner(Unsteady(tmp_path / "unsteady.csv")).run([[[check]]]) == []) is is_good


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("clients/python/src/brettwerk_client/progress.py", ["tests/clients/test_progress.py"]),
        ("clients/typescript/src/seat.ts", ["tests/clients/test_tarball.py"]),
        ("clients/web/src/api/wallet.ts", []),
        ("clients/web/src/app/router.svelte.ts", []),
        (
            "brettwerk_games/rules/einstein/rules.py",
            [
                "tests/brettwerk_games/rules/einstein/test_rules.py",
                "tests/brettwerk_games/rules/einstein/test_rules_mobility.py",
                "tests/brettwerk_games/rules/test_conformance.py",
            ],
        ),
        (
            "protos/brettwerk/v1/play.proto",
            ["tests/contract/test_contract.py", "tests/contract/test_limits.py", "tests/contract/test_promises.py"],
        ),
        (
            "services/session/domain/clocks.py",
            [f"tests/services/session/domain/test_clocks{kind}.py" for kind in ("", "_pace", "_rest_hours", "_vacation")],
        ),
        ("examples/bot.py", ["tests/examples/test_playing.py"]),
        ("tests/brettwerk_games/rules/lessons.py", ["tests/brettwerk_games/rules/test_lessons.py"]),
    ],
)
def test_tests_in_another_place_are_found(name: str, tests: list[str]) -> None:
    assert (ROOT / name).is_file()
    assert relevant_tests(ROOT, [name]) == tests


@pytest.mark.parametrize("name", ["services/ai/board/scripts/offer.lua", "brettwerk_games/players/einstein/setups.json"])
def test_files_that_a_service_reads_are_tested_with_its_folder(name: str) -> None:
    assert (ROOT / name).is_file()
    tests = relevant_tests(ROOT, [name])
    assert tests
    folders = {f"tests/{folder}" for folder in Path(name).parents}
    assert {str(Path(test).parent) for test in tests} <= folders


def test_every_module_has_quick_tests() -> None:
    listed = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    modules = [name for name in listed if name.endswith(".py") and not name.endswith("__init__.py") and (ROOT / name).is_file()]
    tests = {name: relevant_tests(ROOT, [name]) for name in modules}
    assert [name for name, found in tests.items() if not found] == []
    assert [name for name, found in tests.items() if len(found) > MAX_TESTS] == []


@pytest.mark.parametrize(
    ("name", "test"),
    [
        ("services/session/live/writer.py", "tests/services/session/"),  # none has its name
        ("brettwerk_games/rules/interface.py", "tests/brettwerk_games/rules/"),  # nearly all import it
    ],
)
def test_a_module_without_a_test_of_its_name_has_those_that_import_it_and_stand_nearest(name: str, test: str) -> None:
    assert relevant_tests(ROOT, [name])[0].startswith(test)


def test_tests_that_import_a_module_indirectly_are_found_too(tmp_path: Path) -> None:
    for name, text in {
        "services/a/inner.py": "X = 1\n",
        "services/a/outer.py": "from services.a import inner\n",
        "tests/services/b/test_outer.py": "from services.a.outer import inner\n\n\ndef test_one(): ...\n",
        "tests/services/b/test_whole.py": "import services.a.inner\n\npytestmark = [pytest.mark.e2e]\n\n\ndef test_two(): ...\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert relevant_tests(tmp_path, ["services/a/inner.py"]) == ["tests/services/b/test_outer.py"]
