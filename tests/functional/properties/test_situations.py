# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A long run meets every situation that the property tests are for; this file runs last."""

from __future__ import annotations

import pytest

from emulator import Emulator
from functional.properties import situations
from functional.properties.situations import SITUATIONS, Case
from functional.support.cases import CASES, MANY
from functional.support.inprocess import Run


def test_every_situation_was_met() -> None:
    if CASES >= MANY:
        situations.require_all(situations.met)


@pytest.mark.parametrize("name", SITUATIONS)
def test_a_situation_that_was_never_met_is_found(name: str) -> None:
    counts = dict.fromkeys(SITUATIONS, 1)
    situations.require_all(counts)
    with pytest.raises(AssertionError, match=f": {name}$"):
        situations.require_all({**counts, name: 0})


def test_a_task_that_goes_well_meets_no_situation(emulator: Emulator, run: Run) -> None:
    volume = {"name": "v", "bucket": "https://v.example.com"}
    export = {"volume": "v", "desc": "web", "iprange": "*"}
    for module, options in (("volume", volume), ("export", export), ("export", {**export, "iprange": "10.0.0.0/8"})):
        result = run(module, **options)
        assert result["changed"]
        assert situations.met_in(Case([], emulator.requests, result)) == []
