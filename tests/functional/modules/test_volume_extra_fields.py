# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fields of a volume that no option stands for: compared where they are shown, as what only a creation can set."""

from __future__ import annotations

from typing import Any

import pytest

from emulator import Dialect, Emulator
from functional.support.faults import serve_lists
from functional.support.inprocess import Run


@pytest.mark.parametrize("shown", [7, "7"])
def test_one_that_is_shown_as_wanted_is_unchanged(run: Run, emulator: Emulator, shown: Any) -> None:
    serve_lists(emulator, "volumes$", [{"id": 1, "name": "a", "trashtime": shown}])
    result = run("volume", name="a", extra_fields={"trashtime": 7})
    assert result["changed"] is False
    assert "unverified" not in result


@pytest.mark.promise("create-only-fails-first")
@pytest.mark.parametrize("check", [False, True])
def test_one_that_is_shown_with_another_value_is_refused(run: Run, emulator: Emulator, check: bool) -> None:
    serve_lists(emulator, "volumes$", [{"id": 1, "name": "a", "trashtime": 7}])
    result = run("volume", name="a", extra_fields={"trashtime": 30}, check=check)
    assert "trashtime is 7, wanted 30" in result["msg"]
    assert emulator.writes == []


def test_one_that_is_not_shown_is_unverified(run: Run, emulator: Emulator) -> None:
    emulator.reset(Dialect())
    result = run("volume", name="a", bucket="https://a.example.com", extra_fields={"flavour": "vanilla"})
    assert result["changed"]
    assert result["unverified"] == ["flavour"]


def test_the_value_of_a_secret_one_is_not_shown(run: Run, emulator: Emulator) -> None:
    serve_lists(emulator, "volumes$", [{"id": 1, "name": "a", "secret_key": "hunter1"}])
    result = run("volume", name="a", extra_fields={"secret_key": "hunter2"}, diff=True)
    assert result["failed"]
    assert "hunter" not in result["msg"]
