"""The next line-ups in the arena."""

from collections import Counter

from services.players.arena.line_ups import Contestant, LineUp, next_line_up

BOTS = [Contestant("bot-a", 1), Contestant("bot-b", 1), Contestant("bot-c", 1)]
LEVELS = [Contestant("level:easy", 1), Contestant("level:strong", 1)]


def rounds(contestants: list[Contestant], seats: list[int], games: int) -> Counter[LineUp]:
    played: Counter[LineUp] = Counter()
    for _ in range(games):
        line_up = next_line_up(contestants, seats, played)
        assert line_up is not None
        played[line_up] += 1
    return played


def test_every_bot_meets_everybody_from_both_seats_before_anybody_meets_again() -> None:
    pairs = 3 * 2 + 2 * 3 * 2
    played = rounds(BOTS + LEVELS, [2], pairs)
    assert len(played) == pairs and set(played.values()) == {1}
    assert all(any(one.startswith("bot-") for one in line_up) for line_up in played)
    assert set(rounds(BOTS + LEVELS, [2], 3 * pairs).values()) == {3}


def test_levels_play_only_with_bots_and_bots_only_as_much_as_they_may() -> None:
    assert next_line_up(LEVELS, [2], {}) is None
    assert next_line_up([Contestant("bot-a", 0), *LEVELS], [2], {}) is None
    assert next_line_up([Contestant("bot-a", 1), Contestant("level:easy", 0)], [2], {}) is None


def test_all_numbers_of_seats_have_their_turn_as_far_as_there_are_players() -> None:
    played = rounds([*BOTS[:1], *LEVELS], [2, 3, 4], 8)
    assert Counter(len(line_up) for line_up in played.elements()) == {2: 4, 3: 4}


def test_at_many_seats_everybody_plays_alike_and_from_every_seat() -> None:
    played = rounds(BOTS + LEVELS, [3], 60)
    games = Counter(one for line_up, count in played.items() for one in line_up * count)
    assert max(games.values()) - min(games.values()) <= 4
    firsts = Counter(line_up[0] for line_up in played.elements())
    assert min(firsts.values()) > 0 and len(firsts) == 5


def test_two_of_whom_one_has_blocked_the_other_do_not_meet_at_any_number_of_seats() -> None:
    played: Counter[LineUp] = Counter()
    for _ in range(40):
        line_up = next_line_up(BOTS + LEVELS, [2, 3], played, {("bot-b", "bot-a")})
        assert line_up is not None
        played[line_up] += 1
    assert not any({"bot-a", "bot-b"} <= set(line_up) for line_up in played)
    assert {len(line_up) for line_up in played} == {2, 3}
    assert all(any(bot.id in line_up for line_up in played) for bot in BOTS)
    assert next_line_up(BOTS[:2], [2], {}, {("bot-a", "bot-b")}) is None


def test_a_table_is_found_although_the_bot_with_fewest_games_is_blocked_from_all() -> None:
    blocked = {("bot-a", "bot-b"), ("bot-a", "bot-c")}
    assert set(next_line_up(BOTS + LEVELS[:1], [3], {}, blocked) or ()) == {"bot-b", "bot-c", "level:easy"}
