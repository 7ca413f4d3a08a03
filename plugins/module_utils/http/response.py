# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What comes of one attempt at a request: a response, or none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import timezone
from email.utils import parsedate_to_datetime
from typing import Any, Union

from ..json_values import parse_json
from ..masking import scrubber
from .retry import MAX_PAUSE, SUCCESS


class Response:
    """A response, without anything that it repeats of our own credentials.

    `truncated` tells that the body broke off, `sent_at` when the request was sent (epoch seconds), `took` how many
    seconds passed until the headers of the response were there.
    """

    def __init__(
        self,
        status: int,
        headers: Mapping[str, str],
        content: bytes,
        *,
        truncated: bool = False,
        sent_at: float = 0.0,
        took: float = 0.0,
        secrets: Iterable[str] = (),
    ) -> None:
        self.status = status
        self.headers = headers
        self.content = content
        self.truncated = truncated
        self.sent_at = sent_at
        self.took = took
        # Errors are quoted in messages, and so searched for fragments of secrets as well.
        if status not in SUCCESS or any(secret.encode() in content for secret in secrets):
            self._scrub(secrets)

    @property
    def text(self) -> str:
        """Return the body as text."""
        return self.content.decode("utf-8-sig", "replace").strip()

    def json(self) -> Any:
        """Return the body as a JSON value; ValueError where it is none."""
        return parse_json(self.content)

    def date(self) -> float | None:
        """Return when the response was made by the console's clock (epoch seconds), None where it does not say."""
        return _parse_http_date(self.headers.get("Date"))

    def retry_after(self, now: float) -> float | None:
        """Return how many seconds the console asks not to be called, within bounds; None where it does not ask."""
        text = self.headers.get("Retry-After", "").strip()
        until = _parse_http_date(text)
        if re.fullmatch("[0-9]+", text):
            seconds = float(text[:6])
        elif until is not None:
            seconds = until - (self.date() or now)
        else:
            return None
        return min(max(seconds, 0.0), MAX_PAUSE)

    def _scrub(self, secrets: Iterable[str]) -> None:
        scrub = scrubber(secrets)
        self.headers = {name.title(): scrub(value) for name, value in self.headers.items()}
        try:
            # In JSON a secret may be written with escapes.
            self.content = json.dumps(scrub(parse_json(self.content))).encode()
        except ValueError:
            self.content = scrub(self.content.decode("utf-8", "replace")).encode()


class SendError(Exception):
    """No response. `sent` is false where surely nothing reached the console, `permanent` where a retry cannot help."""

    status = None

    def __init__(self, message: str, sent: bool, permanent: bool = False) -> None:
        super().__init__(message)
        self.sent = sent
        self.permanent = permanent


def _parse_http_date(text: str | None) -> float | None:
    """Return the epoch seconds of an HTTP date, None for anything else."""
    try:
        made = parsedate_to_datetime(text or "")
        # HTTP dates are in UTC, also in the obsolete forms that do not say so.
        return (made if made.tzinfo else made.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


Outcome = Union[Response, SendError]
