# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the emulator."""

from __future__ import annotations

import argparse
import errno
import json
import os
import shlex
import signal
import sys
import textwrap
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .dialect import CHOICES, NAMED, Dialect, parse_setting, read_profile
from .emulator import LOG_LIMIT, Emulator
from .faults import KINDS
from .store import MEMORY

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_PORT = 8642

_DESCRIPTION = """\
A console to try things on: an HTTP server of the console API, strict on signatures, that keeps
volumes, exports and quotas. Nothing is real behind it.
"""


def _filled(text: str) -> str:
    return textwrap.fill(text, 98, initial_indent="  ", subsequent_indent="    ")


_DIALECTS = "\n".join(f"  {name:12} {text}" for name, (text, _settings) in NAMED.items())
_SETTINGS = "\n".join(_filled(f"{name}: {', '.join(map(str, values)).lower()}") for name, values in CHOICES.items())
_EXAMPLES = f"""\
examples:
  python -m emulator                      on http://127.0.0.1:{DEFAULT_PORT}; paste the three export lines
  ... --database console.jsonl            keeps its records, and its keys, for the next time
  ... --dialect paged --set page_size=10  answers lists in pages of ten
  ... --seed 7                            a dialect drawn at random; the same for the same seed
  ... --profile console-profile.json      plays the console that was probed
  ... --port 0 --ready-file ready.json    any free port; the file says which, once it listens
  ... --tls-cert server.pem --tls-key server.key

dialects:
{_DIALECTS}

settings of a dialect, the default first (tests/emulator/dialect.py explains them):
{_SETTINGS}

kinds of faults (tests/emulator/faults.py explains them):
{_filled(", ".join(KINDS))}

control routes, for this machine only, unsigned, JSON:
  GET /_emulator/state        records, dialect and settings
  GET /_emulator/requests     the log; DELETE empties it
  PUT /_emulator/dialect      {{"name": "paged", "page_size": 10}} or {{"seed": 7}}
  POST /_emulator/faults      {{"kind": "reset_after", "method": "POST"}}; DELETE forgets all;
                              another user, between a read and what follows:
                              {{"kind": "meanwhile", "method": "GET", "moment": "after",
                               "change": {{"action": "update", "resource": "quotas",
                                          "volume_id": 101, "key": "/home",
                                          "fields": {{"size": 0}}}}}}
  PUT /_emulator/clock        {{"offset": 600, "age": null, "send_date": true}}
  PUT /_emulator/latency      {{"seconds": 0.02}}
  POST /_emulator/volumes     {{"name": "archive"}}; exports and quotas with "volume_id"
  POST /_emulator/reset       {{"dialect": {{"name": "late"}}}}; forgets everything else
"""


_ADDRESS: dict[str, dict[str, Any]] = {
    "host": {"default": "127.0.0.1", "help": "address to listen on (default: %(default)s)"},
    "port": {"type": int, "default": DEFAULT_PORT, "help": "port, 0 for a free one (default: %(default)s)"},
    "database": {"default": MEMORY, "metavar": "FILE", "help": "file that keeps the records (default: none)"},
    "access-key": {"metavar": "KEY", "help": "access key (default: the file's, or a random one)"},
    "secret-key": {"metavar": "KEY", "help": "secret key (default: the file's, or a random one)"},
    "tls-cert": {"metavar": "FILE", "help": "certificate, PEM: speak https"},
    "tls-key": {"metavar": "FILE", "help": "key of the certificate, where it is in another file"},
    "client-ca": {"metavar": "FILE", "help": "clients must show a certificate of this authority"},
    "life": {"type": float, "metavar": "SECONDS", "help": "end after this time"},
    "ready-file": {"type": Path, "metavar": "FILE", "help": "write url, keys and pid here, once it listens"},
}
_BEHAVIOUR: dict[str, dict[str, Any]] = {
    "dialect": {"default": "default", "metavar": "NAME", "help": "a dialect by name (default: %(default)s)"},
    "seed": {"type": int, "metavar": "N", "help": "a dialect at random, in place of one by name"},
    "profile": {"type": Path, "metavar": "FILE", "help": "the console-profile.json that make probe writes"},
    "set": {"action": "append", "default": [], "metavar": "SETTING=VALUE", "help": "one setting; can be repeated"},
    "latency": {"type": float, "default": 0.0, "metavar": "SECONDS", "help": "time each request waits"},
    "clock-offset": {
        "type": float,
        "metavar": "SECONDS",
        "help": "how far its clock is ahead (default: the profile's)",
    },
    "no-log": {"action": "store_true", "help": f"keep no log of requests (default: the last {LOG_LIMIT})"},
}


def parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    found = argparse.ArgumentParser(
        "python -m emulator", None, _DESCRIPTION, _EXAMPLES, formatter_class=plain, allow_abbrev=False
    )
    for title, options in (("where it is", _ADDRESS), ("how it behaves", _BEHAVIOUR)):
        group = found.add_argument_group(title)
        for name, settings in options.items():
            group.add_argument(f"--{name}", **settings)
    return found


def chosen_dialect(arguments: argparse.Namespace) -> Dialect:
    settings = dict(parse_setting(text) for text in arguments.set)
    if arguments.profile is not None:
        return Dialect.of({**read_profile(arguments.profile)[0], **settings})
    if arguments.seed is None:
        return Dialect.named(arguments.dialect, **settings)
    return Dialect.of({**Dialect.random(arguments.seed).settings(), **settings})


def _built(arguments: argparse.Namespace) -> Emulator:
    if arguments.tls_cert is None and (arguments.tls_key or arguments.client_ca):
        raise ValueError("--tls-key and --client-ca need --tls-cert")
    if arguments.profile is not None and arguments.seed is not None:
        raise ValueError("--profile and --seed exclude each other")
    names = ("host", "port", "database", "access_key", "secret_key", "tls_cert", "tls_key", "client_ca")
    options = {name: getattr(arguments, name) for name in names}
    emulator = Emulator(chosen_dialect(arguments), log_limit=0 if arguments.no_log else LOG_LIMIT, **options)
    offset: float | None = arguments.clock_offset
    if offset is None:
        offset = 0.0 if arguments.profile is None else read_profile(arguments.profile)[1]
    emulator.latency, emulator.clock_offset = arguments.latency, offset
    return emulator


def _announce(emulator: Emulator, ready_file: Path | None) -> None:
    """Print the emulator's address, and what a shell needs to use it."""
    lines = [f"The emulator listens on {emulator.url} (Ctrl-C ends it)"]
    if emulator.dialect.differences():
        lines.append(f"It speaks a dialect: {json.dumps(emulator.dialect.differences())}")
    values = {"CONSOLE_URL": emulator.url, "ACCESS_KEY": emulator.access_key, "SECRET_KEY": emulator.secret_key}
    lines.extend(f"export MANAGEDFS_{name}={shlex.quote(value)}" for name, value in values.items())
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    if ready_file is not None:
        # The file appears whole.
        partial = ready_file.with_name(f"{ready_file.name}.{os.getpid()}")
        partial.touch(mode=0o600)
        names = ("url", "access_key", "secret_key")
        state = {**{name: getattr(emulator, name) for name in names}, "pid": os.getpid()}
        partial.write_text(json.dumps(state) + "\n", encoding="utf-8")
        partial.replace(ready_file)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the emulator until a signal or the end of its life, and return the exit status."""
    arguments = parser().parse_args(argv)
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: ended.set())
    try:
        with _built(arguments) as emulator:
            _announce(emulator, arguments.ready_file)
            ended.wait(arguments.life)
    except (OSError, OverflowError, ValueError) as error:
        is_in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        hint = f": port {arguments.port}. Choose another with --port, or a free one with --port 0" if is_in_use else ""
        sys.stderr.write(f"python -m emulator: {error}{hint}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
