"""Orders of a seat at EMPERADO, some of which have been played, for pages to look at."""

from playwright.sync_api import Page

from brettwerk.v1 import emperado_pb2, orders_pb2
from brettwerk_client import Client, Seat
from brettwerk_games.rules.emperado.world import NEIGHBOURS
from tests.browser.play import from_menu


def attack(seat: Seat) -> tuple[int, int]:
    """Return the countries of the attack in which the seat is farthest ahead."""
    position = emperado_pb2.EmperadoView.FromString(seat.update().view.value).position
    own = [country for country, owner in enumerate(position.owners) if owner == seat.number + 1]
    pairs = [(source, target) for source in own for target in NEIGHBOURS[source] if target not in own]
    return max(pairs, key=lambda pair: position.armies[pair[0]] - position.armies[pair[1]])


def give(client: Client, seat: Seat) -> None:
    """Give orders to a seat that is to act: what they say of its turn has been played then."""
    source, target = attack(seat)
    orders = [
        _order("place", 10, countries=source),
        _order("attack", 1, source=source, target=target, keep=3),
    ]
    request = orders_pb2.SetOrdersRequest(session_id=seat.session_id, seat_token=seat.token, orders=orders)
    client.call(client.service.SetOrders, request)


def show(page: Page, pair: tuple[int, int]) -> None:
    """Open the dialog of orders, with another attack on its list and the next one in its form."""
    from_menu(page, "orders")
    dialog = page.get_by_test_id("dialog-orders")
    for is_added in (True, False):
        dialog.get_by_test_id("order-kind").select_option("attack")
        for key, country in zip(("source", "target"), pair, strict=True):
            dialog.get_by_test_id(f"order-{key}").select_option(str(country))
        dialog.get_by_test_id("order-keep").fill("5")
        dialog.get_by_test_id("order-keep").blur()
        if is_added:
            dialog.get_by_test_id("order-add").click()
    page.evaluate("document.activeElement.blur()")
    dialog.evaluate("dialog => [dialog, ...dialog.querySelectorAll('*')].forEach((each) => each.scrollTo(0, 0))")


def _order(kind: str, turns: int, **values: int) -> orders_pb2.Order:
    given = [orders_pb2.OrderValue(key=key, numbers=[number]) for key, number in values.items()]
    return orders_pb2.Order(of_game=orders_pb2.GameOrder(kind=kind, values=given), max_turns=turns)
