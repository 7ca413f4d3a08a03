# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The metrics of a report: as Prometheus reads them, whatever the names on a console."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from prometheus_client.parser import text_string_to_metric_families

from ansible_collections.managedfs.console.plugins.action import role_step
from ansible_collections.managedfs.console.plugins.plugin_utils._internal.report.facts import build_facts
from functional.support.actions import MOMENT, act, write_report
from harness.places import CHECKOUT

EXAMPLES = CHECKOUT / "examples" / "metrics"

ODD = 'a\\b"c\nd'
OF_ODD: dict[str, Any] = {
    "id": 1,
    "name": ODD,
    "quotas": [{"id": 1, "path": "/a", "size": 7}, {"id": 2, "path": "/b", "size": 5}],
}
OF_ODD["exports"] = [
    {"id": 1, "desc": "=1+1", "iprange": "*", "readonly": False, "apionly": True},
    {"id": 2, "desc": "-web (next)", "iprange": "::1", "apionly": False},
]
# Two volumes may have one name.
VOLUMES = [
    OF_ODD,
    {"id": 2, "name": ODD, "exports": [], "quotas": [{"id": 3, "path": "/a", "size": 1}, {"id": 4, "path": "/c"}]},
]
ITEMS = [{"name": "new", "quotas": [{"path": "x"}]}]
READ = MOMENT.timestamp()


def write(folder: Path, facts: dict[str, Any]) -> Any:
    """Write a report, and return whether a file changed."""
    return write_report(folder, facts)["changed"]


def give_up(folder: Path, console: str = "https://c.example.com", dest: str = ".") -> Any:
    """Write that a console could not be read, and return whether a file changed."""
    return act(role_step, folder, do="report", unread=console, dest=dest)["changed"]


def samples(folder: Path) -> dict[tuple[str, ...], float]:
    """Return the samples of a file of metrics, by name and values of their labels but the console's."""
    text = (folder / "report.prom").read_text(encoding="utf-8")
    found = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    assert {sample.labels.pop("console") for sample in found} == {"c.example.com"}
    assert all(sample.timestamp is None for sample in found)
    result = {(sample.name.removeprefix("managedfs_"), *sample.labels.values()): sample.value for sample in found}
    # Of two with the same labels, Prometheus would refuse the file.
    assert len(result) == len(found)
    return result


def test_the_metrics_count_what_the_report_shows(tmp_path: Path) -> None:
    facts = build_facts(VOLUMES, [], console="https://c.example.com", purge=["quotas"])
    assert write(tmp_path, facts)
    shown = facts["volumes"][0]["volume"]
    kinds = ("volumes", "exports", "quotas")
    expected: dict[tuple[str, ...], float] = {
        ("console_up",): 1,
        ("console_last_read_timestamp_seconds",): READ,
        ("console_compared",): 1,
        ("console_cannot_be_applied",): 0,
        ("console_unmanaged", "volumes"): 2,
        ("console_unmanaged", "exports"): 0,
        ("console_unmanaged", "quotas"): 0,
        ("console_open_to_write",): 1,
        ("console_rotations",): 0,
        ("console_records", "volumes"): 2,
        ("console_records", "exports"): 2,
        ("console_records", "quotas"): 4,
        ("volume_limits_bytes", shown): 13,
    }
    nothing = {("console_differences", verb, kind): 0 for verb in ("create", "update", "delete") for kind in kinds}
    assert samples(tmp_path) == expected | nothing


def test_the_limits_of_a_volume_without_any_are_nought(tmp_path: Path) -> None:
    volume = {"id": 1, "name": "v", "exports": [], "quotas": [{"id": 1, "path": "/a", "size": 0}]}
    write(tmp_path, build_facts([volume], console="c.example.com"))
    assert samples(tmp_path)["volume_limits_bytes", "v"] == 0


