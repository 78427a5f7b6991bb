import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import errors_pb2, games_pb2
from brettwerk_games.rules import registry
from brettwerk_games.rules.interface import AnyGame, Kind
from brettwerk_games.rules.presets import preset_options
from services.rules import any_codec
from services.rules.answers import answer
from services.rules.steps import EVERYBODY, SPECTATOR
from services.runtime import limits
from services.runtime.seats import seat_in
from tests.brettwerk_games.rules.blind_duel.game import Action, BlindDuel, View
from tests.brettwerk_games.rules.blind_duel.lookalikes import look_alike
from tests.brettwerk_games.rules.kit.options import build
from tests.brettwerk_games.rules.kit.pieces import joined
from tests.brettwerk_games.rules.kit.play import moments_of, plies_of, read_by, seed_of
from tests.services.rules.asking import SEED, act, new, packed, refusal_of, seen, value_of


@pytest.mark.parametrize(
    ("name", "request_type"),
    [
        ("find_game", pb.FindGameRequest),
        ("new_position", pb.NewPositionRequest),
        ("legal_actions", pb.LegalActionsRequest),
        ("draw_scene", pb.DrawSceneRequest),
        ("try_start", pb.TryStartRequest),
        ("parse_notation", pb.ParseNotationRequest),
        ("format_notation", pb.FormatNotationRequest),
        ("name_expiry", pb.NameExpiryRequest),
        ("name_rematch", pb.NameRematchRequest),
    ],
)
def test_a_game_that_there_is_not_is_unknown(name: str, request_type: type) -> None:
    refusal = refusal_of(name, request_type(game="ludo"))
    assert (refusal.reason, refusal.field, refusal.details["value"]) == (errors_pb2.REASON_UNKNOWN, "game", "ludo")
    assert {"einstein", "emperado", "plateau", "wec"} <= set(refusal.details["known"].split(", "))


def test_a_game_without_options_is_played_with_the_presets(game: AnyGame) -> None:
    seats = game.facts.min_seats
    options = AnyMessage(type_url=f"type.googleapis.com/{game.codec.type_name(Kind.OPTIONS)}", value=preset_options(game, seats))
    assert new(game.facts.id, seats) == new(game.facts.id, seats, options=options)
    assert preset_options(game, seats) == build(game, seats, {})


def test_the_options_decide_the_game() -> None:
    steps = {}
    for first in (1, 2):
        options = AnyMessage(type_url="x/brettwerk.v1.EinsteinOptions", value=bytes([8, first]))
        steps[first] = tuple(new("einstein", options=options).to_act)
    assert steps == {1: (0,), 2: (1,)}


def test_a_game_takes_the_seats_that_its_facts_say(game: AnyGame) -> None:
    for seats in (0, game.facts.min_seats - 1, len(game.facts.seats) + 1):
        refusal = refusal_of("new_position", pb.NewPositionRequest(game=game.facts.id, seats=seats, step_seed=SEED))
        assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "seats")
    for seats in range(game.facts.min_seats, len(game.facts.seats) + 1):
        assert new(game.facts.id, seats).audiences == (1 << seats) - 1 | 1 << SPECTATOR


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_step_seed_has_32_bytes(length: int) -> None:
    first = new("einstein")
    action = seen(first, 0).actions[0].action
    requests = {
        "new_position": pb.NewPositionRequest(game="einstein", seats=2, step_seed=bytes(length)),
        "apply_action": pb.ApplyActionRequest(
            game="einstein", position=first.position, action=pb.SeatAction(seat=0, action=action), step_seed=bytes(length)
        ),
    }
    for name, request in requests.items():
        refusal = refusal_of(name, request)
        assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "step_seed")


