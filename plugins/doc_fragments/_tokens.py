# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the option that reveals tokens."""

from __future__ import annotations


class ModuleDocFragment:
    """Tokens in results."""

    DOCUMENTATION = r"""
options:
  include_tokens:
    description:
      - Whether results contain tokens and other secrets of records in clear text. Set C(no_log) with it, which ansible-core
        2.22 and later do not need.
    type: bool
    default: false
"""
