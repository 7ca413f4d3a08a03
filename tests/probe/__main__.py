# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: `make probe ARGS="--help"` explains it."""

from __future__ import annotations

import argparse
import json
import os
import secrets
import signal
import sys
import time
from pathlib import Path
from typing import Any

from .client import Connection, ProbeError
from .replay import probe
from .runner import Target
from .script import OPTIONAL

_DESCRIPTION = """\
Finds out what a console does where its specification says nothing. The connection is that of the modules: MANAGEDFS_*
in the environment. What is made is removed at the end; what could not be removed is named, and the exit status is 1.
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    found = argparse.ArgumentParser(prog="make probe", description=_DESCRIPTION, allow_abbrev=False)
    where, add = found.add_mutually_exclusive_group(), found.add_argument
    where.add_argument("--volume", metavar="NAME", help="make a new volume of this name, and delete it")
    where.add_argument("--existing", metavar="ID", type=int, help="use this volume, which has no exports and no quotas")
    add("--bucket", metavar="URL", help="bucket of the new volume, sent if the console wants one")
    add("--region", metavar="ID", type=int, help="region of the new volume, sent if the console wants one")
    add(
        "--field", metavar="NAME=VALUE", type=_field, action="append", default=[], help="another of its fields, as JSON"
    )
    add("--read-only", action="store_true", help="send nothing but GET")
    add("--output", metavar="FILE", type=Path, default=Path("console-profile.json"), help="default: %(default)s")
    return found


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or name in ("", "name"):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def main(arguments: list[str] | None = None) -> int:
    """Probe the console of the environment, and return the exit status."""
    given = parser().parse_args(arguments)
    if not (given.volume or "").strip() and given.existing is None and not given.read_only:
        parser().error("one of --volume NAME, --existing ID and --read-only is needed")
    optional = {name: value for name in OPTIONAL if (value := getattr(given, name)) is not None}
    # A request to end counts as an interruption, after which the probe cleans up.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        connection = Connection.from_environment(os.environ)
        given.output.open("a", encoding="utf-8").close()
    except (ProbeError, OSError) as error:
        parser().error(str(error))
    target = Target(given.volume, given.existing, {**optional, **dict(given.field)}, given.read_only)
    found = probe(connection, target, f"probe-{secrets.token_hex(4)}", time)
    written = json.dumps({"profile": found.profile, "unknown": found.unknown}, indent=2)
    given.output.write_text(f"{written}\n", encoding="utf-8")
    for name, entry in found.profile.items():
        print(f"{name:20} {json.dumps(entry['value']):12} {entry.get('evidence') or entry['reason']}")
    print(*(f"Unknown: {text}" for text in found.unknown), *(f"NOT REMOVED: {text}" for text in found.left), sep="\n")
    print(f"Ended early: {found.error}" if found.error else "Complete.", f"The profile is in {given.output}.")
    return 1 if found.left or found.error else 0


if __name__ == "__main__":
    sys.exit(main())
