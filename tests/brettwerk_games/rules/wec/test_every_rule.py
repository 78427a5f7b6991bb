"""Every rule of the page has a test that is named after it, or a reason why it has none.

A test names its rules in its name (`test_rul_3_...`, `test_opt_4_and_opt_5_...`, `test_piece_2_to_10_...`), or by the number of
a case (`test_case_26_...`), whose rules stand in `cases.json`. A rule that a test expects as the reason of a refusal counts too.
"""

import json
import re
from pathlib import Path

from brettwerk_games.rules.wec import GAME

HERE = Path(__file__).parent
SESSIONS = HERE.parents[2] / "services" / "session" / "domain" / "commands"
ELSEWHERE = (SESSIONS / "test_actions_undo.py", *SESSIONS.glob("test_proposals*.py"))
UNTESTED = {
    "WEC-GAME-1": "a name",
    "WEC-GAME-3": "who plays is the sessions' affair",
    "WEC-GAME-6": "how the manual is read",
    "WEC-BOARD-1": "colours of squares are drawn by the board",
    "WEC-BOARD-2": "colours of squares are drawn by the board",
    "WEC-MOVE-2": "a remark",
    "WEC-MOVE-PANZER-5": "how a piece is drawn",
    "WEC-MOVE-PANZER-6": "how the manual draws",
    "WEC-CARRY-5": "a remark",
    "WEC-TRAN-9": "advice",
    "WEC-FIRE-STUN-6": "a remark",
    "WEC-PROJ-7": "a remark",
    "WEC-OPT-31": "advice to authors of boards",
    "WEC-STACK-7": "advice",
    "WEC-STEALTH-8": "advice",
    "WEC-ITEM-5": "how the board is touched",
    "WEC-REINF-8": "what the board shows",
    "WEC-NOTATION-10": "points to WEC-RUL-52",
    "WEC-RUL-58": "leaderboards are not the game's",
    **{f"WEC-UI-{number}": "what the board shows is tested with it" for number in (3, 4, 9, 10, 12, 13, 16)},
    "WEC-ONLINE-4": "saves are tested with the session service",
    "WEC-OBS-15": "what leaves the session service is tested with it",
}
_ID = re.compile(r"WEC-[A-Z]+(?:-[A-Z]+)*-\d+")
_TEST = re.compile(r"def test_(\w+)\(")
_NAMED = re.compile(r"(?:^|_)((?:[a-z]+_)+)(\d+)(?:_to_(?:(?:[a-z]+_)+)?(\d+))?(?=_|$)")


def rules_of_page() -> list[str]:
    return re.findall(r'<a id="(WEC-[A-Z0-9-]+)">', GAME.facts.rules_page("en"))


def rules_with_tests() -> set[str]:
    cases: dict[str, list[str]] = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    by_name = {rule.removeprefix("WEC-").lower().replace("-", "_"): rule for rule in rules_of_page()}
    found: set[str] = set()
    for path in (*HERE.glob("test_*.py"), *ELSEWHERE):
        if path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8")
        found.update(_ID.findall(text))
        for name in _TEST.findall(text):
            for case in re.findall(r"case_(\d+)", name):
                found.update(cases[case])
            for words, first, last in _NAMED.findall(name):
                for number in range(int(first), int(last or first) + 1):
                    found.update(rule for key, rule in by_name.items() if _ends_with(words + str(number), key))
    return found


def _ends_with(name: str, key: str) -> bool:
    return name == key or name.endswith(f"_{key}")


def test_every_rule_has_its_test_or_a_reason_for_none() -> None:
    rules, found = rules_of_page(), rules_with_tests()
    assert len(rules) > 300
    missing = [rule for rule in rules if rule not in found and rule not in UNTESTED]
    assert not missing, f"without a test: {missing}"
    needless = [rule for rule in UNTESTED if rule in found or rule not in rules]
    assert not needless, f"these have tests: {needless}"


def test_every_case_has_its_test() -> None:
    cases = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
    names = " ".join(name for path in HERE.glob("test_*.py") for name in _TEST.findall(path.read_text(encoding="utf-8")))
    assert not [case for case in cases if f"case_{case}_" not in names]
