# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many cases a property test draws, and how often a task is killed."""

from __future__ import annotations

import os

# Some hundreds that are the same in every run, or as many as the environment asks for, at random.
DERANDOMIZED = "CASES" not in os.environ
CASES = int(os.environ.get("CASES") or "400")

# Each kill is a real process; as many as the environment asks for, each at a moment that its number decides.
KILLS = int(os.environ.get("KILLS") or "8")
