# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The facts of a report on a console, which its page, its Markdown and its JSON all show. Pure.

They come from the records as `volume_info` returns them, and from the items that the module `volumes` would be given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from ...module_utils._internal.errors import ConsoleError
from ...module_utils._internal.json_values import map_text, printable
from ...module_utils._internal.masking import mask
from ...module_utils._internal.model.resources import LISTS_OF_VOLUME
from .report_access import OPEN_TO_WRITE, UNKNOWN, who_may_use
from .report_contents import describe_volumes, limits_of
from .report_drift import CANNOT_BE_APPLIED, NOT_COMPARED, TO_CREATE, TO_DELETE, TO_UPDATE, UNCLAIMED, find_drift
from .template_values import plain_values

Facts = dict[str, Any]

_DRIFT_COUNTS = (CANNOT_BE_APPLIED, TO_CREATE, TO_UPDATE, TO_DELETE, UNCLAIMED)


def build_facts(
    volumes: Iterable[Mapping[str, Any]],
    desired: Iterable[Mapping[str, Any]] | None = None,
    purge: Collection[str] = (),
    console: str = "",
) -> Facts:
    """Return what a report tells of a console, secrets masked and every character printable.

    `volumes` are the records with their exports and quotas, `desired` the items to compare them with, if any, `purge`
    the kinds of which no record may be left that no item claims, `console` the address of the console.
    """
    shown: list[dict[str, Any]] = mask(plain_values(list(volumes)))
    for volume in shown:
        _check(volume)
    # In an order of their own, so that a report changes only when its content does.
    shown.sort(key=_order)
    facts: Facts = {
        "console": host_of(console),
        "drift": None if desired is None else find_drift(shown, mask(plain_values(list(desired))), purge),
        "access": who_may_use(shown),
        "limits": limits_of(shown),
        "volumes": describe_volumes(shown),
    }
    facts["counts"] = _count(facts)
    printable_facts: Facts = map_text(facts, printable)
    return printable_facts


def host_of(url: str) -> str:
    """Return host and port of a URL, and nothing else that may stand in it; nothing where it has none."""
    try:
        parts = urlsplit(url.strip() if "://" in url else f"https://{url.strip()}")
    except ValueError:
        return ""
    return parts.netloc.rpartition("@")[2].lower()


def _order(volume: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what volumes are sorted by: the name, regardless of its case first, then the id, which may be no number."""
    name, identity = str(volume.get("name")), str(volume["id"])
    return name.casefold(), name, len(identity), identity


def _check(volume: Mapping[str, Any]) -> None:
    """Refuse a record that `volume_info` did not return, or returned without its lists."""
    for name in ("id", *(resource.plural for resource in LISTS_OF_VOLUME)):
        if name not in volume:
            lists = ", ".join(resource.plural for resource in LISTS_OF_VOLUME)
            raise ConsoleError(f"a volume has no {name}. Take the records of volume_info with gather [{lists}].")


def _count(facts: Facts) -> dict[str, int]:
    """Return how much there is of everything; sums over several consoles mean the same."""
    drift = facts["drift"] or {}
    counts = {"consoles": 1, "consoles_compared": int(facts["drift"] is not None), "volumes": len(facts["volumes"])}
    for resource in LISTS_OF_VOLUME:
        counts[resource.plural] = sum(volume[resource.plural] for volume in facts["volumes"])
    counts |= {name: len(facts["access"][name]) for name in (OPEN_TO_WRITE, UNKNOWN)}
    counts |= {name: len(drift.get(name, ())) for name in _DRIFT_COUNTS}
    counts[NOT_COMPARED] = sum(entry["count"] for entry in drift.get(NOT_COMPARED, ()))
    return counts
