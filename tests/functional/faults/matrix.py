# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The fault matrix as data: the operations, the faults and the requests that they hit, the expected and the real outcomes."""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from allpairspy import AllPairs

from emulator import Emulator

VOLUME, EMPTY_VOLUME = 7, 8
BUCKET = "https://v.example.com"

# The requests that a fault hits: one; that and every later one with its method; that and every later one.
ONCE, METHOD, EVER = MODES = ("once", "that method from then on", "everything from then on")


def seed(emulator: Emulator) -> None:
    """Add the records that exist before each run: a volume with two exports and two quotas, and an empty one."""
    emulator.add_volume(id=VOLUME, name="v", bucket=BUCKET)
    emulator.add_volume(id=EMPTY_VOLUME, name="w", bucket=BUCKET)
    for identity, desc in ((71, "web"), (72, "db")):
        emulator.add_export(VOLUME, id=identity, desc=desc, iprange="10.0.0.0/8", readonly=True)
    for identity, path in ((81, "/a"), (82, "/b")):
        emulator.add_quota(VOLUME, id=identity, path=path, size=1024, inodes=5)


class Scenario(NamedTuple):
    """One operation of one module. `requests` are those of a run without faults, each by its kind."""

    module: str
    operation: str
    requests: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def converges(self) -> bool:
        """Return whether the module compares, so that another run reaches the goal."""
        return self.module != "api_request"


def _scenario(module: str, operation: str, requests: str, **options: Any) -> Scenario:
    # A fault that begins after a request would find the next one of a list under way already.
    one_by_one = {"concurrency": 1} if module.endswith(("s", "_info")) else {}
    return Scenario(module, operation, tuple(requests.split()), {**options, **one_by_one})


def _api_request(operation: str, method: str, path: str, **options: Any) -> Scenario:
    path = f"volumes/{VOLUME}/{path}"
    return _scenario("api_request", operation, f"own-{method}", method=method, path=path, **options)


def _each(key: str, values: str, **fields: Any) -> list[dict[str, Any]]:
    return [{key: value, **fields} for value in values.split()]


def _in_volume(module: str, operation: str, requests: str, **options: Any) -> Scenario:
    return _scenario(module, operation, requests, volume="v", **options)


BEFORE = "list list list POST back ready ready list"
QUOTA = {"quotas": [{"path": "/a", "size": 1024}]}
MIXED: dict[str, Any] = {"purge": True}
MIXED["quotas"] = [{"path": "/n1", "size": 1}, {"path": "/n2", "inodes": 2}, {"path": "/a", "size": 3}]
MANY = [
    {"name": "v", "exports": [{"desc": "web", "iprange": "::/0"}], "quotas": [{"path": "/n1", "size": 1}]},
    {"name": "n", "bucket": BUCKET, "quotas": [{"path": "/n2", "size": 1}]},
]
PURGED: dict[str, Any] = {"purge": ["quotas"]}
PURGED["volumes"] = [{"name": "v", **QUOTA}, {"name": "w", "state": "absent"}]

# The kinds of requests that can be hit. `list` is the documented GET of a list. `back` is the same, to see the effect of a
# write, or what a deleted volume holds, without which the task goes on. `write` is any write of a module that compares, as
# its method in `requests`. `question` is the GET whether a volume is ready, which a console need not have, `ready` the same
# with requests to follow. Requests of users with api_request have their own kinds: no list shows their outcome.
SCENARIOS = (
    _scenario("volume", "create", "list POST back question", name="new", bucket=BUCKET),
    _scenario("volume", "read", "list question", name="v", bucket=BUCKET),
    _scenario("volume", "delete", "list back back DELETE back", name="w", state="absent"),
    _in_volume("export", "create", "list list POST back", desc="new", iprange="*"),
    _in_volume("export", "update", "list list PUT back", desc="web", iprange="::/0"),
    _in_volume("export", "read", "list list", desc="web", readonly=True),
    _in_volume("export", "delete", "list list DELETE back", desc="web", state="absent"),
    _in_volume("quota", "create", "list list POST back", path="/new", size="1K"),
    _in_volume("quota", "update", "list list PUT back", path="/a", size="2K"),
    _in_volume("quota", "read", "list list", path="/a/", size="1K"),
    _in_volume("quota", "delete", "list list DELETE back", id=82, state="absent"),
    _in_volume("exports", "create", "list list POST POST POST back", exports=_each("desc", "n1 n2 n3", iprange="*")),
    _in_volume("exports", "update", "list list PUT back PUT back", exports=_each("desc", "web db", iprange="::1")),
    _in_volume("exports", "read", "list list", exports=_each("desc", "web db", readonly=True)),
    _in_volume("exports", "delete", "list list DELETE DELETE back", exports=_each("desc", "web db no", state="absent")),
    _in_volume("quotas", "create, update and purge", "list list PUT back POST POST DELETE back", **MIXED),
    _in_volume("quotas", "read", "list list", quotas=[{"path": "/a", "size": 1024}, {"path": "/b"}], purge=True),
    # Both volumes are asked whether they are ready before anything is written below them.
    _scenario("volumes", "create and update", f"{BEFORE} PUT back POST POST back back", volumes=MANY),
    _scenario("volumes", "purge and delete", "list list back back ready DELETE back DELETE back", **PURGED),
    _scenario("volumes", "read", "list list list", volumes=[{"name": "v", "exports": [{"desc": "web"}], **QUOTA}]),
    _scenario("volume_info", "list", "list list list list list", gather=["exports", "quotas"]),
    _scenario("export_info", "list", "list list list"),
    _scenario("quota_info", "list", "list list", volume="v", path="/a"),
    _api_request("read", "GET", "quotas"),
    _api_request("create", "POST", "quotas", body={"path": "/n", "size": 1}),
    _api_request("update", "PUT", "quotas/81", body={"path": "/a", "size": 1}),
    _api_request("delete", "DELETE", "quotas/81"),
)


