# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hundreds of consoles in one process, each with its own address and keys, and the inventory that leads to them.

`python -m harness.fleet 200 inventory.yml 0.1` is there until it is interrupted; each request waits a tenth of a second.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from emulator import Emulator


@contextlib.contextmanager
def fleet(count: int, host: str = "127.0.0.1") -> Iterator[dict[str, Emulator]]:
    """Yield this many consoles by the names of their hosts; an idle one costs no time, and less than half a mebibyte."""
    with contextlib.ExitStack() as stack:
        yield {f"console{number}": stack.enter_context(Emulator(host=host)) for number in range(1, count + 1)}


def write_inventory(path: Path, consoles: Mapping[str, Emulator]) -> Path:
    """Write an inventory of these consoles, as examples/many-consoles has it, and return its path."""
    hosts = {
        name: {
            "managedfs_console_url": console.url,
            "managedfs_access_key": console.access_key,
            "managedfs_secret_key": console.secret_key,
        }
        for name, console in consoles.items()
    }
    variables = {
        "ansible_connection": "local",
        "ansible_python_interpreter": "{{ ansible_playbook_python }}",
    }
    inventory = {"consoles": {"hosts": hosts, "vars": variables}}
    # JSON is YAML.
    path.write_text(json.dumps(inventory, indent=2), encoding="utf-8")
    return path


def main(count: str, inventory: str, latency: str = "0") -> None:
    with fleet(int(count)) as consoles:
        for console in consoles.values():
            console.add_volume(name="v", bucket="https://v.example.com")
            console.latency = float(latency)
        print(write_inventory(Path(inventory), consoles), flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
