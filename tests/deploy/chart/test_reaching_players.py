"""How players sign in, talk and are sent messages is said to the services whose business it is, and only those reach outside."""

import pytest

from tests.deploy.chart.rendering import COMPONENTS, Thing, container_of, name, of, pod_of, rendered_with


def egress_of(component: str, made: list[Thing]) -> list[Thing]:
    (policy,) = (one for one in of("NetworkPolicy", made) if name(one) == f"brettwerk-{component}")
    return list(policy["spec"]["egress"] or [])


def test_an_openid_provider_is_configured_for_the_players_service_alone_which_may_reach_it() -> None:
    openid = {"issuer": "https://id.example.org", "clientId": "brettwerk", "existingSecret": "ours", "name": "Example"}
    peers = [{"ipBlock": {"cidr": "192.0.2.0/24"}}]
    made = rendered_with({"signIn.openid": openid, "networkPolicy.openid": peers, "networkPolicy.openidPorts": [8443]})
    given = {component: {one["name"]: one for one in container_of(component, made)["env"]} for component in COMPONENTS}
    assert [component for component in COMPONENTS if any("OPENID" in one for one in given[component])] == ["players"]
    players = given["players"]
    assert players["BRETTWERK_OPENID_ISSUER"]["value"] == "https://id.example.org"
    assert players["BRETTWERK_OPENID_CLIENT_ID"]["value"] == "brettwerk"
    assert players["BRETTWERK_OPENID_NAME"]["value"] == "Example"
    reference = players["BRETTWERK_OPENID_CLIENT_SECRET"]["valueFrom"]["secretKeyRef"]
    assert reference == {"name": "ours", "key": "client-secret"}
    road = {"ports": [{"port": 8443}], "to": peers}
    assert [component for component in COMPONENTS if road in egress_of(component, made)] == ["players"]


@pytest.mark.nightly
def test_without_an_openid_provider_the_players_service_reaches_nobody_outside_for_it() -> None:
    made = rendered_with({"signIn.origins": ["https://play.example.org"]})
    assert not any("OPENID" in one["name"] for one in container_of("players", made)["env"])
    assert not any({"port": 443} in rule["ports"] for rule in egress_of("players", made))


@pytest.mark.nightly
def test_the_words_that_nobody_may_say_are_a_file_of_the_services_where_people_talk() -> None:
    made = rendered_with({"talk.words": ["blockhead", "silly goose"]})
    for component in ("session", "players"):
        given = {one["name"]: one.get("value") for one in container_of(component, made)["env"]}
        assert (given["BRETTWERK_TALK"], given["BRETTWERK_TALK_WORDS"]) == ("true", "/talk/words.txt")
        (volume,) = (one for one in pod_of(component, made)["spec"]["volumes"] if one["name"] == "talk")
        (words,) = (one for one in of("ConfigMap", made) if name(one) == volume["configMap"]["name"])
        assert words["data"] == {"words.txt": "blockhead\nsilly goose"}
        assert {"name": "talk", "mountPath": "/talk", "readOnly": True} in container_of(component, made)["volumeMounts"]
    for component in set(COMPONENTS) - {"session", "players"}:
        assert not any(one["name"].startswith("BRETTWERK_TALK") for one in container_of(component, made)["env"])


@pytest.mark.nightly
def test_talk_can_be_switched_off() -> None:
    made = rendered_with({"talk.enabled": False})
    for component in ("session", "players"):
        given = {one["name"]: one.get("value") for one in container_of(component, made)["env"]}
        assert given["BRETTWERK_TALK"] == "false"
        assert "BRETTWERK_TALK_WORDS" not in given


def test_push_messages_and_mail_are_the_business_of_the_players_service_alone_which_may_send_them() -> None:
    mail = {
        "server": "mail.example.org:2525",
        "security": "tls",
        "user": "us",
        "existingSecret": "ours",
        "from": "A <a@a.example>",
    }
    peers = [{"ipBlock": {"cidr": "192.0.2.0/24"}}]
    made = rendered_with(
        {
            "notifications.push": {"enabled": True, "hosts": ["*.push.example.org"], "contact": "mailto:a@example.org"},
            "notifications.mail": mail,
            "networkPolicy.push": peers,
            "networkPolicy.mail": peers,
            "networkPolicy.mailPorts": [2525],
        }
    )
    given = {part: {one["name"]: one for one in container_of(part, made)["env"]} for part in COMPONENTS}
    assert [part for part in COMPONENTS if any("_PUSH_" in one or "_MAIL_" in one for one in given[part])] == ["players"]
    passed_on = {one: given["players"][f"BRETTWERK_{one}"].get("value") for one in ("PUSH_HOSTS", "PUSH_CONTACT", "MAIL_SERVER", "MAIL_SECURITY", "MAIL_USER", "MAIL_FROM")}  # fmt: skip # noqa: E501
    assert passed_on == {
        "PUSH_HOSTS": "*.push.example.org",
        "PUSH_CONTACT": "mailto:a@example.org",
        "MAIL_SERVER": "mail.example.org:2525",
        "MAIL_SECURITY": "tls",
        "MAIL_USER": "us",
        "MAIL_FROM": "A <a@a.example>",
    }
    password = given["players"]["BRETTWERK_MAIL_PASSWORD"]["valueFrom"]["secretKeyRef"]
    assert password == {"name": "ours", "key": "mail-password"}
    key = given["players"]["BRETTWERK_PUSH_KEY"]["valueFrom"]["secretKeyRef"]
    assert key == {"name": "brettwerk-push-key", "key": "push-key"}
    assert len([one for one in of("Secret", made) if name(one) == "brettwerk-push-key"]) == 1
    for road in ({"ports": [{"port": 443}], "to": peers}, {"ports": [{"port": 2525}], "to": peers}):
        assert [part for part in COMPONENTS if road in egress_of(part, made)] == ["players"]


@pytest.mark.nightly
def test_a_push_key_of_the_operators_own_is_used_and_none_is_made() -> None:
    made = rendered_with({"notifications.push": {"enabled": True, "existingSecret": "ours"}})
    (key,) = (one for one in container_of("players", made)["env"] if one["name"] == "BRETTWERK_PUSH_KEY")
    assert key["valueFrom"]["secretKeyRef"] == {"name": "ours", "key": "push-key"}
    assert not any(name(one) == "brettwerk-push-key" for one in of("Secret", made))


def test_the_players_service_reaches_nobody_outside_while_nothing_is_to_be_sent() -> None:
    made = rendered_with({"signIn.origins": ["https://play.example.org"]})
    assert not any("_PUSH_" in one["name"] or "_MAIL_" in one["name"] for one in container_of("players", made)["env"])
    assert not any({"port": port} in rule["ports"] for port in (443, 587) for rule in egress_of("players", made))