def test_an_edited_position_is_a_start_where_the_game_allows_it(duel: AnyGame) -> None:
    start = new("einstein", seed=bytes(32)).position
    assert value_of("einstein", Kind.POSITION, new("einstein", start_position=start).position).stones
    refusal = refusal_of(
        "new_position",
        pb.NewPositionRequest(game="blind_duel", seats=2, step_seed=SEED, start_position=new("blind_duel").position),
    )
    assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "start_position")


def test_a_step_is_the_step_of_the_game(game: AnyGame) -> None:
    """Position, views, events, legal actions, notation, outcome: all as the game itself says, for each seat and a spectator."""
    for ply, seats in plies_of(game):
        step = act(
            game.facts.id, packed(game, Kind.POSITION, ply.before), ply.seat, packed(game, Kind.ACTION, ply.action), ply.seed
        )
        limits.check(step)
        position = ply.step.position
        assert step.position == packed(game, Kind.POSITION, position)
        assert tuple(step.to_act) == game.to_act(position)
        assert step.reveals == (ply.step.reveals or ply.step.final)
        assert step.notation == game.write(game.view(ply.before, ply.seat), ply.action)
        outcome = game.outcome(position)
        assert step.HasField("outcome") == (outcome is not None)
        if outcome is not None:
            received = step.outcome
            assert (tuple(received.winners), tuple(received.places), tuple(received.sides)) == (
                outcome.winners,
                outcome.places,
                outcome.sides,
            )
            assert (tuple(received.scores), received.reason.key, received.rule) == (
                outcome.scores,
                outcome.reason.key,
                outcome.rule,
            )
        for seat in (*range(seats), None):
            perspective, view = seen(step, seat), game.view(position, seat)
            assert perspective.view == packed(game, Kind.VIEW, view)
            shown = [game.show(event, seat) for event in ply.step.events]
            assert list(perspective.happening.events) == [packed(game, Kind.EVENT, event) for event in shown if event is not None]
            assert perspective.happening.notation == read_by(game, ply, seat)
            legal = tuple(game.actions(view))
            assert [choice.action for choice in perspective.actions] == [packed(game, Kind.ACTION, a) for a in legal[:256]]
            assert perspective.more_actions == (len(legal) > 256)
            for choice, action in zip(perspective.actions, legal, strict=False):
                described = game.choice(view, action)
                assert (choice.notation, tuple(choice.places), choice.label.key, dict(choice.label.args)) == (
                    game.write(view, action),
                    described.places,
                    described.label.key,
                    dict(described.label.args),
                )


def test_the_answer_for_a_seat_does_not_depend_on_hidden_information(duel: AnyGame) -> None:
    compared = 0
    for number, (ply, seats) in enumerate(plies_of(duel)):
        for seat in (*range(seats), None):
            if seat == ply.seat:
                continue
            twin = look_alike(ply.before, seat, seed_of("twin", number))
            action = packed(duel, Kind.ACTION, ply.action)
            first = act("blind_duel", packed(duel, Kind.POSITION, ply.before), ply.seat, action, ply.seed)
            second = act("blind_duel", packed(duel, Kind.POSITION, twin), ply.seat, action, ply.seed)
            if first.HasField("outcome"):
                continue  # the cards lie open then
            assert joined(first, seat) == joined(second, seat)
            compared += twin != ply.before
    assert compared > 10


class Whispered(BlindDuel):
    """A duel in which others do not read what a seat did."""

    def write(self, view: View, action: Action) -> str:
        return super().write(view, action) if view.seat == view.turn else "?"


def test_an_action_is_written_for_each_as_it_may_know_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game: AnyGame = Whispered()
    monkeypatch.setattr(registry, "games", lambda: {"blind_duel": game})
    any_codec._any_codec.cache_clear()
    for ply, seats in plies_of(game):
        step = act("blind_duel", packed(game, Kind.POSITION, ply.before), ply.seat, packed(game, Kind.ACTION, ply.action))
        full = ply.action.name.lower()
        assert step.notation == full
        for seat in (*range(seats), None):
            assert seen(step, seat).happening.notation == (full if seat == ply.seat else "?")


