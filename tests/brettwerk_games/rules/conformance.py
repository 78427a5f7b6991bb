"""The conformance kit: what every game has to keep, as checks that take a game and know nothing else of it.

**A new game gets it by itself.** `test_conformance.py` runs every check of `CHECKS` with every game that
`brettwerk_games.rules.registry` finds, and the registry finds every folder in `brettwerk_games/rules`. There is nothing to sign
up for. All that a check knows of a game is `brettwerk_games/rules/interface.py`: it begins games with options made from the
facts, plays them with legal actions drawn by lot, and looks at what it meets. Everything is drawn from fixed seeds, so that a
failure comes again.

What is checked, by module of `kit/`:

`turns.py`    Seats that are to act have legal actions, each once, always in the same order, and all of them can be played; what
              is legal elsewhere, what another seat sends and what comes after the end is refused with a rule (where
              `facts.lists_all` is false, the game may take what is legal elsewhere, if it can be written and read). Equal
              seeds give equal games. Random games end within `facts.max_actions`, and not always the same seat acts in them.
              Expiry names a legal action. SystemActions, options and start positions work or are refused with a rule. Every
              option changes something, and chance is used where there is some, and nowhere else.
`endings.py`  However a game ends, its winners, places, scores and sides agree with each other: who got more has the better place,
              those at the first place have won or share a draw, partners stand and win together. Who gives up first stands last.
`wire.py`     Options, positions, views, actions and events come back from their bytes; the bytes are canonical; a log of bytes
              replays to the same bytes. Broken bytes are Malformed, or a value that the rules can be asked about.
`secrets.py`  Positions that look alike to a seat tell it the same: view, legal actions, choices, notation, scene, outcome,
              refusals, and events unless the view tells it too. Whoever learns something hidden does so in a step that says
              `reveals`. What is drawn in a step is told by events to nobody whose view does not tell it. All of that holds for
              spectators, and for seats that give up. `sample` guesses.
`pieces.py`   What the rules service makes of a step for updates, encoded, is what the game itself says, byte for byte, for
              each audience that was asked for; positions that look alike to a seat give it the same bytes.
`board.py`    The board that clients get has every place that a scene shows or an action names; neighbours name each other, groups
              and neighbours name places that there are, all words are in the catalogues, and the message stays within its bytes.
`orders.py`   What is next by the orders that a game knows is accepted by the rules, and the same in positions that look alike to
              the seat; what is left of an order can be stored.
`words.py`    Notation comes back; nonsense is refused; choices, and the words for events, name places of the scene; every word
              that occurs, and every rule that refuses, is in both catalogues with all that its sentence needs, and on both
              rules pages.

**A game that hides something** is checked with its own `sample`: the kit asks it for positions that look like the real one to
a seat, and then compares everything that leaves the rules. That finds a leak in whatever `sample` does not copy. A leak that
`sample` copies (a view that carries a secret, and a sample that takes it from there) can only be found by somebody who knows
from the rules what is secret. So such a game must add one function to its tests,

    tests/brettwerk_games/rules/<id>/lookalikes.py:  look_alike(position, seat, seed) -> position

or, where it is a package, as `<package>/lookalikes.py`, which returns the position with
everything changed that this seat may not know, made from the position and the rules page and not from the view. The kit finds it
and uses it beside `sample`. `blind_duel/` is the smallest example, and `examples/liars_dice` one of a package.

**When a check fails**, its message says what was wrong with which action or text. To work on one check with one game:

    python -m tests.brettwerk_games.rules.conformance einstein notation_comes_back

**The kit is tested itself**: `test_kit.py` runs it with a small game of hidden cards (`blind_duel/`), which must pass, and with
mutants (`mutants/`), each of which one named check must catch. A check without a mutant that it catches does not pass either.
"""

import argparse
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.registry import games
from tests.brettwerk_games.rules.kit import board, endings, orders, pieces, secrets, turns, wire, words

Check: TypeAlias = Callable[[AnyGame], None]
"""Raises AssertionError when a game does not keep what the check's docstring says."""

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.__name__: check
        for check in (
            turns.legal_actions_are_listed,
            turns.legal_actions_are_accepted,
            turns.other_actions_are_refused,
            turns.seats_take_turns,
            turns.other_seats_wait,
            turns.games_end_within_their_bound,
            turns.equal_seeds_give_equal_games,
            turns.expiry_names_a_legal_action,
            turns.system_actions_follow_the_rules,
            turns.options_are_kept,
            turns.options_change_something,
            turns.options_for_the_start_stay,
            turns.seats_are_counted,
            turns.start_positions_are_checked,
            endings.outcomes_agree,
            endings.places_follow_the_order_of_giving_up,
            wire.kinds_are_typed,
            wire.bytes_come_back,
            wire.decoded_views_say_the_same,
            wire.logs_replay,
            wire.garbage_is_malformed,
            wire.broken_start_positions_are_refused,
            wire.wrong_options_are_refused,
            secrets.hidden_games_have_look_alikes,
            secrets.look_alikes_are_shown_the_same,
            secrets.guesses_differ,
            secrets.look_alikes_are_refused_the_same,
            secrets.events_show_what_views_show,
            secrets.system_actions_keep_secrets,
            secrets.events_keep_what_is_drawn,
            secrets.open_games_show_everything,
            pieces.pieces_tell_what_the_game_tells,
            pieces.pieces_of_look_alikes_are_the_same,
            board.boards_are_sound,
            board.boards_have_every_place,
            orders.orders_play_legal_actions,
            orders.orders_know_the_view_only,
            words.notation_comes_back,
            words.everybody_can_write_what_happened,
            words.nonsense_is_refused,
            words.scenes_and_choices_fit,
            words.narrations_fit,
            words.catalogues_are_complete,
            words.rules_pages_are_complete,
            words.facts_are_sound,
        )
    }
)
"""All checks by name."""


def failed(game: AnyGame, names: Sequence[str]) -> list[str]:
    """Return which of these checks a game does not pass; what each finds is printed."""
    found = []
    for name in names:
        try:
            CHECKS[name](game)
        except Exception:  # noqa: BLE001 - a game of somebody else's may raise anything
            found.append(name)
            print(f"{name} fails:", CHECKS[name].__doc__, traceback.format_exc(), sep="\n")
        else:
            print(name)
    return found


def main() -> None:
    """Run checks with one game, all of them where none is named; pytest is not needed for that."""
    parser = argparse.ArgumentParser(prog="python -m tests.brettwerk_games.rules.conformance", description=main.__doc__)
    parser.add_argument("game", choices=games(), metavar="game", help=f"one of {', '.join(games())}")
    parser.add_argument("checks", nargs="*", metavar="check", help=f"of {', '.join(CHECKS)}")
    given = parser.parse_args()
    if unknown := [name for name in given.checks if name not in CHECKS]:
        parser.error(f"there is no check {unknown[0]}; there are: {', '.join(CHECKS)}")
    names = given.checks or list(CHECKS)
    wrong = failed(games()[given.game], names)
    print(f"{len(names) - len(wrong)} of {len(names)} checks pass")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
