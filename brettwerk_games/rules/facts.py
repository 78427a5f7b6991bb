"""The facts of a game as data: seats, options, levels.

They are read from the game's `facts.json`, so that no code repeats them; its options class has the options (options.py).

Words are not here but in the game's catalogues (`text/en.json`, `text/de.json`), or, where they mean the same in every game, in
words.json; what a game says in no other language may stand in the folder of that language (brettwerk_games/languages), and is
English where it stands nowhere. Facts name the keys:

    game.name  game.summary
    seat.<n>.name
    option.<key>.label  option.<key>.help  option.<key>.<value>     (value: the enum value's short name, lower case)
    group.<group>
    level.<id>.label  level.<id>.description
    level.<id>.name  level.<id>.character   (what its computers are called beside the label, and are like; may be missing)
    preset.<id>.label  preset.<id>.help
    order.<kind>.label  order.<kind>.help  order.<kind>.<key>  order.<kind>.<key>.<choice>
    phrase.<id>           a quick phrase; those of all games are added (phrases.py)
    rule.<RULE-ID>        why the rule refuses something; where there is none, what the rules page says of the rule is shown
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from brettwerk_games.languages.folders import BASE, LANGUAGES, in_place_of
from brettwerk_games.rules import phrases, words
from brettwerk_games.rules.options import OptionFacts, option_facts
from brettwerk_games.rules.orders import OrderFacts, order_facts
from brettwerk_games.rules.rule_sentences import rule_sentences


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """One seat: a CSS colour for boards, and whether a computer sits there unless the creator says otherwise."""

    colour: str
    computer_by_default: bool = False


@dataclass(frozen=True, slots=True)
class LevelFacts:
    """A computer player's level. `player` names the player that the AI service uses and `strength` sets it; 0 is its own preset.

    `think_ms` bounds its thinking, and `least_ms` says with how little it is still itself (0: with no less than `think_ms`):
    where more is wanted than workers can do it is given less time, but never less than that (docs/levels.md has its strength
    there). `max_depth` is the greatest search depth a seat may ask for, 0 where depth is fixed. `run_games` is how many games a
    run among computers may have in which it takes part: 0 for none, since what it does depends on the clock or takes too long.
    """

    id: str
    player: str
    strength: int
    think_ms: int
    max_depth: int = 0
    least_ms: int = 0
    run_games: int = 0

    @property
    def floor_ms(self) -> int:
        """The least thinking time in milliseconds, whichever way it is written."""
        return min(self.least_ms or self.think_ms, self.think_ms)


@dataclass(frozen=True, slots=True)
class PresetFacts:
    """Options that can be chosen as one: values by option, all others as preset; meant for `max_seats` at most, 0 for any.

    `board` names a prepared board that it is played on; the game then offers `board` (interface.py). Clients choose the one that
    is `for_newcomers` first, if there is one.
    """

    id: str
    options: Mapping[str, int | str]
    max_seats: int = 0
    rule: str = ""
    board: str = ""
    for_newcomers: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a game before anybody plays it.

    `lists_all` is false where an action has an amount or a way besides, and `actions` lists some of them only: `apply` and
    `read` then take others too, as the rules allow. `tells_seats` is true where the rules depend on which seats computers play.
    `also_plays` are earlier revisions of the rules whose sessions these ones go on with. `holds_seeds` is true where several
    steps may be given one seed, so that what is taken back never rolls anew (`hold` in interface.py). `hides_actions` is true
    where an action may be unperceived by others (`unaware` in interface.py). `phrases` are quick phrases that can be said at its
    tables, and `private_talk` is true where a seat may speak to another one alone. `conditional_moves` is true where a seat may
    say in advance what it answers: nothing is hidden, with some of the options at least (`is_open` in interface.py), and no
    action depends on its step seed. `orders` are the kinds of orders that the game knows (orders.py): it then has `next_action`.
    """

    id: str
    rules_version: str
    seats: tuple[SeatFacts, ...]
    min_seats: int
    chance: bool
    hidden: bool
    draws: bool
    start_positions: bool
    max_actions: int
    options: tuple[OptionFacts, ...]
    levels: tuple[LevelFacts, ...]
    folder: Path
    lists_all: bool = True
    tells_seats: bool = False
    presets: tuple[PresetFacts, ...] = ()
    also_plays: tuple[str, ...] = ()
    holds_seeds: bool = False
    hides_actions: bool = False
    phrases: tuple[str, ...] = ()
    private_talk: bool = False
    conditional_moves: bool = False
    orders: tuple[OrderFacts, ...] = ()
    further_texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By language: texts of the game that follow from its data."""

    def plays(self, rules_version: str) -> bool:
        """Return whether sessions that began with a revision of the rules can be played by these."""
        return rules_version in self.revisions

    @property
    def revisions(self) -> tuple[str, ...]:
        """The revisions of the rules that can be played, the newest one last."""
        return (*self.also_plays, self.rules_version)

    @property
    def ranges(self) -> Mapping[str, tuple[int, int]]:
        """By option that is a number: the least and the greatest that it takes."""
        return {option.key: (option.min, option.max) for option in self.options if option.kind == "number"}

    @property
    def settled(self) -> Mapping[str, str]:
        """The options that are settled before the start, and their rules."""
        return {option.key: option.rule for option in self.options if option.changeable == "before_start"}

    def catalogue(self, language: str) -> dict[str, str]:
        """Return the game's texts in `language`, by key; a rule that none is written for in the words of its page.

        A text missing in that language is in English. Raises KeyError for a language that there is not.
        """
        _require(language)
        return in_place_of(self._texts(BASE), *([] if language == BASE else [self._texts(language)]))

    def _texts(self, language: str) -> dict[str, str]:
        """Return what is written in a language. A text of the game's own takes the place of the one that all games share."""
        own, apart = self._own_texts(language), self._own_texts(BASE)
        rules = {f"rule.{rule}": sentences for rule, sentences in rule_sentences(self._page(language)).items()}
        common = {key: text for key, text in self.common_texts(language).items() if key not in apart}
        return {**rules, **common, **own}

    def _own_texts(self, language: str) -> dict[str, str]:
        path = self.folder / "text" / f"{language}.json"
        own: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        made = self.further_texts.get(language, {})
        return {**LANGUAGES.words(language, "games", self.id, "text.json"), **made, **own}

    def common_texts(self, language: str) -> dict[str, str]:
        """Return what a catalogue has besides the game's own texts: phrases, and words that mean the same in every game.

        A text missing in a language is left out.
        """
        groups = {option.group for option in self.options}
        levels = [level.id for level in self.levels]
        wanted = {**phrases.texts(BASE), **words.texts(BASE, levels, groups)}
        shared = {key: text for key, text in LANGUAGES.words(language, "games.json").items() if key in wanted}
        return {**shared, **phrases.texts(language), **words.texts(language, levels, groups)}

    def rules_page(self, language: str) -> str:
        """Return the game's rules page, as Markdown with an anchor at every rule: in `language`, or else in English.

        Raises KeyError for a language that there is not, and where there is no page.
        """
        _require(language)
        page = self._page(language) or self._page(BASE)
        if not page:
            raise KeyError(language)
        return page

    def _page(self, language: str) -> str:
        path = self.folder / f"rules.{language}.md"
        return path.read_text(encoding="utf-8") if path.exists() else LANGUAGES.page(language, "games", self.id, "rules.md")


