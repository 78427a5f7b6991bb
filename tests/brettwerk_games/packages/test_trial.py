"""A broken package costs its own game only: it is left out with one sentence, by all processes that have to do with games."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from brettwerk_games.packages import contract, discovery, trial
from tests.brettwerk_games.packages.packages import install, name_entry_point
from tests.examples.installing import ROOT, environment
from tests.night import at_night

OWN_GAMES = ["einstein", "emperado", "plateau", "wec"]
LEFT_OUT = "from brettwerk_games.packages.trial import trial; print(json.dumps(dict(trial().left_out)))"
SERVED = {
    "rules": "from brettwerk_games.rules.registry import games; print(json.dumps(list(games())))",
    "players": "from services.players.game_data import every_game; print(json.dumps(list(every_game())))",
}
FILES = "from gateway.messages.contract import PUBLIC_FILES; print(json.dumps([file.package for file in PUBLIC_FILES]))"


def said(program: str, *sites: Path) -> object:
    """Return what a program prints as JSON, with nothing on its standard error but that a game has former names."""
    command = [sys.executable, "-c", f"import json; {program}"]
    done = subprocess.run(command, cwd=ROOT, env=environment(*sites), capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.partition(" is ")[2] in ("", "brettwerk_games.rules since 1.1: games import that\n")
    return json.loads(done.stdout.splitlines()[-1])  # a package may print when it is loaded


def appended(text: str) -> Callable[[Path, str], None]:
    def change(package: Path, _game: str) -> None:
        with (package / "__init__.py").open("a") as file:
            file.write(text)

    return change


def facts(**changes: object) -> Callable[[Path, str], None]:
    def change(package: Path, _game: str) -> None:
        file = package / "facts.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | changes))

    return change


def replaced(name: str, text: str) -> Callable[[Path, str], None]:
    def change(package: Path, _game: str) -> None:
        (package / name).write_text(text)

    return change


def removed(name: str) -> Callable[[Path, str], None]:
    def change(package: Path, _game: str) -> None:
        (package / name).unlink()

    return change


def in_rules(before: str, after: str) -> Callable[[Path, str], None]:
    def change(package: Path, _game: str) -> None:
        file = package / "rules.py"
        assert before in file.read_text()
        file.write_text(file.read_text().replace(before, after, 1))

    return change


KINDS: Mapping[str, tuple[Callable[[Path, str], None], str]] = {
    "a_syntax": (appended("def\n"), "SyntaxError: "),
    "b_import": (appended("import no_such_module\n"), "ModuleNotFoundError: No module named 'no_such_module'"),
    "c_exit": (appended("import sys; sys.exit(3)\n"), "SystemExit: 3"),
    "d_killed": (appended("import os; os._exit(0)\n"), "loading it ends the process (0)"),
    "e_crash": (appended("import os; os.abort()\n"), "loading it ends the process (-6)"),
    "f_no_facts": (removed("facts.json"), "FileNotFoundError: "),
    "g_no_json": (replaced("facts.json", "{"), "JSONDecodeError: "),
    "h_other_id": (facts(id="hex"), "its facts.json is of the game hex, and its entry point is named h_other_id"),
    "i_interface": (
        facts(interface=2),
        "it is written for version 2 of the interface for games, but this Brettwerk has version 1: install a release of the "
        "package that fits, or uninstall it",
    ),
    "j_type": (facts(min_seats="two"), "its facts.json is wrong at min_seats: Input should be a valid integer"),
    "k_seats": (facts(min_seats=3), "its facts.json must have 1 to 6 seats, and no fewer than min_seats"),
    "l_number": (facts(max_actions=-1), "its facts.json must have max_actions above 0"),
    "m_no_contract": (removed("contract.binpb"), "contract.binpb'"),
    "n_contract": (replaced("contract.binpb", "this is none"), "its contract cannot be used (DecodeError: "),
    "o_no_words": (removed("en.md"), "KeyError: 'en'"),
    "p_new": (
        in_rules("def begin(self", "def begin(self, x):\n        raise ZeroDivisionError\n\n    def begun(self"),
        "it cannot be loaded and begun (",
    ),
    "q_prints": (appended('print(\'["duel", "it is bad"]\')\nimport sys\nsys.stdout.flush()\n'), ""),
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a sound game between broken ones of every kind."""
    made = tmp_path_factory.mktemp("packages")
    for game, (change, _) in KINDS.items():
        change(install(made, game), game)
    install(made, "duel")
    install(made, "zz_clash", messages="duel")
    name_entry_point(made, "twice", value="duel:GAME", distribution="one")
    name_entry_point(made, "twice", value="zz_clash:GAME", distribution="another")
    name_entry_point(made, "away", value="no_such_package:GAME")
    name_entry_point(made, "einstein", value="duel:GAME")
    return made


