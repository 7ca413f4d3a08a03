# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Dialects as such: their settings, by name and at random; and what holds in any of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from emulator import BROKEN, CHOICES, Client, Dialect, Emulator, Reply
from emulator.answers import STYLES
from emulator.dialect import parse_setting, usable
from functional.emulator.conftest import Clock, Speak


def test_every_setting_has_a_test() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in CHOICES if f"{name}=" not in text and f'"{name}"' not in text] == []
    assert all(set(values) < set(CHOICES[name]) for name, values in BROKEN.items())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"answers": "rude"}, "answers: 'rude' is none of 'plain', 'terse', 'html', 'odd'"),
        ({"trim_keys": 1}, "trim_keys: 1"),
        ({"page_size": 0}, "page_size: 0"),
        ({"page_size": 1.5}, "page_size: 1.5"),
        ({"rate_limit": True}, "rate_limit: True"),
        ({"appear_after": -1.0}, "appear_after: -1.0"),
        ({"appear_after": float("nan")}, "appear_after: nan"),
        ({"vanish_after": float("inf")}, "vanish_after: inf"),
        ({"ready_after": "soon"}, "ready_after: 'soon'"),
        ({"colour": "red"}, "no setting 'colour'"),
    ],
    ids=str,
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Dialect.of(settings)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("page_size=5", 5),
        ("appear_after=1.5", 1.5),
        ("ready_after=unknown", "unknown"),
        ("trim_keys=true", True),
        ("trim_keys=no", False),
        ("delete_children=404", "404"),
    ],
)
def test_settings_as_users_type_them(text: str, value: Any) -> None:
    assert parse_setting(text) == (text.partition("=")[0], value)


@pytest.mark.parametrize("text", ["page_size=x", "page_size", "colour=red", "=1"])
def test_what_is_no_setting_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not"):
        parse_setting(text)


def test_named_dialects() -> None:
    assert Dialect.named("default") == Dialect()
    assert len({Dialect.named(name) for name in Dialect.names()}) == 12
    assert Dialect.named("paged", page_size=9).differences() == {"list_shape": "page", "page_size": 9}
    with pytest.raises(ValueError, match=r"no dialect 'klingon'; there are chatty"):
        Dialect.named("klingon")


@pytest.mark.parametrize("broken", [False, True])
def test_random_dialects_have_all_values(*, broken: bool) -> None:
    drawn = [Dialect.random(seed, broken) for seed in range(300)]
    assert drawn == [Dialect.random(seed, broken) for seed in range(300)]
    for name, values in CHOICES.items():
        assert {getattr(dialect, name) for dialect in drawn} == set(values if broken else usable(name)), name


def _results(reply: Reply) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reply.json["results"] if isinstance(reply.json, dict) else reply.json
    return found


@pytest.mark.parametrize("seed", range(40))
def test_any_dialect_keeps_what_is_created(
    speak: Speak, server: Emulator, client: Client, clock: Clock, seed: int
) -> None:
    dialect = Dialect.random(seed, broken=True)
    path, style = f"{speak(**dialect.settings())}/exports", STYLES[dialect.answers]

    def send(method: str, path: str, body: Any = None) -> Reply:
        reply = client.send(method, path, body)
        return client.send(method, path, body) if reply.status == 429 else reply

    made = send("POST", path, {"desc": "web", "iprange": "10.0.0.1/8", "readonly": True})
    assert made.status == style.created
    assert [(record["desc"], record["readonly"]) for record in server.exports(101)] == [("web", True)]
    clock.now += 10
    (listed,) = _results(send("GET", path))
    assert listed.get("iprange") == ("10.0.0.1/8" if dialect.normalise == "no" else "10.0.0.0/8")
    if dialect.put_alters in ("vanish", "replace"):
        return
    send("PUT", f"{path}/{server.exports(101)[0]['id']}", {"desc": "www", "iprange": listed["iprange"]})
    (record,) = server.exports(101)
    is_reset = dialect.put in ("reset", "lose")
    assert (record["desc"], record["iprange"], record["readonly"]) == ("www", "10.0.0.1/8", not is_reset)
    assert send("DELETE", "/volumes/101").status == style.deleted
    clock.now += 10
    assert _results(send("GET", "/volumes")) == []
