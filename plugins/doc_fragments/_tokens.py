# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the option that shows tokens."""

from __future__ import annotations


class ModuleDocFragment:
    """Tokens in results."""

    DOCUMENTATION = r"""
options:
  include_tokens:
    description:
      - Whether results hold tokens and other secrets of the console's records as they are. Otherwise they are masked.
      - Set C(no_log) on a task that has this set to V(true), or the tokens are in logs and in what callbacks keep.
    type: bool
    default: false
"""