@pytest.fixture(scope="module")
def left_out(site: Path) -> Mapping[str, str]:
    found = said(LEFT_OUT, site)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("game", [game for game, (_, why) in KINDS.items() if why])
def test_a_broken_package_is_left_out_with_one_sentence_that_says_why(left_out: Mapping[str, str], game: str) -> None:
    assert left_out[game].startswith(f"the game {game} of the package {game} is left out: ")
    assert KINDS[game][1] in left_out[game]
    assert "\n" not in left_out[game]


def test_games_that_contradict_each_other_are_left_out(left_out: Mapping[str, str]) -> None:
    assert left_out["twice"] == "the game twice is left out: two packages have it, duel:GAME and zz_clash:GAME"
    assert left_out["away"].endswith("is left out: there is no package no_such_package")
    assert "its contract cannot be used (TypeError: " in left_out["zz_clash"]
    assert "einstein" in left_out


@pytest.mark.parametrize("program", [pytest.param(SERVED["rules"], id="rules"), at_night(SERVED["players"], id="players")])
def test_the_others_are_served(site: Path, left_out: Mapping[str, str], program: str) -> None:
    assert said(program, site) == sorted([*OWN_GAMES, "duel", "q_prints"])
    assert not {"duel", "q_prints"} & set(left_out)


def test_the_gateway_knows_the_messages_of_all_games_whose_contract_can_be_used(site: Path) -> None:
    packages = said(FILES, site)
    assert isinstance(packages, list)
    assert {"duel.v1", "a_syntax.v1", "p_new.v1"} <= set(packages)
    assert not {"n_contract.v1", "i_interface.v1"} & set(packages)
    assert packages.count("duel.v1") == 1


BESIDE = """
from services.players.achievements.catalogue import achievements
from services.players.puzzles.collection import shipped
from services.players.ratings.anchors import anchors
print(json.dumps([len(achievements("duel")), len(anchors("duel")), len(shipped("duel"))]))
print(json.dumps([len(achievements("einstein")) > 0, len(anchors("einstein")) > 0, len(shipped("einstein")) > 0]))
"""


def test_broken_files_beside_the_rules_cost_no_more_than_what_they_hold(tmp_path: Path) -> None:
    package = install(tmp_path, "duel")
    for name, text in (("achievements.json", '[{"strange": 1}]'), ("ratings.json", "[]"), ("puzzles.bin", "none")):
        (package / name).write_text(text)
    command = [sys.executable, "-c", f"import json\n{BESIDE}"]
    done = subprocess.run(command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=120, check=True)
    *logged, of_duel, of_einstein = done.stdout.splitlines()
    assert (json.loads(of_duel), json.loads(of_einstein)) == ([0, 0, 0], [True, True, True])
    for file in ("achievements.json", "ratings.json", "puzzles.bin"):
        assert sum(f"the game duel is without its {file}: " in line for line in logged) == 1


@pytest.fixture
def found_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Let this process find what is installed in a folder."""
    cached = (discovery.found, discovery.folder, contract.contracts, trial.trial)

    def look(site: Path) -> None:
        monkeypatch.syspath_prepend(site)
        for function in cached:
            function.cache_clear()

    yield look
    for function in cached:
        function.cache_clear()


def test_a_package_whose_import_never_returns_is_left_out_after_a_while(
    tmp_path: Path, found_in: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    appended("import time\nwhile True: time.sleep(1)\n")(install(tmp_path, "asleep"), "asleep")
    install(tmp_path, "later_duel")
    found_in(tmp_path)
    monkeypatch.setattr(trial, "WALL_S", 8.0)
    made = trial.trial()
    assert made.games == ("later_duel",)
    assert made.left_out == {"asleep": "the game asleep of the package asleep is left out: loading it takes more than 8 s"}


@pytest.mark.nightly
def test_a_package_that_computes_for_ever_is_left_out_after_so_much_cpu_time(
    tmp_path: Path, found_in: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "WALL_S", 300.0)  # the machine may be busy
    monkeypatch.setattr(trial, "CPU_S", 1)
    appended("while True: pass\n")(install(tmp_path, "busy"), "busy")
    found_in(tmp_path)
    assert trial.trial().left_out["busy"].endswith("is left out: loading it takes more than 1 s of CPU time")


def test_without_an_installed_game_the_trial_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    assert trial.trial.__wrapped__() == ((), {})
