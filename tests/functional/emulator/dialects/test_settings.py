# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of dialects as such; and dialects by name and at random."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from emulator import BROKEN, CHOICES, Client, Dialect, Emulator
from emulator.answers import STYLES
from emulator.dialect import parse_setting, usable
from functional.emulator.dialects.support import Clock, results

if TYPE_CHECKING:
    from emulator import Reply

BUCKET = "https://archive.example.com"


def test_every_setting_has_a_default_choices_and_a_test() -> None:
    names = [field.name for field in dataclasses.fields(Dialect)]
    assert sorted(names) == sorted(CHOICES)
    assert {name: getattr(Dialect(), name) for name in names} == {name: CHOICES[name][0] for name in names}
    for name, values in BROKEN.items():
        assert set(values) < set(CHOICES[name])
        assert not set(values) & set(usable(name))
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in names if f"{name}=" not in text and f'"{name}"' not in text] == []


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"answers": "rude"}, "answers: 'rude'"),
        ({"ready_after": "soon"}, "ready_after: 'soon'"),
        ({"page_size": 0}, "page_size: 0"),
        ({"page_size": 1.5}, "page_size: 1.5"),
        ({"appear_after": -1.0}, "appear_after: -1.0"),
        ({"appear_after": float("nan")}, "appear_after: nan"),
        ({"vanish_after": float("inf")}, "vanish_after: inf"),
        ({"rate_limit": True}, "rate_limit: True"),
        ({"trim_keys": 1}, "trim_keys: 1"),
        ({"put": "all"}, "'documented', 'any', 'reject', 'reset', 'lose'"),
        ({"colour": "red"}, "no setting 'colour'"),
    ],
    ids=str,
)
def test_bad_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Dialect.of(settings)


def test_settings_as_users_type_them() -> None:
    assert parse_setting("page_size=5") == ("page_size", 5)
    assert parse_setting("appear_after=1.5") == ("appear_after", 1.5)
    assert parse_setting("trim_keys=true") == ("trim_keys", True)
    assert parse_setting("ready_after=unknown") == ("ready_after", "unknown")
    assert parse_setting("delete_children=404") == ("delete_children", "404")
    for text in ("page_size=x", "page_size", "colour=red", "=1"):
        with pytest.raises(ValueError, match="is not"):
            parse_setting(text)
    with pytest.raises(ValueError, match=r"trim_keys: 'maybe'"):
        Dialect.of(dict([parse_setting("trim_keys=maybe")]))


def test_named_dialects() -> None:
    assert len(Dialect.names()) == 12
    assert Dialect.named("default") == Dialect()
    assert len({Dialect.named(name) for name in Dialect.names()}) == len(Dialect.names())
    assert Dialect.named("paged", page_size=9).page_size == 9
    with pytest.raises(ValueError, match=r"no dialect 'klingon'; there are chatty"):
        Dialect.named("klingon")


def test_random_dialects() -> None:
    drawn = [Dialect.random(seed) for seed in range(300)]
    assert drawn == [Dialect.random(seed) for seed in range(300)]
    for name in CHOICES:
        assert {getattr(dialect, name) for dialect in drawn} == set(usable(name)), name
    broken = [Dialect.random(seed, broken=True) for seed in range(300)]
    for name, values in CHOICES.items():
        assert {getattr(dialect, name) for dialect in broken} == set(values), name
    assert Dialect(page_size=7, put="any").differences() == {"page_size": 7, "put": "any"}


@pytest.mark.parametrize("seed", range(40))
def test_any_dialect_keeps_what_is_created(server: Emulator, client: Client, clock: Clock, seed: int) -> None:
    server.reset(Dialect.random(seed, broken=True))
    dialect = server.dialect
    volume = server.add_volume(name="archive", bucket=BUCKET)

    def send(method: str, path: str, body: Any = None) -> Reply:
        """Send a request, and once more if it is rate-limited."""
        reply = client.send(method, path, body)
        return client.send(method, path, body) if reply.status == 429 else reply

    path = f"/volumes/{volume}/exports"
    made = send("POST", path, {"desc": "web", "iprange": "10.0.0.1/8", "readonly": True})
    assert made.status == STYLES[dialect.answers].created
    assert [(record["desc"], record["readonly"]) for record in server.exports(volume)] == [("web", True)]
    clock.now += 10
    listed = results(send("GET", path))
    assert len(listed) == 1
    assert listed[0].get("iprange") == ("10.0.0.1/8" if dialect.normalise == "no" else "10.0.0.0/8")
    if dialect.put_alters in ("vanish", "replace"):
        return
    updated = send("PUT", f"{path}/{server.exports(volume)[0]['id']}", {"desc": "www", "iprange": listed[0]["iprange"]})
    assert updated.status == (204 if dialect.answers == "terse" else 200)
    record = server.exports(volume)[0]
    is_reset = dialect.put in ("reset", "lose")
    assert (record["desc"], record["iprange"], record["readonly"]) == ("www", "10.0.0.1/8", not is_reset)
    assert send("DELETE", f"/volumes/{volume}").status == STYLES[dialect.answers].deleted
    clock.now += 10
    assert results(send("GET", "/volumes")) == []