def _require(language: str) -> None:
    if language not in LANGUAGES.codes():
        raise KeyError(language)


GENERIC_LEVELS = (
    LevelFacts(id="easy", player="generic", strength=50, think_ms=300, least_ms=100, run_games=200),
    LevelFacts(id="normal", player="generic", strength=1500, think_ms=1000, least_ms=100),
    LevelFacts(id="strong", player="generic", strength=20_000, think_ms=2000, least_ms=100),
)
"""The levels of a game that has no player of its own: the search that knows nothing but the game interface."""

PLAIN_SEATS = (
    SeatFacts("#f5f1e6"),
    SeatFacts("#23262d", computer_by_default=True),
    SeatFacts("#c8372d", computer_by_default=True),
    SeatFacts("#2f6fc4", computer_by_default=True),
    SeatFacts("#3c9a4c", computer_by_default=True),
    SeatFacts("#e8b923", computer_by_default=True),
)
"""The seats of a game that says no more of them than how many they are: white, black, red, blue, green and yellow."""


def seats_of(raw: Mapping[str, Any]) -> tuple[SeatFacts, ...]:
    """Return the seats that the contents of a facts.json state: a list, or how many plain ones.

    Raises TypeError for fields that `SeatFacts` has not, and ValueError for more seats than there are plain ones.
    """
    stated = raw.get("seats", 2)
    if not isinstance(stated, int):
        return tuple(SeatFacts(**seat) for seat in stated)
    if not 1 <= stated <= len(PLAIN_SEATS):
        raise ValueError(f"facts.json has {stated} seats, not 1 to {len(PLAIN_SEATS)}")
    return PLAIN_SEATS[:stated]


def read_facts(folder: Path, options: type[Any] | None = None) -> Facts:
    """Return the facts in `folder`/facts.json: the fields of `Facts`.

    May be left out: what is false, lists without elements, `min_seats` where all play, levels for the generic ones, and seats for
    two plain ones; a number of seats stands for so many plain ones. The options are those of the class; a package may state them
    in the file instead. Raises ValueError where both do, OSError, KeyError, TypeError or ValueError for a file that is not as it
    should be.
    """
    raw = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    stated = option_facts(options) if options else ()
    if stated and "options" in raw:
        raise ValueError("facts.json states options, which the options class does already")
    return Facts(
        id=raw["id"],
        rules_version=raw["rules_version"],
        seats=(seats := seats_of(raw)),
        min_seats=raw.get("min_seats", len(seats)),
        chance=raw.get("chance", False),
        hidden=raw.get("hidden", False),
        draws=raw.get("draws", False),
        start_positions=raw.get("start_positions", False),
        max_actions=raw["max_actions"],
        options=stated or tuple(OptionFacts(**{**o, "choices": tuple(o.get("choices", ()))}) for o in raw.get("options", ())),
        levels=tuple(LevelFacts(**level) for level in raw["levels"]) if "levels" in raw else GENERIC_LEVELS,
        folder=folder,
        lists_all=raw.get("lists_all", True),
        tells_seats=raw.get("tells_seats", False),
        presets=tuple(PresetFacts(**preset) for preset in raw.get("presets", ())),
        also_plays=tuple(raw.get("also_plays", ())),
        holds_seeds=raw.get("holds_seeds", False),
        hides_actions=raw.get("hides_actions", False),
        phrases=(*phrases.for_all_games(), *raw.get("phrases", ())),
        private_talk=raw.get("private_talk", False),
        conditional_moves=raw.get("conditional_moves", False),
        orders=order_facts(raw.get("orders", ())),
    )
