"""The news that members should have in their feeds, by what they saw of their tables and tournaments themselves. Pure."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

from brettwerk.v1 import tournaments_pb2 as pb
from loadtests.club.judge import Item, Verdict
from loadtests.club.people import Person

_TURN = ("your_turn", "nudged")
_SLACK_MS = 2_000


def of_turns(person: Person) -> Verdict:
    """Return of which turns that somebody had there was no news, and of which there were two."""
    verdict = Verdict()
    by_session: dict[str, list[Item]] = {}
    for item in person.feed.values():
        by_session.setdefault(item.subject, []).append(item)
    for session_id, before_ms, at_ms in person.acted:
        found = [
            one
            for one in by_session.get(session_id, ())
            if one.kind in _TURN and before_ms - _SLACK_MS <= one.at_ms <= at_ms + _SLACK_MS
        ]
        if not found:
            verdict.forgotten.append(f"{person.name}: no news of a turn at {session_id}")
        turns = sorted((one.at_ms, one.until_ms) for one in found if one.kind == "your_turn" and before_ms < one.at_ms <= at_ms)
        for (_, until_ms), (next_ms, _) in itertools.pairwise(turns):
            if not until_ms or next_ms < until_ms:
                verdict.twice.append(f"{person.name}: two news of one turn at {session_id}, of {until_ms} and {next_ms}")
    for session_id in person.ended:
        overs = sum(one.kind == "game_over" for one in by_session.get(session_id, ()))
        if overs != 1:
            (verdict.twice if overs else verdict.forgotten).append(f"{person.name}: {overs} news of the end of {session_id}")
    return verdict


def of_tournament(whole: pb.GetTournamentResponse, people: Iterable[Person]) -> Verdict:
    """Return of which rounds, and of which end, players have no news, or two."""
    verdict = Verdict()
    by_id = {person.player_id: person for person in people}
    by_number = {one.number: by_id[one.player.player_id] for one in whole.standings if one.player.player_id in by_id}
    tournament = whole.tournament
    for pairing in whole.pairings:
        if not pairing.session_id:
            continue
        for number in filter(None, (pairing.first, pairing.second, *pairing.others)):
            person = by_number.get(number)
            if person is None or person.is_gone:
                continue
            noted = _count(person, "round", pairing.session_id)
            # of a larger table those who did not come are left out, and it begins anew
            is_sure = not pairing.others or pairing.session_id in person.turns
            if noted > 1:
                verdict.twice.append(f"{person.name}: {noted} news of round {pairing.round} of {tournament.name}")
            elif not noted and is_sure:
                verdict.forgotten.append(f"{person.name}: no news of round {pairing.round} of {tournament.name}")
    if tournament.state == pb.Tournament.STATE_FINISHED:
        for person in by_number.values():
            noted = _count(person, "tournament_over", tournament.tournament_id)
            if noted != 1 and not person.is_gone:
                (verdict.twice if noted else verdict.forgotten).append(
                    f"{person.name}: {noted} news of the end of {tournament.name}"
                )
    return verdict


def sessions_twice(wholes: Iterable[pb.GetTournamentResponse]) -> Sequence[str]:
    """Return the sessions that more than one pairing names: nobody gets a second game of one."""
    seen: dict[str, int] = {}
    for whole in wholes:
        for pairing in whole.pairings:
            if pairing.session_id:
                seen[pairing.session_id] = seen.get(pairing.session_id, 0) + 1
    return [session_id for session_id, count in seen.items() if count > 1]


def _count(person: Person, kind: str, subject: str) -> int:
    return sum(one.kind == kind and one.subject == subject for one in person.feed.values())


def counted(people: Iterable[Person]) -> Mapping[str, int]:
    """Return how much news of each kind there was."""
    found: dict[str, int] = {}
    for person in people:
        for one in person.feed.values():
            found[one.kind] = found.get(one.kind, 0) + 1
    return dict(sorted(found.items()))
