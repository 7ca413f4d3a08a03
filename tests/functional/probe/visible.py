# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can be seen of a dialect from outside, judged without the code under test."""

from __future__ import annotations

from typing import Any

from emulator import Dialect

LAGS = ("appear_after", "update_appear_after", "vanish_after", "stale_for", "ready_after")
# When a probe looks at a list; what it tells is the first of these moments at which the effect was there.
MOMENTS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)
# How many exports a probe makes at least, so that shorter pages show.
EXPORTS = 4
_UNSEEN_PAGES = {"page_size", "page_overlap"}
LINKED = ("page", "link", "many_links", "body_links")


def visible(dialect: Dialect) -> dict[str, Any]:
    """Return the settings as they show, None for those that do not; lags as the moment at which they are noticed."""
    seen = dialect.settings()
    # A probe does not look at what an update hides.
    del seen["put_hides"]
    for see in (_pages, _fields, _lateness, _readiness, _creation):
        seen.update(see(dialect))
    if not dialect.rate_limit:
        seen["retry_after"] = None
    return seen


def _pages(dialect: Dialect) -> dict[str, Any]:
    """Return what shows of pages, where the longest list has a handful of records."""
    seen: dict[str, Any] = {}
    is_linked = dialect.list_shape in LINKED
    is_paged = dialect.list_shape != "array" and dialect.page_size < EXPORTS
    if not is_paged:
        seen = dict.fromkeys(_UNSEEN_PAGES)
    loops = dialect.next_url == "loop"
    if not is_linked or not (is_paged or loops):
        seen["next_url"] = None
    if dialect.list_shape == "link" and not is_paged and not loops:
        seen["list_shape"] = "array"
    if dialect.list_shape != "page":
        seen["count"] = None
    return seen


def _fields(dialect: Dialect) -> dict[str, Any]:
    """Return what shows of fields and keys."""
    seen: dict[str, Any] = {}
    if dialect.record_fields == "some" and dialect.put in ("documented", "any"):
        seen["put"] = None
    if dialect.keys != "shown":
        seen.update(trim_keys=None, normalise_paths=None)
    # The bucket that is given has no slash, so that one that is removed does not show.
    if dialect.normalise_buckets != "add":
        seen["normalise_buckets"] = None
    return seen


def _lateness(dialect: Dialect) -> dict[str, Any]:
    """Return what shows of late and stale lists. Where every reading is stale, that is how late all lists are."""
    lags = {name: getattr(dialect, name) for name in ("appear_after", "update_appear_after", "vanish_after")}
    if dialect.stale_every == 1:
        lags = {name: max(lag, dialect.stale_for) for name, lag in lags.items()}
    shown = [lags[name] for name in lags if name != "vanish_after" or dialect.delete_children == "yes"]
    is_seen = dialect.stale_every > 1 and dialect.stale_for > min(map(_noticed, shown))
    seen: dict[str, Any] = {name: _noticed(lag) for name, lag in lags.items()}
    seen["stale_every"] = dialect.stale_every if is_seen else 0
    seen["stale_for"] = _noticed(dialect.stale_for) if is_seen else None
    return seen


def _readiness(dialect: Dialect) -> dict[str, Any]:
    """Return what shows of readiness: a volume can be asked about once it is listed."""
    listed = _lateness(dialect)["appear_after"]
    if not dialect.ready_route or (listed and dialect.ready_after <= listed):
        return {"ready_after": None}
    return {"ready_after": _noticed(dialect.ready_after)}


def _creation(dialect: Dialect) -> dict[str, Any]:
    """Return what shows of what a creation needs: without a message, that it works without a region that is not given."""
    if dialect.error_body == "empty":
        return {"bucket_required": None, "region_required": None}
    return {}


def _noticed(seconds: float) -> float:
    return next(moment for moment in MOMENTS if moment >= seconds)