class Trouble(NamedTuple):
    """A way in which a request goes wrong.

    `fault` are the settings of the emulator's fault, `cause` is a regular expression for the message of a task that fails
    because of it.
    """

    name: str
    fault: Mapping[str, Any]
    cause: str

    @property
    def is_silent(self) -> bool:
        """Return whether the task really has to wait until its time is out."""
        return str(self.fault["kind"]).startswith(("silent", "drip"))


_LATE = "no complete response within|was incomplete"
_NO_LIST = "expected JSON|expected a list of records"
_NOT_DONE = f"{_NO_LIST}|not listed|not all of it was accepted|does not show|still listed"
TROUBLES = (
    Trouble("refused", {"kind": "refuse_next", "seconds": 3600}, "Connection refused"),
    Trouble("reset-before", {"kind": "reset_before"}, "reset|closed"),
    Trouble("reset-after", {"kind": "reset_after"}, "reset|closed|404"),
    Trouble("silent-before", {"kind": "silent_before", "seconds": 2}, _LATE),
    Trouble("silent-after", {"kind": "silent_after", "seconds": 2}, _LATE + "|404"),
    Trouble("drip", {"kind": "drip_headers"}, _LATE + "|404"),
    Trouble("slow", {"kind": "slow", "seconds": 0.02}, ""),
    Trouble("cut-off", {"kind": "truncate"}, "was incomplete"),
    Trouble("429", {"kind": "status", "status": 429}, "429"),
    Trouble("429-Retry-After", {"kind": "status", "status": 429, "retry_after": 7}, "429"),
    Trouble("500", {"kind": "status", "status": 500}, "500"),
    Trouble("500-after", {"kind": "status", "status": 500, "effect": True}, "500|404"),
    Trouble("502-HTML", {"kind": "html", "status": 502}, "502: an HTML page"),
    Trouble("503", {"kind": "status", "status": 503}, "503"),
    # The console's clock is set an hour ahead; to repeat that changes nothing.
    Trouble("clock", {"kind": "clock", "seconds": 3600}, ""),
    Trouble("login-page", {"kind": "html"}, _NOT_DONE),
    Trouble("empty-200", {"kind": "empty"}, _NOT_DONE),
    Trouble("wrong-JSON", {"kind": "wrong_json"}, _NOT_DONE),
)

