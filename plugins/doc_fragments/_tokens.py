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
      - Whether results contain tokens and other secrets of the console's records in clear text. Otherwise they are masked.
      - If set to V(true), set C(no_log) on the task as well, or the tokens end up in logs and in whatever callbacks store. From ansible-core 2.22
        on, Ansible hides those of eight characters or more by itself.
    type: bool
    default: false
"""
