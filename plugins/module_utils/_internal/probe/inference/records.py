# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What records tell: which fields they show and how, and what the console makes of values. Pure."""

from __future__ import annotations

import ipaddress
from typing import Any

from ...model.records import Record
from ..observation import Seen
from ..steps import BARE_ADDRESS, NETWORK_WITH_HOST_BITS
from .finding import Finding, agreed, nothing

_DOCUMENTED = {"desc", "iprange", "apionly", "readonly", "appendonly"}
_MADE = ("create_export", "create_quota", "create_plain_export", "create_spaced_export", "create_unlimited_quota")


def _after(seen: Seen, name: str) -> Record | None:
    return next(iter(seen.records_after(name)), None)


def record_fields(seen: Seen) -> Finding:
    """Return which fields of an export are shown, when few were sent and when all were."""
    plain, spaced = _after(seen, "create_plain_export"), _after(seen, "create_spaced_export")
    if plain is None or spaced is None:
        return nothing(seen.why_not("create_plain_export", "create_spaced_export"))
    shown = set(plain) - {"id"}
    more = sorted(shown - _DOCUMENTED - {"token"})
    reply = seen.reply("create_plain_export")
    flags = shown & {"apionly", "readonly", "appendonly"}
    if len(flags) == 3:
        note = f"also {', '.join(more)}" if more else ""
        return Finding("more" if more else "all", reply, note)
    if flags:
        return nothing(
            "only some flags are shown", f"Of the flags of an export only {', '.join(sorted(flags))} are shown."
        )
    odd = (f"Exports show fields of their own: {', '.join(more)}.",) if more else ()
    return Finding("sent" if "appendonly" in spaced else "some", reply, unknown=odd)


def numbers(seen: Seen) -> Finding:
    """Return whether numbers are JSON numbers or strings."""
    values = []
    for record in seen.records_after(*_MADE):
        for name in ("id", "size", "inodes"):
            value = record.get(name)
            if isinstance(value, (int, str)) and not isinstance(value, bool) and value != "":
                values.append((name, "string" if isinstance(value, str) else "number", None))
    limits = [entry for entry in values if entry[0] != "id"]
    finding = agreed(
        dict.fromkeys(limits or values), ("number", "string"), seen.why_not(*_MADE), "How limits are shown"
    )
    ids = {entry[1] for entry in values if entry[0] == "id"}
    if finding.value and ids - {finding.value}:
        return finding._replace(unknown=(*finding.unknown, f"Ids are shown as {ids.pop()}s, unlike limits."))
    return (
        finding._replace(reply=seen.reply("create_quota") or seen.reply("create_export")) if finding.value else finding
    )


def no_limit(seen: Seen) -> Finding:
    """Return how a quota shows that it has no limit."""
    limited, unlimited = _after(seen, "create_quota"), _after(seen, "create_unlimited_quota")
    if unlimited is None:
        return nothing(seen.why_not("create_unlimited_quota"))
    reply = seen.reply("create_unlimited_quota")
    for name in ("size", "inodes"):
        if limited is not None and name in limited:
            if name not in unlimited:
                return Finding("omitted", reply)
            value = unlimited[name]
            if value is None or str(value) == "0":
                return Finding("null" if value is None else "zero", reply)
            return nothing("no limit is shown as another value", f"A quota of size 0 shows another {name}.")
    return nothing("quotas show no limits")


def ids(seen: Seen) -> Finding:
    """Return whether records show their ids."""
    steps = {"create_export": "exports", "create_quota": "quotas", "create_volume": "volumes"}
    values = [
        (noun, "shown" if "id" in record else "missing", seen.reply(step))
        for step, noun in steps.items()
        for record in seen.records_after(step)
    ]
    return agreed(values, ("shown", "missing"), seen.why_not(*steps), "Whether ids are shown")


def keys(seen: Seen) -> Finding:
    """Return whether records show their natural keys."""
    steps = {"create_export": "desc", "create_quota": "path", "create_volume": "name"}
    values = []
    for step, name in steps.items():
        for record in seen.records_after(step):
            value = "missing" if name not in record else "null" if record[name] is None else "shown"
            values.append((name, value, seen.reply(step)))
    return agreed(values, ("shown", "missing", "null"), seen.why_not(*steps), "Whether natural keys are shown")


def trim_keys(seen: Seen) -> Finding:
    """Return what becomes of white space at the ends of a key, and of its case."""
    record = _after(seen, "create_spaced_export")
    sent = seen.steps["create_spaced_export"].sent.get("desc") if record else None
    if record is None or sent is None or not isinstance(record.get("desc"), str):
        return nothing("the desc is not shown" if record else seen.why_not("create_spaced_export"))
    shown, reply = record["desc"], seen.reply("create_spaced_export")
    odd = ("The case of a desc is changed.",) if shown.strip() != sent.strip() else ()
    if shown.lower() == sent.lower():
        return Finding(False, reply, unknown=odd)
    if shown.lower() == sent.strip().lower():
        return Finding(True, reply, unknown=odd)
    return nothing("it is changed in another way", "White space in a desc is changed, but not removed at both ends.")


def normalise_networks(seen: Seen) -> Finding:
    """Return whether networks lose their host bits."""
    steps = {"create_export": NETWORK_WITH_HOST_BITS, "create_plain_export": BARE_ADDRESS}
    values = [
        (sent, _is_normalised(sent, record["iprange"]), seen.reply(step))
        for step, sent in steps.items()
        for record in seen.records_after(step)
        if isinstance(record.get("iprange"), str)
    ]
    return agreed(values, (True, False), seen.why_not("create_export"), "Whether networks are normalised")


def _is_normalised(sent: str, shown: str) -> Any:
    """Return whether a network is shown in its normal form; `another network` for one that means something else."""
    if shown == sent:
        return False
    return True if shown == str(ipaddress.ip_network(sent, strict=False)) else "another network"


def normalise_paths(seen: Seen) -> Finding:
    """Return whether a path loses the slash at its end."""
    record = _after(seen, "create_quota")
    if record is None or not isinstance(record.get("path"), str):
        return nothing("the path is not shown" if record else seen.why_not("create_quota"))
    sent, reply = str(seen.steps["create_quota"].sent.get("path")), seen.reply("create_quota")
    if record["path"] in (sent, sent.rstrip("/")):
        return Finding(record["path"] != sent, reply)
    return nothing("paths are changed in another way", "The path of a quota is changed by more than its slashes.")


def normalise_buckets(seen: Seen) -> Finding:
    """Return what becomes of the slash at the end of a bucket."""
    record, sent = _after(seen, "create_volume"), seen.given.get("bucket")
    shown = record.get("bucket") if record else None
    if not sent or not isinstance(shown, str):
        return nothing(seen.why_not("create_volume") if record is None else "no bucket was given, or none is shown")
    reply = seen.reply("create_volume")
    if shown != sent:
        if shown.rstrip("/") != sent.rstrip("/"):
            return nothing(
                "buckets are changed in another way", "A bucket is changed by more than the slash at its end."
            )
        return Finding("add" if shown.endswith("/") else "strip", reply)
    listed = [record.get("bucket") for listing in seen.readings("volumes") for record in listing.records]
    ends = {str(bucket).endswith("/") for bucket in listed if bucket}
    if ends == {True, False}:
        return Finding("no", reply, "volumes show buckets with and without a slash")
    return nothing(f"a bucket {'without' if sent.endswith('/') else 'with'} a slash at its end was not tried")
