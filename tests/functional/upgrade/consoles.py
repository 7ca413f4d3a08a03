# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The releases whose folders are kept here, and the console that they were captured from."""

from __future__ import annotations

from pathlib import Path

from emulator import Emulator

ADDRESS = "http://console.example.com"
"""Stands in the files for the address of that console."""
GIB = 1 << 30
KEPT = Path(__file__).parent
VERSIONS = sorted(path.name for path in KEPT.glob("[0-9]*"))


def fill(emulator: Emulator) -> None:
    """Give an empty console what it had when it was captured, with the same ids."""
    projects = emulator.add_volume(id=1, name="projects", bucket="https://p.example.com", region="eu-central-1")
    emulator.add_export(projects, id=11, desc="web", iprange="192.168.0.0/24", token="token-of-web-0123")
    emulator.add_export(projects, id=12, desc="backup", iprange="10.0.0.7", readonly=True, token="token-of-backup-0123")
    emulator.add_export(projects, id=13, desc="blue", iprange="*", path="/tenants/blue", token="token-of-blue-0123")
    emulator.add_quota(projects, id=21, path="/home/alice", size=10 * GIB, inodes=100000)
    emulator.add_quota(projects, id=22, path="/home/bob", size=1500000000, inodes=0)
    emulator.add_quota(projects, id=23, path="/tenants/{{ blue }}", size=1024 * GIB, inodes=0)
    archive = emulator.add_volume(id=2, name="2024", bucket="https://a.example.com")
    emulator.add_quota(archive, id=24, path="/on", size=0, inodes=5000)
    emulator.add_volume(id=3, name="a/b no", bucket="https://me:hunter2@b.example.com")
    emulator.add_volume(id=4, name="console", bucket="https://c.example.com")
    emulator.add_export(archive, id=14, desc="csi-1", iprange="10.1.0.0/16", token="token-of-csi-0123")