def test_what_differs_is_counted_by_what_would_be_done(tmp_path: Path) -> None:
    volume = {
        "id": 1,
        "name": "v",
        "quotas": [{"id": 1, "path": "/a", "size": 4096}, {"id": 2, "path": "/b", "size": 1}],
    }
    volume["exports"] = [{"id": n, "desc": desc, "iprange": "::1"} for n, desc in enumerate(["web", "web (next)"])]
    wanted = [{"path": "/a", "size": 8192}, {"path": "/c", "size": 1}, {"path": "/d", "size": 1}]
    items: list[dict[str, Any]] = [{"name": "v", "quotas": wanted, "exports": [{"desc": "web"}]}]
    write(tmp_path, build_facts([volume], items, console="c.example.com", purge=["quotas"]))
    found = {key[1:]: value for key, value in samples(tmp_path).items() if key[0] == "console_differences" and value}
    assert found == {("create", "quotas"): 2, ("update", "quotas"): 1, ("delete", "quotas"): 1}
    assert samples(tmp_path)["console_rotations",] == 1
    write(tmp_path, build_facts([volume], [{"name": "v", "quotas": [{"path": "x"}]}], console="c.example.com"))
    assert samples(tmp_path)["console_cannot_be_applied",] == 1
    write(tmp_path, build_facts([volume], console="c.example.com"))
    alone = samples(tmp_path)
    assert alone["console_compared",] == 0
    assert not {name for name, *_labels in alone} & {
        "console_differences",
        "console_unmanaged",
        "console_cannot_be_applied",
    }


def test_a_console_that_could_not_be_read_keeps_its_report_and_the_time_of_that(tmp_path: Path) -> None:
    assert give_up(tmp_path)
    assert samples(tmp_path) == {("console_up",): 0}
    assert [path.name for path in tmp_path.iterdir()] == ["report.prom"]
    facts = build_facts(VOLUMES, console="c.example.com")
    assert write(tmp_path, facts)
    others = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".prom"}
    assert give_up(tmp_path)
    assert samples(tmp_path) == {("console_up",): 0, ("console_last_read_timestamp_seconds",): READ}
    assert not give_up(tmp_path)
    assert others == {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".prom"}
    nowhere = tmp_path / "nowhere"
    assert not give_up(nowhere, dest=" ")
    assert not nowhere.exists()


def test_a_report_of_a_part_leaves_the_metrics_of_the_whole(tmp_path: Path) -> None:
    volumes = [*VOLUMES, {"id": 3, "name": "v", "exports": [], "quotas": []}]
    part = build_facts(volumes, [], console="c.example.com", only=["v"])
    assert write(tmp_path, part)
    assert not (tmp_path / "report.prom").exists()
    assert write(tmp_path, build_facts(volumes, [], console="c.example.com"))
    before = samples(tmp_path)
    assert (before["console_open_to_write",], before["console_records", "volumes"]) == (1, 3)
    assert ("volume_limits_bytes", "v") not in before
    assert write(tmp_path, part)
    assert samples(tmp_path) == before


def test_alerts_are_about_metrics_that_exist(tmp_path: Path) -> None:
    write(tmp_path, build_facts(VOLUMES, ITEMS, console="c.example.com"))
    text = (tmp_path / "report.prom").read_text(encoding="utf-8")
    names = {family.name for family in text_string_to_metric_families(text)}
    rules = yaml.safe_load((EXAMPLES / "rules.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
    used = {rule["alert"]: set(re.findall(r"managedfs_\w+", rule["expr"])) for rule in rules}
    assert [alert for alert, metrics in used.items() if not metrics or not metrics <= names] == []
    # What was last read counts until the report is old.
    expressions = {rule["alert"]: rule["expr"] for rule in rules}
    assert set(re.findall(r"\[(.*?)\]", str(expressions))) == {"2d"}
    assert expressions["ManagedfsReportIsOld"].endswith("> 2 * 24 * 3600")
    # All that drift.yml, or a pipeline, takes for drift.
    drift = {"console_differences", "console_cannot_be_applied", "console_unmanaged"}
    assert used["ManagedfsConsoleDiffers"] == {f"managedfs_{name}" for name in drift}
