# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Responses to api_request in not quite JSON: read leniently for masking and showing, or not shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from emulator import Emulator, Fault
from emulator.flaws import FLAWS
from functional.support.inprocess import Run

SECRET = "hunter2-hunter2"
BODIES: list[Any] = [
    {"token": {"value": SECRET}},
    {"token": [SECRET, {"x": SECRET}]},
    [{"deep": {"secretKey": {"a": [SECRET]}}}],
    {"password": SECRET, "name": "a"},
]


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("flaw", FLAWS)
@pytest.mark.parametrize("body", BODIES, ids=json.dumps)
def test_secrets_are_masked_also_in_what_is_not_quite_json(run: Run, emulator: Emulator, flaw: str, body: Any) -> None:
    emulator.inject(Fault("odd_json", flaw=flaw, value=body, times=None))
    result = run("api_request", path="volumes")
    assert "failed" not in result
    assert SECRET not in json.dumps(result)
    assert "hunter2" not in json.dumps(result)
    shown = run("api_request", path="volumes", include_tokens=True)
    assert SECRET in json.dumps(shown)


@pytest.mark.parametrize("flaw", FLAWS)
def test_what_is_no_secret_is_shown_of_what_is_not_quite_json(run: Run, emulator: Emulator, flaw: str) -> None:
    emulator.inject(Fault("odd_json", flaw=flaw, value={"name": "archive", "token": SECRET}, times=None))
    assert "archive" in json.dumps(run("api_request", path="volumes"))


@pytest.mark.promise("no-secret-in-output")
@pytest.mark.parametrize("flaw", FLAWS)
def test_secrets_in_odd_errors_are_masked_too(run: Run, emulator: Emulator, flaw: str) -> None:
    body = {"detail": {"token": {"value": SECRET}}, "token": [SECRET]}
    emulator.inject(Fault("odd_json", flaw=flaw, status=400, value=body, times=None))
    result = run("api_request", path="volumes", method="POST", body={})
    assert result["failed"]
    assert SECRET not in json.dumps(result)
