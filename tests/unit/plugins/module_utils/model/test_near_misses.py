# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keys that some consoles take for one, as a table: which are refused, and which raise a doubt."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal.model.goals import Goal
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.plan_of_lists import plan_list
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.records import Records
from ansible_collections.managedfs.console.tests.unit.plugins.module_utils.wanted import export, quota, volume

ONE, TWO = "\u00e9", "e\u0301"
CASE, FORM = "letter case", "the form in which Unicode writes it"
SEVERAL = "white space at its ends and the spelling of its letters"
IS_MEANT = "so it may or may not be the one that is meant."
MAY_BE_ONE = "Some consoles take the two for one."


def refused(name: str, key: str, difference: str) -> str:
    return f"{name} differs from '{key}' only in {difference}, {IS_MEANT}"


def doubted(missing: str, name: str, difference: str, advice: str) -> str:
    return f"There is no {missing}, but {name} differs from it only in {difference}. {advice}"


def web(key: str, **more: Any) -> Goal:
    return export(desc=key, iprange="10.0.0.0/8", **more)


def www(was: str) -> Goal:
    return web("www")._replace(was=was)


# The existing keys, the items, and the problems and doubts in few words.
CASES: dict[str, tuple[list[str], list[Goal], list[str], list[str]]] = {
    "the very key": (["web", "Web"], [web("web")], [], []),
    "another": (["web"], [web("wbe")], [], []),
    "letter case": (["web"], [web("Web")], [refused("export 'web' (id 1)", "Web", CASE)], []),
    "form": ([ONE], [web(TWO)], [refused(f"export '{ONE}' (id 1)", TWO, FORM)], []),
    "form and white space": ([ONE], [web(f"{TWO} ")], [refused(f"export '{ONE}' (id 1)", f"{TWO} ", SEVERAL)], []),
    "letter case, in a long key": (
        ["w" * 4096],
        [web("W" * 4096)],
        [refused(f"export '{'w' * 4096}' (id 1)", "W" * 4096, CASE)],
        [],
    ),
    "letter case, in a longer key": (["w" * 4097], [web("W" * 4097)], [], []),
    "a volume": (["v"], [volume(name="V")], [refused("volume 'v' (id 1)", "V", CASE)], []),
    "a quota in other letters": (
        ["/data"],
        [quota(path="/Data", size=1)],
        [],
        [doubted("quota '/Data'", "quota '/data' (id 1)", CASE, "If that one is meant, use its exact path.")],
    ),
    "a quota in other letters, of which there are two": (
        ["/data", "/data/"],
        [quota(path="/Data", size=1)],
        [
            "there are several quotas with the path '/data': ids 1, 2. Choose one with id, or remove the ones that should not exist."
        ],
        [],
    ),
    "a quota in another form": (
        [f"/{ONE}"],
        [quota(path=f"/{TWO}", size=1)],
        [refused(f"quota '/{ONE}' (id 1)", f"/{TWO}", FORM)],
        [],
    ),
    "claimed by another item": (
        ["web"],
        [web("Web"), web("web")],
        [],
        [doubted("export 'Web'", "export 'web' (id 1)", CASE, MAY_BE_ONE)],
    ),
    "claimed by an item that deletes it": (
        ["web"],
        [export(present=False, desc="web"), web("Web")],
        [],
        [doubted("export 'Web'", "export 'web' (id 1)", CASE, MAY_BE_ONE)],
    ),
    "two new ones": ([], [web("web"), web("Web")], [], [f"item 2 differs from item 1 only in {CASE}. {MAY_BE_ONE}"]),
    "two new quotas": (
        [],
        [quota(path="/a", size=1), quota(path="/A", size=1)],
        [],
        [f"item 2 differs from item 1 only in {CASE}. {MAY_BE_ONE}"],
    ),
    "two new ones, and one that is to be absent": (
        [],
        [export(present=False, desc="WEB"), web("web"), web("Web")],
        [],
        [f"item 3 differs from item 2 only in {CASE}. {MAY_BE_ONE}"],
    ),
    "its own other spelling, by id": (["web"], [export(id=1, desc="Web")], [], []),
    "another's spelling, by id": (
        ["web", "db"],
        [export(id=2, desc="Web")],
        [refused("export 'web' (id 1)", "Web", CASE)],
        [],
    ),
    "renamed to another's spelling": (
        ["db", "WWW"],
        [www("db")],
        [refused("export 'WWW' (id 2)", "www", CASE)],
        [],
    ),
    "renamed to its own other spelling": (["WWW"], [www("WWW")], [], []),
    "was in another spelling": (["web"], [www("WEB")], [refused("export 'web' (id 1)", "WEB", CASE)], []),
    "was, once renamed": (["www", "WEB"], [www("web")], [], []),
    "absent": (
        ["web"],
        [export(present=False, desc="Web")],
        [],
        [doubted("export 'Web'", "export 'web' (id 1)", CASE, "If that one is meant, use its exact desc.")],
    ),
    "absent, and the other is claimed": (["web"], [export(present=False, desc="Web"), web("web")], [], []),
    "absent by id": (["web"], [export(present=False, id=9)], [], []),
}


@pytest.mark.parametrize(("keys", "goals", "problems", "doubts"), CASES.values(), ids=CASES)
def test_a_key_that_is_near_another(keys: list[str], goals: list[Goal], problems: list[str], doubts: list[str]) -> None:
    resource = goals[0].resource
    records = [{"id": number, resource.key.name: key, "iprange": "*"} for number, key in enumerate(keys, start=1)]
    named = [goal._replace(name=f"item {number}") for number, goal in enumerate(goals, start=1)]
    actions, found = plan_list(Records(resource, records), named, purge=False)
    assert [re.split(" Use its exact | Tasks that", problem.message)[0] for problem in found] == problems
    assert problems or [doubt for action in actions for doubt in action.doubts] == doubts


def test_the_ways_out_of_a_refusal() -> None:
    _actions, (problem,) = plan_list(Records(web("").resource, [{"id": 1, "desc": "web"}]), [web("Web")], purge=True)
    assert problem.message.endswith(
        " Use its exact desc, or id 1. If both are to exist, name both in one list of exports, or let ignore match this one."
    )