def test_a_position_is_shown_without_a_step(game: AnyGame) -> None:
    for moment in moments_of(game):
        position = packed(game, Kind.POSITION, moment.position)
        response = answer("view_position", pb.ViewPositionRequest(game=game.facts.id, position=position, audiences=EVERYBODY))
        assert isinstance(response, pb.ViewPositionResponse)
        step = response.step
        assert step.position == position
        assert not step.reveals
        assert not step.notation
        assert not step.happening
        for seat in moment.eyes:
            assert seen(step, seat).view == packed(game, Kind.VIEW, game.view(moment.position, seat))
        assert step.HasField("outcome") == (not step.to_act)


@pytest.mark.parametrize("page_size", [0, 1, 100, 1000])
def test_pages_of_actions_together_are_all_actions(page_size: int) -> None:
    """The 720 arrangements of EinStein are more than fit into a step."""
    chosen = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.EinsteinOptions", value=bytes([16, 3]))
    step = new("einstein", options=chosen)
    seat = step.to_act[0]
    update = seen(step, seat)
    assert len(update.actions) == 256
    assert update.more_actions
    found: list[games_pb2.ActionChoice] = []
    token, sizes = "", []
    while True:
        request = pb.LegalActionsRequest(game="einstein", view=update.view, page_size=page_size, page_token=token)
        page = answer("legal_actions", request)
        assert isinstance(page, pb.LegalActionsResponse)
        limits.check(page)
        found += page.actions
        sizes.append(len(page.actions))
        token = page.next_page_token
        if not token or len(sizes) == 20:
            break
    assert all(size == (page_size or 256) for size in sizes[:-1])
    if page_size != 1:
        assert len({choice.notation for choice in found}) == len(found) == 720
    assert list(update.actions) == found[:256] or page_size == 1


def test_a_page_token_is_good_for_its_list_only() -> None:
    chosen = AnyMessage(type_url="type.googleapis.com/brettwerk.v1.EinsteinOptions", value=bytes([16, 3]))
    step = new("einstein", options=chosen)
    view, other = seen(step, 1).view, seen(step, 0).view
    token = answer("legal_actions", pb.LegalActionsRequest(game="einstein", view=view)).next_page_token  # type: ignore[attr-defined]
    for request in (
        pb.LegalActionsRequest(game="einstein", view=other, page_token=token),
        pb.LegalActionsRequest(game="einstein", view=view, page_token="AAAA"),
        pb.LegalActionsRequest(game="einstein", view=view, page_token=token[:-1]),
    ):
        refusal = refusal_of("legal_actions", request)
        assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "page_token")
    refusal = refusal_of("find_games", pb.FindGamesRequest(page_token=token))
    assert refusal.field == "page_token"


def test_a_spectator_and_a_waiting_seat_may_do_nothing() -> None:
    step = new("einstein")
    for seat in (1, None):
        response = answer("legal_actions", pb.LegalActionsRequest(game="einstein", view=seen(step, seat).view))
        assert response == pb.LegalActionsResponse()


def test_notation_is_read_as_it_is_written(game: AnyGame) -> None:
    for ply, _ in plies_of(game):
        view = packed(game, Kind.VIEW, game.view(ply.before, ply.seat))
        action = packed(game, Kind.ACTION, ply.action)
        written = answer("format_notation", pb.FormatNotationRequest(game=game.facts.id, view=view, action=action))
        assert isinstance(written, pb.FormatNotationResponse)
        request = pb.ParseNotationRequest(game=game.facts.id, view=view, notation=written.notation)
        assert answer("parse_notation", request) == pb.ParseNotationResponse(action=action)


