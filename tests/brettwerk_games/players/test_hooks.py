from brettwerk_games.players import einstein
from brettwerk_games.players.registry import provide, warm_up


def test_players_are_warmed_up_and_may_get_what_makes_them_stronger(monkeypatch):
    called = []
    monkeypatch.setattr(einstein, "warm_up", lambda: called.append("warm_up"))
    monkeypatch.setattr(einstein, "provide", lambda: called.append("provide"))
    warm_up()
    provide()
    assert called == ["warm_up", "provide"]
