# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Everything that can end a task: one family of exceptions, caught in one place (`module.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Failure = Mapping[str, Any]


class ConsoleError(Exception):
    """A task cannot go on. The text is for the user: what is wrong, and what to do about it.

    `failure` is the request behind it as `{status, method, path, message}`, `record` what is last known of the
    record it is about; both may be None.
    """

    def __init__(self, message: str, failure: Failure | None = None, record: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.failure = failure
        self.record = record

    def adding(self, sentence: str) -> ConsoleError:
        """The same error with one more sentence."""
        return ConsoleError(f"{str(self).rstrip('.')}. {sentence}", self.failure, self.record)


class RequestError(ConsoleError):
    """A request that did not end with a usable 2xx answer (the specification's "Errors").

    `status` is None where no answer came, `message` the server's own words or the cause.
    `maybe_applied` is true where the console may have carried the request out all the same, `pause` the seconds for
    which the console asked to be left alone.
    """

    def __init__(
        self,
        method: str,
        path: str,
        message: str,
        status: int | None = None,
        maybe_applied: bool = False,
        pause: float = 0.0,
    ) -> None:
        answer = "no usable answer" if status is None else f"HTTP {status}"
        failure = {"status": status, "method": method, "path": path, "message": message}
        super().__init__(f"{method} {path}: {answer}: {message}", failure)
        self.status = status
        self.maybe_applied = maybe_applied
        self.pause = pause
