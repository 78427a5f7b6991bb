"""The answer to every call: one function each, a request in and a response out, without effects except what any_codec.py caches.

ANSWERS is the one table of them. All of these take microseconds to a few milliseconds, less than handing the work to a thread
would cost, so they run in the event loop. VerifyRecord replays a whole game and is not in the table: service.py has other
processes do that.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2 as pb
from brettwerk.v1 import games_pb2, record_pb2, statistics_pb2
from brettwerk_games.languages.folders import LANGUAGES
from brettwerk_games.rules import registry
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Kind, Step
from brettwerk_games.rules.presets import preset_options
from brettwerk_games.rules.refusals import GameRefusal, Malformed
from services.rules import facts, scenes
from services.rules.any_codec import AnyCodec, any_codec, any_codec_of_session, refused
from services.rules.facts import narrowed
from services.rules.options import competitive_options, dealt_options, made_competitive, split_change
from services.rules.orders import check_orders, follow_orders
from services.rules.pages import page
from services.rules.plies import canonical_system_action, carry_out
from services.rules.scenes import text_of
from services.rules.steps import ACTIONS, UNWRITTEN, fill_choices, fill_step, unaware, written
from services.runtime.refusal import listed, malformed, newer, wrong_seats


def find_games(request: pb.FindGamesRequest, first: Sequence[str] = ()) -> pb.FindGamesResponse:
    """Return the games with their names: those that are to come `first`, then the others in order of id.

    Raises Refused (MALFORMED for an unknown language).
    """
    known = registry.games()
    ids = tuple(dict.fromkeys([*(game_id for game_id in first if game_id in known), *known]))
    listed, token = page(ids, request.page_token, request.page_size, 50, 100, b"games")
    answer = pb.FindGamesResponse(games=[facts.game(game_id) for game_id in listed], next_page_token=token)
    if request.language:
        _check_language(request.language)
        for game in answer.games:
            catalogue = any_codec(game.id).game.facts.catalogue(request.language)
            answer.names[game.id] = catalogue["game.name"]
            for level in game.levels:
                if name := catalogue.get(f"level.{level.id}.name"):
                    answer.computer_names[f"{game.id}/{level.id}"] = name
    return answer


def find_game(request: pb.FindGameRequest) -> pb.FindGameResponse:
    """Return one game with its texts, its rules page and, if requested, its board.

    Raises Refused (UNKNOWN, or MALFORMED for an unknown language), and what `find_board` raises.
    """
    any_codec(request.game)
    _check_language(request.language)
    found = _find_game(
        request.game,
        request.language,
        has_rules_page=not request.without_rules_page,
        has_rule_sentences=not request.without_rule_sentences,
    )
    if request.key_prefixes or request.leave_out:
        found = narrowed(found, request.key_prefixes, request.leave_out)
    if not request.shows_board:
        return found
    response = pb.FindGameResponse(board=find_board(request))
    response.MergeFrom(found)
    return response


def find_board(request: pb.FindGameRequest) -> games_pb2.Board:
    """Return what the game is played on. Raises Refused (MALFORMED) for options or seats that it cannot have, or GameRefusal."""
    game = any_codec(request.game)
    seats = request.seats or game.game.facts.min_seats
    require_seats(game, seats)
    options = chosen_options(game, request.options if request.HasField("options") else None, seats)
    return scenes.board(game.game.board_of(options, seats))


_RULE_SENTENCE = "rule."
"""The keys of a catalogue in which refusals are told begin so (brettwerk_games/rules/facts.py)."""


@cache
def _find_game(game_id: str, language: str, *, has_rules_page: bool, has_rule_sentences: bool) -> pb.FindGameResponse:
    known = any_codec(game_id).game.facts
    rules = known.rules_page(language) if has_rules_page else ""
    catalogue = known.catalogue(language)
    if not has_rule_sentences:
        catalogue = {key: text for key, text in catalogue.items() if not key.startswith(_RULE_SENTENCE)}
    return pb.FindGameResponse(game=facts.game(game_id), catalogue=catalogue, rules_page=rules, contract=facts.contract(game_id))


def _check_language(language: str) -> None:
    if language not in LANGUAGES.codes():
        raise malformed("language", f"the language must be one of {listed(LANGUAGES.codes())}, not {language}")


def find_odds(request: pb.FindOddsRequest) -> pb.FindOddsResponse:
    """Return the exact tables of odds of a game; none if its dice cannot be counted out."""
    return pb.FindOddsResponse(
        odds=[
            statistics_pb2.OddsTable(
                id=table.id,
                rows=table.rows,
                columns=table.columns,
                values=[value for row in table.values for value in row],
                chances=table.chances,
            )
            for table in any_codec(request.game).game.odds_tables()
        ]
    )


def try_start(request: pb.TryStartRequest) -> pb.TryStartResponse:
    """Return what `new_position` would make of a start position, with what its author should know. Raises what it raises."""
    game = any_codec(request.game)
    start = request.start_position if request.HasField("start_position") else None
    options = request.options if request.HasField("options") else None
    position = begin(game, options, request.seats, start, bytes(SEED_BYTES)).position
    response = pb.TryStartResponse(warnings=[text_of(warning) for warning in game.game.start_warnings(position)])
    game.put(Kind.POSITION, position, response.position)
    game.put(Kind.VIEW, game.game.view(position, 0), response.view)
    return response


def new_position(request: pb.NewPositionRequest) -> pb.NewPositionResponse:
    """Return the first step of a game, and what it began with. Raises Refused: what `begin` raises."""
    game = any_codec(request.game)
    start = request.start_position if request.HasField("start_position") else None
    options = request.options if request.HasField("options") else None
    if request.competitive:
        options = competitive_options(game, options, request.seats)
    response = pb.NewPositionResponse()
    version = begun_by(game, request.setup) if request.HasField("setup") else ""
    step = begin(game, options, request.seats, start, request.step_seed, version)
    fill_step(game, step, response.step, UNWRITTEN, request.audiences, unlisted=request.unlisted)
    write_beginning(game, options, request.seats, start, response)
    return response


def write_beginning(
    game: AnyCodec, options: Any, seats: int, start: Any, into: pb.NewPositionResponse | pb.PlayVariationResponse
) -> None:
    """Set options, and the start position if there is one, to what a game begins with, as it is written here."""
    game.put(Kind.OPTIONS, chosen_options(game, options, seats), into.options)
    if start is not None:
        game.put(Kind.POSITION, game.unpack(Kind.POSITION, start, "start_position"), into.start_position)


def begin(game: AnyCodec, options: Any, seats: int, start_position: Any, seed: bytes, rules_version: str = "") -> Step[Any, Any]:
    """Return the first step of a game; `options` and `start_position` are Any messages or None.

    `rules_version`: the revision that it is begun with, empty for the one that there is. Raises Refused (MALFORMED, or newer
    for a revision that is not known) or GameRefusal.
    """
    known = game.game.facts
    if rules_version and not known.plays(rules_version):
        raise newer(f"rules_version {rules_version}", listed(known.revisions))
    require_seats(game, seats)
    _check_seed(seed)
    if start_position is not None and not known.start_positions:
        raise malformed("start_position", f"{known.id} has no edited start positions")
    chosen = chosen_options(game, options, seats, rules_version)
    start = None if start_position is None else game.unpack(Kind.POSITION, start_position, "start_position")
    if rules_version in known.also_plays:
        return game.game.new_by(rules_version, chosen, seats, start, seed)
    return game.game.new(chosen, seats, start, seed)


def require_seats(game: AnyCodec, seats: int) -> None:
    """Raise Refused (MALFORMED) for a number of seats that the game cannot have."""
    known = game.game.facts
    if not known.min_seats <= seats <= len(known.seats):
        raise wrong_seats(known.id, known.min_seats, len(known.seats), seats)


def begun_by(game: AnyCodec, setup: record_pb2.Ply) -> str:
    """Return the revision of the rules that a line was begun with, given its set-up."""
    return setup.rules_version or (*game.game.facts.also_plays, game.game.facts.rules_version)[0]


def chosen_options(game: AnyCodec, options: Any, seats: int, rules_version: str = "") -> Any:
    """Return the value of an Any of options; for None the defaults of that revision of the rules. Raises Refused (MALFORMED)."""
    if options is None:
        return game.game.codec.decode(Kind.OPTIONS, preset_options(game.game, seats, rules_version=rules_version))
    return game.unpack(Kind.OPTIONS, options, "options")


def apply_action(request: pb.ApplyActionRequest) -> pb.ApplyActionResponse:
    """Return the step that an action or a system action makes of a position.

    Raises Refused (MALFORMED, or newer for a position of a later release), and GameRefusal for what the rules forbid.
    """
    game = any_codec_of_session(request.game, request.rules_version)
    game.require_held(request.rules_version, request.held)
    position = game.counting(game.unpack_stored(request.position, "position"), request.held)
    _check_seed(request.step_seed)
    response, shown_to, unlisted = pb.ApplyActionResponse(), request.audiences, request.unlisted
    match request.WhichOneof("kind"):
        case "action":
            seat = request.action.seat
            if seat >= (seats := game.game.seats(position)):
                raise malformed("action.seat", f"there is no seat {seat}; there are {seats}, numbered from 0")
            action = game.unpack(Kind.ACTION, request.action.action, "action")
            step = game.game.apply(position, seat, action, request.step_seed)
            game.forget(request.position)
            notations = written(game, position, seat, action, step, shown_to)
            missed, canonical = unaware(game, position, step), game.canonical(Kind.ACTION, request.action.action, action)
            fill_step(game, step, response.step, notations, shown_to, unlisted=unlisted, unaware=missed, canonical=canonical)
        case "system_action":
            step = carry_out(game, position, request.system_action, request.step_seed)
            game.forget(request.position)
            canonical = canonical_system_action(game, request.system_action)
            fill_step(game, step, response.step, UNWRITTEN, shown_to, unlisted=unlisted, canonical=canonical)
        case _:
            raise malformed("kind", "the request has neither an action nor a system action")
    return response


def _check_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise malformed("step_seed", f"a step seed has {SEED_BYTES} bytes, not {len(seed)}")


def legal_actions(request: pb.LegalActionsRequest) -> pb.LegalActionsResponse:
    """Return a page of what a seat may do, from its view: of all of it, or of what begins with the places that were touched.

    Raises Refused (MALFORMED).
    """
    game = any_codec(request.game)
    view = game.unpack(Kind.VIEW, request.view, "view")
    places = tuple(request.places)
    about = b"actions " + request.game.encode() + (repr(places).encode() if places else b"") + request.view.value
    actions = game.game.actions(view)
    if places:
        actions = _beginning(game, view, actions, places)
    listed, token = page(actions, request.page_token, request.page_size, ACTIONS, 1000, about)
    response = pb.LegalActionsResponse(next_page_token=token)
    fill_choices(game, view, listed, response.actions)
    return response


def _beginning(game: AnyCodec, view: Any, actions: Sequence[Any], places: tuple[str, ...]) -> Sequence[Any]:
    """Return those of the actions whose places begin with these."""
    choices = game.game.choices(view, actions)
    return [action for action, (choice, _) in zip(actions, choices, strict=True) if tuple(choice.places[: len(places)]) == places]


def view_position(request: pb.ViewPositionRequest) -> pb.ViewPositionResponse:
    """Return a position as audiences see it. Raises Refused (MALFORMED, or newer)."""
    game = any_codec_of_session(request.game)
    position = game.unpack_stored(request.position, "position")
    response = pb.ViewPositionResponse()
    fill_step(game, Step(position), response.step, UNWRITTEN, request.audiences, unlisted=request.unlisted)
    return response


def draw_scene(request: pb.DrawSceneRequest) -> pb.DrawSceneResponse:
    """Describe a view, and events that came with it, for clients that know no game.

    What its pieces reach is there only where that is asked for and the game tells it. Raises Refused (MALFORMED).
    """
    game = any_codec(request.game)
    view = game.unpack(Kind.VIEW, request.view, "view")
    response = pb.DrawSceneResponse(scene=scenes.scene(game.game.scene(view)))
    if request.lists_reaches:
        response.reaches.extend(
            games_pb2.Reach(piece=each.piece, goes=each.goes, hits=each.hits, alone=each.alone)
            for each in game.game.reaches(view)
        )
    for event in request.events:
        if said := game.game.tell(view, game.unpack(Kind.EVENT, event, "events")):
            response.narrations.append(scenes.narration(said))
    return response


def parse_notation(request: pb.ParseNotationRequest) -> pb.ParseNotationResponse:
    """Return the action of a notation. Raises Refused (MALFORMED), and GameRefusal for a notation that does not fit."""
    game = any_codec(request.game)
    view = game.unpack(Kind.VIEW, request.view, "view")
    try:
        return pb.ParseNotationResponse(action=game.pack(Kind.ACTION, game.game.read(view, request.notation)))
    except Malformed as error:
        error.field = "notation"
        raise


def format_notation(request: pb.FormatNotationRequest) -> pb.FormatNotationResponse:
    """Return an action in notation. Raises Refused (MALFORMED)."""
    game = any_codec(request.game)
    view = game.unpack(Kind.VIEW, request.view, "view")
    return pb.FormatNotationResponse(notation=game.game.write(view, game.unpack(Kind.ACTION, request.action, "action")))


def name_expiry(request: pb.NameExpiryRequest) -> pb.NameExpiryResponse:
    """Return the action that is played when a seat's time is up."""
    game = any_codec(request.game)
    view = game.unpack(Kind.VIEW, request.view, "view")
    return pb.NameExpiryResponse(action=game.pack(Kind.ACTION, game.game.expire(view)))


