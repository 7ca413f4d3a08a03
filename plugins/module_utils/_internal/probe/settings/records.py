# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The settings of the emulator that are about records and writes, and how a probe finds them, as data. Pure."""

from __future__ import annotations

from ..inference import creations, records, writes
from ..inference.finding import Setting

_UNIDENTIFIED = "Tasks fail: records cannot be identified."

SETTINGS = (
    Setting(
        "record_fields",
        "the fields of an export that was created with desc and iprange, and of one with a flag",
        "",
        records.record_fields,
        {
            "all": "All options are compared.",
            "sent": "Options that a creation did not send are not compared, but named in unverified.",
            "some": "Options that only a creation sends are not compared, but named in unverified.",
            "more": "All options are compared; results contain fields that are not documented.",
        },
    ),
    Setting(
        "numbers",
        "the limits of quotas, or else the ids of records",
        "",
        records.numbers,
        {"number": "Nothing: values are compared by meaning.", "string": "Nothing: values are compared by meaning."},
    ),
    Setting(
        "no_limit",
        "the limits of a quota that was created with size 0 and inodes 0",
        "",
        records.no_limit,
        {
            "zero": "size: 0 removes a limit, and is shown.",
            "null": "size: 0 removes a limit, and is shown as null.",
            "omitted": "size: 0 removes a limit; it is not shown then, and named in unverified.",
        },
    ),
    Setting(
        "ids",
        "whether records have an id",
        "",
        records.ids,
        {"shown": "Records can be identified.", "missing": _UNIDENTIFIED},
    ),
    Setting(
        "keys",
        "whether records have their natural key: name, desc, path",
        "",
        records.keys,
        {"shown": "Records can be identified.", "missing": _UNIDENTIFIED, "null": _UNIDENTIFIED},
    ),
    Setting(
        "trim_keys",
        "the desc of an export that was created with white space at its ends",
        "where the desc is not shown",
        records.trim_keys,
        {
            True: "Do not write white space at the ends of a desc: the record would not be found again.",
            False: "White space at the ends of a desc is part of it.",
        },
    ),
    Setting(
        "unique_keys",
        "the responses to a second export with the same desc, and a second quota with the same path",
        "",
        creations.unique_keys,
        {
            True: "Two tasks that create the same record at once cannot double it.",
            False: "Do not run two playbooks at once that create the same records.",
        },
    ),
    Setting(
        "put",
        "the fields of exports and quotas after updates with the documented fields, with more, and with fewer",
        "whether other fields are taken, where records do not show them",
        writes.put,
        {
            "documented": "create_only_changes: update fails: the console ignores such a field.",
            "any": "create_only_changes: update works.",
            "reject": "create_only_changes: update fails: the console refuses such a field.",
            "reset": "Each update is followed by another one that restores what the console has reset, with a warning.",
        },
    ),
    Setting(
        "put_alters",
        "size and iprange after updates to 2 GiB and one byte, and to a /15",
        "",
        writes.put_alters,
        {
            "nothing": "Updates are taken as they are.",
            "rounds_up": "Use sizes that are multiples of what the console rounds to: others fail.",
            "caps": "Sizes above what the console allows fail.",
            "rewrites": "Use networks as the console writes them: others fail.",
        },
    ),
    Setting(
        "normalise_networks",
        "the iprange of exports that were created with host bits, and with a bare address",
        "",
        records.normalise_networks,
        dict.fromkeys((True, False), "Nothing: networks are compared by meaning."),
    ),
    Setting(
        "normalise_paths",
        "the path of a quota that was created with a slash at its end",
        "where the path is not shown",
        records.normalise_paths,
        dict.fromkeys((True, False), "Nothing: paths are compared by meaning."),
    ),
    Setting(
        "normalise_buckets",
        "the bucket of the scratch volume, compared with the option",
        "where the option is blank, or shown as it was given: one with and one without a slash would be needed",
        records.normalise_buckets,
        dict.fromkeys(("no", "strip", "add"), "Nothing: buckets are compared without the slash at their end."),
    ),
    Setting(
        "bucket_required",
        "the response to a creation of a volume without bucket and region, and with two fields that are wrong",
        "where errors do not name all that is wrong; with use_existing",
        creations.bucket_required,
        {
            True: "volume needs the option bucket to create one.",
            False: "volume does not need the option bucket.",
        },
    ),
    Setting(
        "region_required",
        "the response to a creation of a volume without region, and to that of the scratch volume",
        "as for bucket_required",
        creations.region_required,
        {
            True: "volume needs the option region to create one.",
            False: "volume does not need the option region.",
        },
    ),
)
