# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whose record it is: the id in the response to a creation is evidence, and a record with another id is not ours."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Fault
from functional.support.faults import others
from functional.support.inprocess import Run
from functional.support.one_volume import Console


@pytest.mark.promise("concurrent-creations")
@pytest.mark.parametrize("body", ["record", "id"])
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("module", ["export", "exports"])
@pytest.mark.parametrize("late", [0.0, 0.3, 1.2])
def test_a_record_that_somebody_else_makes_at_the_same_time_is_never_taken_for_ours(
    run: Run, console: Console, module: str, moment: str, body: str, late: float
) -> None:
    console.reset(create_body=body, appear_after=late)
    fields = {"desc": "web", "iprange": "*"}
    console.emulator.inject(others("create", "exports", console.volume, at=("POST", 1, moment), fields=fields))
    result = run(module, volume="v", **(fields if module == "export" else {"exports": [fields]}))
    assert result["failed"]
    assert result["changed"] is True
    assert len(console.exports) == 2
    assert all(str(export["id"]) in result["msg"] for export in console.exports)


@pytest.mark.promise("other-ids-are-not-ours")
@pytest.mark.parametrize("module", ["export", "exports"])
def test_where_that_of_somebody_else_shows_first_ours_is_waited_for(run: Run, console: Console, module: str) -> None:
    console.reset(appear_after=1.2)
    fields = {"desc": "web", "iprange": "*"}
    console.emulator.inject(
        others("create", "exports", console.volume, at=("POST", 1, "before"), fields=fields),
        Fault("status", method="POST", status=429, retry_after=1),
    )
    result = run(module, volume="v", **(fields if module == "export" else {"exports": [fields]}))
    theirs, ours = [export["id"] for export in console.exports]
    assert result["failed"]
    assert f"several exports with the desc 'web': ids {theirs}, {ours}" in result["msg"]


@pytest.mark.promise("other-ids-are-not-ours")
@pytest.mark.parametrize("module", ["export", "exports"])
def test_where_only_the_record_of_somebody_else_shows_ours_is_waited_for_and_then_missed(
    run: Run, console: Console, module: str
) -> None:
    fields = {"desc": "web", "iprange": "*"}
    console.emulator.inject(
        others("create", "exports", console.volume, at=("POST", 1, "before"), fields=fields),
        Fault("wrong_json", method="POST", status=201, value={"id": 987654}),
    )
    result = run(module, volume="v", wait_timeout=5, **(fields if module == "export" else {"exports": [fields]}))
    (other,) = console.exports
    assert result["failed"]
    assert "987654" in result["msg"]
    assert str(other["id"]) in result["msg"]


@pytest.mark.parametrize("body", [{"id": "no id at all!"}, {"id": None}, {"id": [1]}, {"id": True}, {}, [], "text"])
def test_an_id_in_the_response_to_a_creation_that_is_nonsense_is_no_evidence(console: Console, body: Any) -> None:
    console.emulator.inject(Fault("wrong_json", method="POST", status=201, value=body, effect=True))
    result = console.export(desc="web", iprange="*")
    assert "failed" not in result
    assert result["changed"] is True


@pytest.mark.parametrize("as_text", [False, True])
def test_an_id_in_the_response_may_be_number_or_text(console: Console, as_text: bool) -> None:
    console.reset(numbers="string" if as_text else "number")
    identity = console.has_export(desc="first", iprange="*") + 1
    body = {"id": identity if as_text else str(identity)}
    console.emulator.inject(Fault("wrong_json", method="POST", status=201, value=body, effect=True))
    result = console.export(desc="web", iprange="*")
    assert "failed" not in result
    assert result["export"]["id"] == identity