def name_rematch(request: pb.NameRematchRequest) -> pb.NameRematchResponse:
    """Return the options of a rematch; none where they stay as they were. Raises Refused (MALFORMED)."""
    game = any_codec(request.game)
    first = game.unpack(Kind.POSITION, request.first_position, "first_position")
    options = chosen_options(game, request.options if request.HasField("options") else None, game.game.seats(first))
    chosen = game.game.rematch_options(options, first)
    return pb.NameRematchResponse(options=None if chosen == options else game.pack(Kind.OPTIONS, chosen))


def split_options(request: pb.SplitOptionsRequest) -> pb.SplitOptionsResponse:
    """Return the parts of a change of options: a seat's own, and those of all. Raises Refused (MALFORMED)."""
    game = any_codec(request.game)
    if not request.HasField("wanted"):
        raise malformed("wanted", "the requested options are missing")
    before = chosen_options(game, request.options if request.HasField("options") else None, request.seats)
    asked = competitive_options(game, request.wanted, request.seats, "wanted") if request.competitive else None
    wanted = game.unpack(Kind.OPTIONS, asked or request.wanted, "wanted")
    parts = split_change(game, before, wanted, request.seat)
    response = pb.SplitOptionsResponse(is_anothers=parts.is_anothers)
    game.put(Kind.OPTIONS, wanted, response.wanted)
    if parts.own is not None:
        game.put(Kind.OPTIONS, parts.own, response.own)
    if parts.common is not None:
        game.put(Kind.OPTIONS, parts.common, response.common)
    return response


