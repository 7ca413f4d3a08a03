# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Fields that a console does not show: what an update may have done to them is reported as unverified."""

from __future__ import annotations

import pytest

from functional.support.inprocess import Run
from functional.support.one_volume import Console


@pytest.mark.promise("unshown-is-unverified")
@pytest.mark.parametrize("module", ["quota", "quotas"])
def test_an_accepted_update_that_carried_a_field_that_is_not_shown_may_have_changed_it(
    run: Run, console: Console, module: str
) -> None:
    console.reset(numbers="omitted")
    console.has_quota(path="/a", inodes=7)
    wanted = {"path": "/a", "size": 0, "inodes": 8}
    options = wanted if module == "quota" else {"quotas": [wanted]}
    result = run(module, volume="v", create_only_changes="update", **options)
    assert result["failed"]
    assert console.sent == [("PUT", wanted)]
    assert "inodes is 7, wanted 8" in result["msg"]
    assert result["changed"] is True
    assert result["unverified"] == ["size"]
    assert result.get("updated", []) == []


@pytest.mark.promise("unshown-is-unverified")
def test_a_flag_that_an_update_may_have_reset_unseen_is_unverified(console: Console) -> None:
    console.reset(put="reset", record_fields="some")
    console.has_export(desc="web", iprange="10.0.0.0/8", readonly=True)
    result = console.export(desc="web", iprange="::1")
    assert console.exports[0]["readonly"] is False
    assert result["changed"]
    assert set(result["unverified"]) == {"apionly", "readonly", "appendonly"}
    (warning,) = result["warnings"]
    assert "readonly" in warning
    assert "could not be verified" in warning


@pytest.mark.promise("unshown-is-unverified")
def test_a_list_tells_once_which_fields_its_updates_may_have_reset_unseen(run: Run, console: Console) -> None:
    console.reset(put="reset", record_fields="some")
    items = [{"desc": desc, "iprange": "::1"} for desc in ("a", "b", "c")]
    for item in items:
        console.has_export(desc=item["desc"], iprange="*", readonly=True)
    result = run("exports", volume="v", exports=items)
    assert sorted(result["updated"]) == ["a", "b", "c"]
    assert set(result["unverified"]) == {"apionly", "readonly", "appendonly"}
    assert len(result["warnings"]) == 1


def test_without_an_update_what_is_not_shown_and_not_asked_for_is_no_news(console: Console) -> None:
    console.reset(record_fields="some")
    console.has_export(desc="web", iprange="*", readonly=True)
    result = console.export(desc="web", iprange="*")
    assert result["changed"] is False
    assert "unverified" not in result
    assert result["warnings"] == []


@pytest.mark.promise("unshown-is-unverified")
def test_an_update_that_was_ignored_and_may_have_reset_what_is_not_shown_is_changed(console: Console) -> None:
    console.reset(put="reset", record_fields="some", put_alters="rewrites")
    console.has_export(desc="web", iprange="0.0.0.0/0", readonly=True)
    result = console.export(desc="web", iprange="*")
    assert result["failed"]
    assert result["changed"] is (console.exports[0]["readonly"] is False)
    assert "readonly" in result["unverified"]
