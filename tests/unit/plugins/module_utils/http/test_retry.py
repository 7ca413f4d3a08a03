# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The time that a console's answers tell."""

from __future__ import annotations

import pytest

from ansible_collections.managedfs.console.plugins.module_utils.http.retry import parse_http_date


@pytest.mark.parametrize("date", ["Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 -0000"])
def test_a_date_without_a_zone_is_in_utc(date: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    assert parse_http_date(date) == 784111777
