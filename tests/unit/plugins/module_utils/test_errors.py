# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors: what their messages may hold, wherever the code that raises them runs."""

from __future__ import annotations

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import (
    ConsoleError,
    RequestError,
    VerificationError,
)


def test_whatever_a_message_quotes_is_printable() -> None:
    hostile = "a\x1b[31m\u202e\x9b\n"
    escaped = "a\\x1b[31m\\u202e\\x9b\\n"
    assert str(ConsoleError(f"{hostile}: no")) == f"{escaped}: no"
    assert str(ConsoleError("no").followed_by(hostile)) == f"no. {escaped}"
    for kind in (RequestError, VerificationError):
        error = kind("GET", f"/{hostile}", hostile, 400)
        assert str(error).isprintable()
        failure = error.details["failure"]
        assert (failure["path"], failure["message"], failure["status"]) == (f"/{escaped}", escaped, 400)
