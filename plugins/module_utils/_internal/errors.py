# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The exceptions that can end a task, one family, of which `task.py` makes its result; and problems with items of a list. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .values import first_sentences, map_text, printable

_MAX_IN_MESSAGE = 20


class ConsoleError(Exception):
    """A task cannot go on, for one or several reasons: sentences that tell the user what is wrong, and what to do about it.

    Text that they quote from a console or from files is made printable here. A list of errors shows them one by one.
    `details` are the keys of the failed task's result beside `msg`, such as `changed` and `failure`.
    """

    def __init__(self, *reasons: str, **details: Any) -> None:
        self.reasons = [printable(reason) for reason in reasons]
        super().__init__(" ".join(self.reasons))
        self.details = details

    def followed_by(self, sentence: str) -> ConsoleError:
        """Return the same error with one more sentence in its message."""
        return ConsoleError(f"{str(self).rstrip('.')}. {sentence}", **self.details)


class MissingError(ConsoleError):
    """What is missing is needed. In check mode, an earlier task may be about to create it."""


class RequestError(ConsoleError):
    """A request that did not end with a usable 2xx response.

    `status` is None without a response. `message` is the console's, or the cause. `maybe_applied` means that the
    console may have carried out the request, `was_lost` that it may have done so before the last attempt. `pause` is the
    seconds for which it asked not to be called.
    """

    wording = "{0}: {1}: {2}"

    def __init__(
        self,
        method: str,
        path: str,
        message: str,
        status: int | None = None,
        maybe_applied: bool = False,
        pause: float = 0.0,
        was_lost: bool = False,
    ) -> None:
        failure = {"status": status, "method": method, "path": path, "message": message}
        answer = "no usable response" if status is None else f"HTTP {status}"
        super().__init__(self.wording.format(f"{method} {path}", answer, message), failure=map_text(failure, printable))
        self.status = status
        self.maybe_applied = maybe_applied
        self.pause = pause
        self.was_lost = was_lost


class VerificationError(RequestError):
    """A request that the console accepted, but whose effect its list does not show. The message is ours."""

    wording = "{2} ({0}: {1})"


class Problem(NamedTuple):
    """The reason why an item is invalid or failed.

    `key` is the item's label in results, `name` its name in messages, if any; `where` tells its list if there are several.
    """

    key: str
    name: str
    message: str
    where: Mapping[str, str] = {}

    @property
    def text(self) -> str:
        """Return the name, if any, and the message."""
        return f"{self.name}: {self.message}" if self.name else self.message


def invalid_items(problems: Iterable[Problem]) -> ConsoleError:
    """Return the error for a list with invalid items: all of them, found before anything is written."""
    found = list(problems)
    listed = first_sentences((problem.text for problem in found), _MAX_IN_MESSAGE)
    return ConsoleError(f"Nothing was changed. Correct the items: {listed}", errors=list_errors(found))


def list_errors(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return `errors` for results, each text printable, since Ansible prints them as they are."""
    found = ({**problem.where, "key": problem.key, "msg": problem.text} for problem in problems)
    return [map_text(problem, printable) for problem in found]
