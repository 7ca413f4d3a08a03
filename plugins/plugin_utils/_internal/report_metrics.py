# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The numbers of a report in the text format of Prometheus, for the text file collector of its node exporter. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from ...module_utils._internal.masking import mask_text
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME, VOLUME
from .report_drift import BY_VERB, INVALID, UNCLAIMED

Samples = Iterable[tuple[Mapping[str, str], int]]

_KINDS = (VOLUME.plural, *(resource.plural for resource in LISTS_OF_VOLUME))
_LAST_READ = "managedfs_console_last_read_timestamp_seconds"
TIME = re.compile(rf"(?<=\n{_LAST_READ}\{{).*")
"""Where the metrics say when a console was read."""


class _Metric(NamedTuple):
    name: str
    meaning: str


_UP = _Metric("managedfs_console_up", "Whether the last report could read the console")
_READ = _Metric(_LAST_READ, "When the console was last read, in seconds since 1970")
_COMPARED = _Metric("managedfs_console_compared", "Whether the report compared the console with a desired state")
_DIFFERENCES = _Metric(
    "managedfs_console_differences", "Records that differ from the desired state, by what would be done"
)
_NOT_APPLICABLE = _Metric("managedfs_console_cannot_be_applied", "Items of the desired state that cannot be applied")
_UNMANAGED = _Metric(
    "managedfs_console_unmanaged", "Records that are not in the desired state, and would be left alone"
)
_OPEN = _Metric("managedfs_console_open_to_write", "Exports and access rules that let any address write")
_ROTATING = _Metric("managedfs_console_rotations", "Exports whose token is being rotated")
_RECORDS = _Metric("managedfs_console_records", "Records on the console")
_LIMITS = _Metric("managedfs_volume_limits_bytes", "Sum of the limits of a volume's quotas")


def to_metrics(facts: Mapping[str, Any], read: str) -> str:
    """Return the metrics of a console that was read at a time, which is a text as ISO 8601 has it."""
    console = {"console": facts["console"]}
    drift, counts = facts["drift"], facts["counts"]
    parts = [
        _write(_UP, [(console, 1)]),
        _write(_READ, [(console, int(datetime.strptime(read, "%Y-%m-%dT%H:%M:%S%z").timestamp()))]),
        _write(_COMPARED, [(console, int(drift is not None))]),
    ]
    if drift is not None:
        parts.append(_write(_DIFFERENCES, _differences(console, drift)))
        parts.append(_write(_NOT_APPLICABLE, [(console, len(drift[INVALID]))]))
        parts.append(_write(_UNMANAGED, _by_kind(console, Counter(e["kind"] for e in drift[UNCLAIMED]))))
    parts += [
        _write(_OPEN, [(console, counts["open_to_write"])]),
        _write(_ROTATING, [(console, len(facts["rotating"]))]),
        _write(_RECORDS, _by_kind(console, counts)),
        _write(_LIMITS, _limits(console, facts["limits"])),
    ]
    return "".join(parts)


def to_unread(console: str, before: str) -> str:
    """Return the metrics of a console that could not be read. It keeps the time when it could, if the metrics before have that."""
    read = re.search(rf"^{_LAST_READ}\{{.*\}} ([0-9]+)$", before, re.MULTILINE)
    labels = {"console": mask_text(console)}
    kept = _write(_READ, [(labels, int(read[1]))]) if read else ""
    return _write(_UP, [(labels, 0)]) + kept


def _differences(console: Mapping[str, str], drift: Mapping[str, Any]) -> Samples:
    for verb, part in BY_VERB.items():
        found = Counter(entry["kind"] for entry in drift[part])
        yield from _by_kind({**console, "verb": verb}, found)


def _by_kind(labels: Mapping[str, str], counts: Mapping[str, int]) -> Samples:
    for kind in _KINDS:
        yield {**labels, "kind": kind}, counts.get(kind, 0)


def _limits(console: Mapping[str, str], limits: Any) -> Samples:
    # Two volumes may have one name. Of two samples with the same labels, Prometheus would refuse the whole file.
    sums: Counter[str] = Counter()
    for entry in limits:
        sums[entry["volume"]] += sum(quota["bytes"] or 0 for quota in entry["quotas"])
    for volume, total in sums.items():
        yield {**console, "volume": volume}, total


def _write(metric: _Metric, samples: Samples) -> str:
    """Return a metric with its samples. None of them has a time of its own: the collector refuses that."""
    lines = [f"# HELP {metric.name} {metric.meaning}", f"# TYPE {metric.name} gauge"]
    for labels, value in samples:
        shown = ",".join(f'{name}="{_escape(text)}"' for name, text in labels.items())
        lines.append(f"{metric.name}{{{shown}}} {value}")
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
