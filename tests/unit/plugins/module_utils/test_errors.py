# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What errors say, and the keys that they give the result of a failed task."""

from __future__ import annotations

from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import (
    ConsoleError,
    InvalidError,
    RequestError,
    VerificationError,
)


def test_a_sentence_follows_a_message_and_the_details_stay() -> None:
    for message in ("No quota.", "No quota"):
        error = ConsoleError(message, changed=True).followed_by("Create one.")
        assert (str(error), error.details) == ("No quota. Create one.", {"changed": True})


def test_an_error_has_each_of_its_reasons() -> None:
    error = InvalidError(["No \t size.", "No path."])
    assert (str(error), error.reasons) == ("No \\t size. No path.", ["No \\t size.", "No path."])


def test_a_request_that_failed_is_told_with_its_response() -> None:
    told = {
        "GET /a: no usable response: it ended early": RequestError("GET", "/a", "it ended early"),
        "PUT /a: HTTP 400: no": RequestError("PUT", "/a", "no", 400),
        "it has another size (PUT /a: HTTP 200)": VerificationError("PUT", "/a", "it has another size", 200),
    }
    assert {text: str(error) for text, error in told.items()} == {text: text for text in told}
    failures = [error.details["failure"] for error in told.values()]
    assert [(failure["status"], failure["method"], failure["path"]) for failure in failures] == [
        (None, "GET", "/a"),
        (400, "PUT", "/a"),
        (200, "PUT", "/a"),
    ]
    assert [failure["message"] for failure in failures] == ["it ended early", "no", "it has another size"]


def test_a_request_counts_as_not_applied_where_nothing_says_otherwise() -> None:
    assert [
        (error.maybe_applied, error.pause)
        for error in (RequestError("GET", "/", ""), RequestError("PUT", "/", "", 500, True, 2))
    ] == [(False, 0), (True, 2)]