def deal_options(request: pb.DealOptionsRequest) -> pb.DealOptionsResponse:
    """Return the options after each seat's own went along with its player; none if unchanged. Raises Refused (MALFORMED)."""
    game = any_codec(request.game)
    order = tuple(request.order)
    if sorted(order) != list(range(len(order))):
        raise malformed("order", "the order names every seat once")
    before = chosen_options(game, request.options if request.HasField("options") else None, len(order))
    after = dealt_options(game, before, order)
    if request.competitive:
        after = made_competitive(game, after)
    response = pb.DealOptionsResponse()
    if after != before:
        game.put(Kind.OPTIONS, after, response.options)
    return response


ANSWERS: Mapping[str, Callable[[Any], Message]] = MappingProxyType(
    {
        "find_games": find_games,
        "find_game": find_game,
        "find_odds": find_odds,
        "new_position": new_position,
        "apply_action": apply_action,
        "legal_actions": legal_actions,
        "view_position": view_position,
        "draw_scene": draw_scene,
        "try_start": try_start,
        "parse_notation": parse_notation,
        "format_notation": format_notation,
        "name_expiry": name_expiry,
        "name_rematch": name_rematch,
        "split_options": split_options,
        "deal_options": deal_options,
        "check_orders": check_orders,
        "follow_orders": follow_orders,
    }
)
"""By the name of the method (new_position for NewPosition)."""


def answer(name: str, request: Message) -> Message:
    """Return the answer to a call of the table. Raises Refused, a game's refusals included."""
    try:
        return ANSWERS[name](request)
    except GameRefusal as error:
        raise refused(error) from None
