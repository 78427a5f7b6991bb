"""Connections to databases."""

from services.archive.database import WAIT_S, open_engine
from tests.services.archive.cluster import Cluster


def test_a_postgresql_that_is_cut_off_is_given_up_soon(cluster: Cluster) -> None:
    """The effect of cutting a host off is tried by loadtests.machines; here the connection has the parameters for it."""
    engine = open_engine(cluster.url())
    with engine.connect() as connection:
        has = connection.connection.driver_connection.info.get_parameters()  # type: ignore[union-attr]
    engine.dispose()
    assert int(has["tcp_user_timeout"]) == 1000 * WAIT_S
    assert int(has["keepalives_idle"]) + int(has["keepalives_interval"]) * int(has["keepalives_count"]) < 2 * WAIT_S