# The expected outcome of a task, by the fault and the kind of request that it hits, a letter for each of MODES: S it
# survives with exactly the right state, F it fails and reports the state as it is, A the response is accepted as it came (a
# user's own request, which cannot be compared), - cannot be arranged.
_TABLE = """
trouble          list     back     write    question ready    own-GET  own-POST own-PUT  own-DELETE
refused          S-F      S-F      S-F      S-F      S-F      S-F      S-F      S-F      S-F
reset-before     SFF      SFF      SFF      SFF      SFF      SFF      FFF      SFF      SFF
reset-after      SFF      SFF      SSF      SFF      SFF      SFF      FFF      SFF      FFF
silent-before    SFF      SFF      SFF      SFF      SFF      SFF      FFF      SFF      SFF
silent-after     SFF      SFF      SSF      SFF      SFF      SFF      FFF      SFF      FFF
drip             SFF      SFF      SSF      SFF      SFF      SFF      FFF      SFF      FFF
slow             SSS      SSS      SSS      SSS      SSS      SSS      SSS      SSS      SSS
cut-off          SFF      SFF      SSF      SFF      SFF      SFF      FFF      FFF      FFF
429              SFF      SFF      SFF      SFF      SFF      SFF      SFF      SFF      SFF
429-Retry-After  SFF      SFF      SFF      SFF      SFF      SFF      SFF      SFF      SFF
500              SFF      SFF      SFF      SFF      SFF      SFF      FFF      SFF      SFF
500-after        SFF      SFF      SSF      SFF      SFF      SFF      FFF      SFF      FFF
502-HTML         SFF      SFF      SFF      SFF      SFF      SFF      FFF      SFF      SFF
503              SFF      SFF      SFF      SFF      SFF      SFF      FFF      SFF      SFF
clock            SSS      SSS      SSS      SSS      SSS      SSS      SSS      SSS      SSS
login-page       FFF      SFF      FFF      SSS      SFF      AAA      AAA      AAA      AAA
empty-200        FFF      SFF      FFF      SSS      SFF      AAA      AAA      AAA      AAA
wrong-JSON       FFF      SFF      FFF      SSS      SFF      AAA      AAA      AAA      AAA
"""
_HEAD, *_ROWS = (line.split() for line in _TABLE.strip().splitlines())
OUTCOMES = {(row[0], kind): letters for row in _ROWS for kind, letters in zip(_HEAD[1:], row[1:], strict=True)}


class Cell(NamedTuple):
    """One case of the matrix: `position` is the number of the request that is hit, from 1."""

    scenario: Scenario
    position: int
    trouble: Trouble
    mode: str

    @property
    def kind(self) -> str:
        """Return the kind of the request that is hit."""
        return self.scenario.requests[self.position - 1]

    @property
    def outcome(self) -> str:
        """Return the expected outcome."""
        kind = self.kind if (self.trouble.name, self.kind) in OUTCOMES else "write"
        return OUTCOMES[self.trouble.name, kind][MODES.index(self.mode)]

    def __str__(self) -> str:
        scenario = self.scenario
        return f"{scenario.module} {scenario.operation}, {self.trouble.name} at request {self.position}, {self.mode}"


# Whether every cell is to be tried, and the table printed.
WHOLE = os.environ.get("MATRIX") == "whole"

_POSITIONS = range(1, max(len(scenario.requests) for scenario in SCENARIOS) + 1)
_FACTORS = (SCENARIOS, _POSITIONS, TROUBLES, MODES)


def whole() -> Iterator[Cell]:
    """Return every cell."""
    return (Cell(*values) for values in itertools.product(*_FACTORS) if _exists(values))


def pairwise() -> Iterator[Cell]:
    """Return cells that cover every possible pair of scenario, position, trouble and mode."""
    return (Cell(*values) for values in AllPairs([list(factor) for factor in _FACTORS], filter_func=_exists))


def _exists(values: Any) -> bool:
    """Return whether the values, or the first of them, are those of a cell that can be arranged."""
    if len(values) > 1 and values[1] > len(values[0].requests):
        return False
    return len(values) < len(_FACTORS) or Cell(*values).outcome != "-"


WORDS = {"S": "survived", "F": "failed as they must", "A": "taken as they came", "!": "NOT AS THEY MUST"}


class Result(NamedTuple):
    """A cell that was tried, and whether its test passed."""

    cell: Cell
    passed: bool


def format_line(results: Iterable[Result]) -> str:
    """Return the number of cells by their outcome."""
    counted = Counter(result.cell.outcome if result.passed else "!" for result in results)
    return ", ".join(f"{counted[letter]} {words}" for letter, words in WORDS.items() if counted[letter])


def format_table(results: list[Result]) -> Iterator[str]:
    """Yield a line for each trouble and kind of request, with the counts for each mode."""
    yield f"{'trouble':<18}{'at':<12}" + "".join(f"{mode:<34}" for mode in MODES)
    rows: dict[tuple[str, str], dict[str, list[Result]]] = {}
    for result in results:
        row = rows.setdefault((result.cell.trouble.name, result.cell.kind), {mode: [] for mode in MODES})
        row[result.cell.mode].append(result)
    for (trouble, kind), row in rows.items():
        yield f"{trouble:<18}{kind:<12}" + "".join(f"{format_line(cells):<34}" for cells in row.values())
