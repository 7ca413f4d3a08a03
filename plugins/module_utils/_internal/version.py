# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The version of the collection, as the user agent tells it to the console."""

from __future__ import annotations

COLLECTION_VERSION = "1.2.0"