def test_a_scene_is_drawn_within_its_bounds(game: AnyGame) -> None:
    for moment in moments_of(game):
        for seat in moment.eyes:
            view = game.view(moment.position, seat)
            response = answer("draw_scene", pb.DrawSceneRequest(game=game.facts.id, view=packed(game, Kind.VIEW, view)))
            assert isinstance(response, pb.DrawSceneResponse)
            limits.check(response)
            scene = game.scene(view)
            assert [place.name for place in response.scene.places] == [place.name for place in scene.places]
            things = [thing for place in response.scene.places for thing in place.things]
            owners = [thing.owner for place in scene.places for thing in place.things]
            assert [seat_in(thing, "owner_seat") for thing in things] == owners
            assert [thing.owner for thing in things] == [0 if owner is None else owner + 1 for owner in owners]
            assert len(response.scene.facts) == len(scene.facts)


def test_areas_shapes_and_tilings_of_a_scene_are_in_its_message(duel: AnyGame) -> None:
    view = duel.view(duel.new((), 2, None, bytes(32)).position, 0)
    request = pb.DrawSceneRequest(game=duel.facts.id, view=packed(duel, Kind.VIEW, view))
    response = answer("draw_scene", request)
    assert isinstance(response, pb.DrawSceneResponse)
    scene = response.scene
    assert [(list(area.places), area.owner_seat) for area in scene.areas] == [(["card0"], 0), (["card1"], 1)]
    (deck, own, other) = (place.things[0] for place in scene.places)
    assert {deck.shape, own.shape, other.shape} == {games_pb2.SHAPE_CARD}
    assert (deck.count, own.count, bool(own.mark), other.mark) == (4, 0, True, "")
    assert scene.tiling == games_pb2.TILING_UNSPECIFIED


def test_events_are_told_as_the_view_has_got_them(duel: AnyGame) -> None:
    step = duel.apply(duel.new((), 2, None, bytes(32)).position, 0, Action.DRAW, bytes(32))
    cards = {}
    for seat in (0, 1, None):
        view, events = duel.view(step.position, seat), [duel.show(event, seat) for event in step.events]
        request = pb.DrawSceneRequest(game=duel.facts.id, view=packed(duel, Kind.VIEW, view))
        untold = answer("draw_scene", request)
        assert isinstance(untold, pb.DrawSceneResponse)
        assert not untold.narrations
        request.events.extend(packed(duel, Kind.EVENT, event) for event in events)
        response = answer("draw_scene", request)
        assert isinstance(response, pb.DrawSceneResponse)
        limits.check(response)
        (said,) = response.narrations
        assert (said.text.key, list(said.places)) == ("tell.draw", ["deck"])
        cards[seat] = [thing.mark for thing in said.things]
    assert cards[0] == [str(step.position.cards[0])]
    assert cards[1] == cards[None] == []


def test_an_event_that_is_none_is_refused(duel: AnyGame) -> None:
    view = packed(duel, Kind.VIEW, duel.view(duel.new((), 2, None, bytes(32)).position, 0))
    refusal = refusal_of("draw_scene", pb.DrawSceneRequest(game=duel.facts.id, view=view, events=[view]))
    assert (refusal.reason, refusal.field) == (errors_pb2.REASON_MALFORMED, "events")


@pytest.mark.nightly
def test_reaches_of_pieces_are_told_where_they_are_asked_for_and_the_game_tells_them(game: AnyGame) -> None:
    for moment in moments_of(game):
        for seat in moment.eyes:
            view = game.view(moment.position, seat)
            request = pb.DrawSceneRequest(game=game.facts.id, view=packed(game, Kind.VIEW, view))
            plain = answer("draw_scene", request)
            request.lists_reaches = True
            response = answer("draw_scene", request)
            assert isinstance(plain, pb.DrawSceneResponse) and isinstance(response, pb.DrawSceneResponse)
            limits.check(response)
            assert not plain.reaches and response.scene == plain.scene
            known = game.reaches(view) if hasattr(game, "reaches") else ()
            assert [(each.piece, tuple(each.goes), tuple(each.hits), tuple(each.alone)) for each in response.reaches] == [
                tuple(each) for each in known
            ]
