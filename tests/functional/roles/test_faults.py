# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each role, and the demo, with a fault at each of its requests: it reports the fault, and the next run does the rest.

`MATRIX=whole` in the environment tries every fault at every request of each; otherwise it is a refusal in the middle of
some. The fault matrix covers how modules deal with faults; this is about roles whose module fails.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from emulator import Fault
from functional.faults.matrix import WHOLE
from functional.support.sidebyside import Play, Plays, Site, side_by_side

VOLUME, NEXT = 7, 2002
DESIRED = {"name": "v", "quotas": [{"path": "/a", "size": "2KiB"}], "exports": [{"desc": "web", "iprange": "*"}]}


class Case(NamedTuple):
    """A role with its variables, the number of its requests, and the paths and descriptions that exist afterwards.

    `exports` exist before, beside the one for the web.
    """

    role: str
    variables: Mapping[str, Any]
    requests: int
    after: str
    exports: tuple[Mapping[str, Any], ...] = ()


PURGED = {"volumes": [{**DESIRED, "quotas": []}]}
ROTATED: dict[str, Any] = {"volume": "v", "desc": "web"}
STARTED = ({"id": NEXT, "desc": "web (next)", "iprange": "10.0.0.0/8"},)
CASES = {
    "tenant": Case("tenant", {"name": "bob", "volume": "v", "size": "1GiB", "iprange": "*"}, 10, "/a /bob bob web"),
    "tenant absent": Case("tenant", {"name": "a", "volume": "v", "desc": "web", "state": "absent"}, 8, ""),
    "apply": Case("apply", {"volumes": [DESIRED, {"name": "w", "bucket": "https://w.example.com"}]}, 11, "/a web"),
    "apply, purge": Case("apply", {**PURGED, "purge": ["quotas"], "max_deletions": 1}, 8, "web"),
    "capture": Case("capture", {"dest": "desired"}, 3, "/a web"),
    "report": Case("report", {"dest": "report"}, 3, "/a web"),
    "rotate, started": Case("rotate.yml", {**ROTATED, "state": "started"}, 4, "/a web web (next)"),
    "rotate, finished": Case("rotate.yml", {**ROTATED, "state": "finished", "id": NEXT}, 8, "/a web", STARTED),
    "rotate, aborted": Case("rotate.yml", {**ROTATED, "state": "aborted", "id": NEXT}, 6, "/a web", STARTED),
    "demo": Case("demo.yml", {}, 19, "/a /home/alice /home/bob web web"),
}
# A refusal that nobody repeats, and a response that is lost.
FAULTS: dict[str, dict[str, Any]] = {"refused": {"kind": "status", "status": 403}, "lost": {"kind": "reset_after"}}
TRIED = [*CASES] if WHOLE else ["tenant", "apply, purge", "rotate, finished"]
POSITIONS = [
    (name, position, fault)
    for name, fault in itertools.product(TRIED, FAULTS if WHOLE else ["refused"])
    for position in range(1, CASES[name].requests + 1)
    if WHOLE or position == CASES[name].requests // 2 + 1
]


def play(site: Site, case: Case) -> Play:
    """Return the play of a case; a console without volumes gets one."""
    if not site.emulator.volumes():
        site.emulator.add_volume(id=VOLUME, name="v", bucket="https://v.example.com")
        site.emulator.add_quota(VOLUME, path="/a", size=1024)
        for export in ({"desc": "web", "iprange": "10.0.0.0/8"}, *case.exports):
            site.emulator.add_export(VOLUME, **export)
    given = {name: site.path(value) if name == "dest" else value for name, value in case.variables.items()}
    variables: dict[str, Any] = {f"{case.role.removesuffix('.yml')}_{name}": value for name, value in given.items()}
    return site.play(case.role, **variables)


def there(site: Site) -> str:
    """Return the paths and descriptions in all volumes."""
    ids = [volume["id"] for volume in site.emulator.volumes()]
    paths = [quota["path"] for identity in ids for quota in site.emulator.quotas(identity)]
    return " ".join(sorted(paths + [export["desc"] for identity in ids for export in site.emulator.exports(identity)]))


@pytest.mark.parametrize("name", TRIED)
@side_by_side
def test_the_number_of_requests_is_that_of_a_run(site: Site, name: str) -> Plays:
    case = CASES[name]
    played = yield play(site, case)
    assert (played.count("failed"), there(site)) == (0, case.after), played.output
    assert len(site.emulator.requests) == case.requests


@pytest.mark.promise("every-fault-at-every-request")
@pytest.mark.parametrize(("name", "position", "fault"), POSITIONS)
@side_by_side
def test_a_role_says_what_went_wrong_and_the_next_run_does_the_rest(
    site: Site, name: str, position: int, fault: str
) -> Plays:
    case = CASES[name]
    first = play(site, case)
    before = there(site)
    site.emulator.inject(Fault(nth=position, **FAULTS[fault]))
    played = yield first
    failed, changed = played.outcome
    hit = [request for request in site.emulator.requests if request.fault][0]  # noqa: RUF015 - next() ends a generator
    assert failed or there(site) == case.after, played.output
    if failed:
        assert f"{hit.method} /api/v1{hit.path}" in played.output
    # A task that fails does not count as changed any more, but its result says so.
    assert changed or '"changed": true' in played.output or there(site) == before, played.output
    site.emulator.clear_faults()
    again = yield play(site, case)
    assert (again.outcome[0], there(site)) == (False, case.after), again.output
