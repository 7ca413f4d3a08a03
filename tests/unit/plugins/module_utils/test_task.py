# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The result of a task, whatever its work does: errors, warnings, secrets, and the options that it repeats."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from ansible_collections.managedfs.console.plugins.module_utils._internal import task as glue
from ansible_collections.managedfs.console.plugins.module_utils._internal.errors import ConsoleError
from ansible_collections.managedfs.console.plugins.module_utils._internal.model.resources import EXPORT
from ansible_collections.managedfs.console.plugins.module_utils._internal.task import Call, Operation, Task, show

Act = Callable[[Task], dict[str, Any]]

URL, KEY, MASK = "https://console.example.com", "sekret-0123456789", "********"
MISTAKE = "This is a mistake in this collection, please report it:"
CONNECTION: dict[str, Any] = {
    "console_url": URL,
    "access_key": "me",
    "secret_key": KEY,
    "validate_certs": True,
    **dict.fromkeys(("ca_path", "client_cert", "client_key")),
    "timeout": 30,
    "retries": 4,
}
# Options of a task, of which only `items` is a list of items.
OPTIONS = {"items": {"type": "list", "elements": "dict"}, "names": {"type": "list", "elements": "str"}}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the set of secrets that Ansible is told of, on an ansible-core that hides them."""
    hidden: set[str] = set()
    monkeypatch.setattr(glue, "register_secrets", hidden.update)
    monkeypatch.setattr(glue, "HIDES_SECRETS", True)
    return hidden


def perform(act: Act, check: bool = False, **options: Any) -> dict[str, Any]:
    """Return the result of a task without the options that it repeats, which have a test of their own."""
    call = Call({**CONNECTION, **options}, check, False, set())
    result = glue.perform(Operation(OPTIONS, act, {"volumes": []}), call)
    result.pop("invocation", None)
    return result


def returning(**result: Any) -> Act:
    return lambda _task: result


def raising(error: BaseException, is_writing: bool = False) -> Act:
    """Return work that ends with an error, after a write or not."""

    def act(task: Task) -> dict[str, Any]:
        task.client.has_written = is_writing
        raise error

    return act


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _level in range(levels):
        value = [value]
    return value


OF = {"volumes": [], "console": URL}
FAILED = {**OF, "changed": False, "failed": True}
RESULTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "changed": ({"act": returning(changed=True, msg="done")}, {**OF, "changed": True, "msg": "done"}),
    "would change": (
        {"act": returning(changed=True, msg="done"), "check": True},
        {**OF, "changed": True, "msg": "done (check mode: nothing was written)"},
    ),
    "would change nothing": (
        {"act": returning(changed=False, msg="done"), "check": True},
        {**OF, "changed": False, "msg": "done"},
    ),
    "read": ({"act": returning(volumes=[1]), "check": True}, {**OF, "volumes": [1]}),
    "failed": ({"act": raising(ConsoleError("No room."))}, {**FAILED, "msg": "No room."}),
    "failed after a change": (
        {"act": raising(ConsoleError("No room.", changed=True, volumes=[1]))},
        {**FAILED, "changed": True, "volumes": [1], "msg": "No room."},
    ),
    "a request that failed": (
        {"act": raising(ConsoleError("No room.", failure={"status": 500}))},
        {**FAILED, "failure": {"status": 500}, "msg": f"No room. Console: {URL}"},
    ),
    "a password in an address": (
        {"act": raising(ConsoleError("No https://me:hunter2@h."))},
        {**FAILED, "msg": f"No https://{MASK}@h."},
    ),
    "options that are wrong": (
        {"act": returning(changed=True), "ca_path": "-----BEGIN CERTIFICATE-----\n"},
        {
            "volumes": [],
            "changed": False,
            "failed": True,
            "msg": "ca_path must be the path of a file, not its content.",
        },
    ),
    "options that are too deep": (
        {"act": returning(changed=True), "names": nested(200)},
        {**FAILED, "msg": "names is nested too deeply, beyond 100 levels."},
    ),
    "a result that is too deep": (
        {"act": returning(changed=True, errors=nested(100_000))},
        {
            "changed": True,
            "failed": True,
            "msg": "The result is too large to be shown (RecursionError). Check console_url.",
        },
    ),
    "unprintable text": (
        {
            "act": returning(
                msg="\u202ea",
                errors=[{"msg": "\u202eb"}],
                doubts=[{"msg": "\u202ec"}],
                diff={"before": "\u202ed", "before_header": "\u202ee"},
                volumes=["\u202ef"],
            )
        },
        {
            **OF,
            "msg": "\\u202ea",
            "errors": [{"msg": "\\u202eb"}],
            "doubts": [{"msg": "\\u202ec"}],
            "diff": {"before": "\u202ed", "before_header": "\\u202ee"},
            "volumes": ["\u202ef"],
        },
    ),
}


@pytest.mark.parametrize(("given", "expected"), RESULTS.values(), ids=RESULTS)
def test_the_result(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert perform(**given) == expected


def test_nothing_is_done_on_a_console_that_the_task_is_not_for() -> None:
    result = perform(returning(done=True), consoles=["https://other.example.com"])
    assert result.pop("msg").startswith("Nothing was read or changed: this is for https://other.example.com, and ")
    assert result == FAILED


WARNINGS: dict[str, tuple[dict[str, Any], str]] = {
    "a line feed": ({"secret_key": f"{KEY}\n"}, "secret_key begins or ends with white space, perhaps the line feed"),
    "quotation marks": ({"access_key": "'me'"}, "access_key is in quotation marks, which are taken as part of it."),
    "http": (
        {"console_url": "http://console.example.com"},
        "console_url uses http: tokens and all other data can be read in transit. Use https.",
    ),
    "no verification": ({"validate_certs": False}, "validate_certs is false: whoever answers is taken for the console"),
}


@pytest.mark.parametrize(("options", "beginning"), WARNINGS.values(), ids=WARNINGS)
def test_a_warning_is_in_the_result_of_a_task_that_ended_and_of_one_that_failed(
    options: dict[str, Any], beginning: str
) -> None:
    ended = perform(returning(changed=False), **options)
    failed = perform(raising(ConsoleError("No room.")), **options)
    assert ended["warnings"] == failed["warnings"]
    (warning,) = ended["warnings"]
    assert warning.startswith(beginning)


def test_a_proxy_that_can_read_everything_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (plain,) = perform(returning(), console_url="http://console.example.com")["warnings"]
    assert plain.endswith(" Use https.")
    monkeypatch.setenv("http_proxy", "http://me:hunter2@proxy.example.com:3128")
    (warning,) = perform(returning(), console_url="http://console.example.com")["warnings"]
    assert warning.startswith(
        f"{plain} Requests go through the proxy proxy.example.com:3128 of the environment, which can read them, too."
    )
    assert warning.endswith(", which can read them, too.")
    assert "hunter2" not in warning


@pytest.mark.parametrize(
    ("key", "is_hidden"),
    [("8-chars!", True), ("7 chars", False), ("7 chars\n", False)],
    ids=["8", "7", "7 and a line feed"],
)
def test_a_key_that_is_too_short_to_be_masked_is_warned_of(hidden: set[str], key: str, is_hidden: bool) -> None:
    result = perform(returning(), secret_key=key)
    assert hidden == ({key} if is_hidden else set())
    shortness = [
        text for text in result.get("warnings", []) if text.startswith("secret_key has fewer than 8 characters")
    ]
    assert bool(shortness) is not is_hidden


def test_a_short_key_is_warned_of_only_where_ansible_masks_it_everywhere() -> None:
    has_masking = importlib.util.find_spec("ansible.module_utils.secrets") is not None
    assert ("warnings" in perform(returning(), secret_key="short")) is has_masking


@pytest.mark.parametrize("includes_tokens", [False, True])
def test_ansible_masks_the_tokens_that_a_result_shows(hidden: set[str], includes_tokens: bool) -> None:
    record = {"id": 1, "desc": "web", "token": "token-of-web", "iprange": "*"}
    result = perform(lambda task: {"export": show(task, EXPORT, record)}, include_tokens=includes_tokens)
    assert result["export"]["token"] == ("token-of-web" if includes_tokens else MASK)
    assert hidden == {KEY, *(["token-of-web"] if includes_tokens else [])}


def test_ansible_is_told_of_the_key_before_anything_is_done() -> None:
    secrets: set[str] = set()
    glue.perform(Operation({}, lambda _task: {"known": sorted(secrets)}), Call(CONNECTION, False, False, secrets))
    assert secrets == {KEY}


def test_a_controller_without_requests_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glue, "REQUESTS_IMPORT_ERROR", "no module")
    result = perform(returning(changed=True))
    assert (result["failed"], result["exception"]) == (True, "no module")
    assert "(requests)" in result["msg"]


KEYS = {"in words": KEY, "short": "short", "with other characters": "sekret 'KEY'"}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("is_writing", [False, True], ids=["reading", "writing"])
def test_a_mistake_of_ours_is_a_failure_that_reveals_nothing(key: str, is_writing: bool) -> None:
    result = perform(raising(ValueError(f"no {key}, https://me:hunter2@h"), is_writing), secret_key=key)
    doubt = " Something may have been changed: run the task again." if is_writing else ""
    text = f"ValueError: no {MASK}, https://{MASK}@h" if key == KEY else "ValueError"
    assert (result["msg"], result["changed"]) == (f"{MISTAKE} {text}.{doubt}", is_writing)
    assert "in act" in result["exception"]
    assert [secret for secret in (key, "hunter2") if secret in json.dumps(result)] == []


def test_a_mistake_before_the_task_began_is_a_failure() -> None:
    result = glue.perform(Operation({}, returning()), Call({}, False, False, set()))
    assert (result["failed"], result["changed"], result["msg"]) == (True, False, f"{MISTAKE} KeyError.")


@pytest.mark.parametrize(
    ("accepted", "warnings"),
    [
        (None, []),
        (0, ["had accepted 0 writes by then."]),
        (1, ["had accepted 1 write by then."]),
        (1200, ["had accepted 1,200 writes by then."]),
    ],
)
def test_an_interruption_passes_and_is_warned_of_if_there_were_writes(
    accepted: int | None, warnings: list[str]
) -> None:
    def act(task: Task) -> dict[str, Any]:
        task.client.has_written, task.client.accepted = accepted is not None, accepted or 0
        raise KeyboardInterrupt

    warned: list[str] = []
    for warn_now in (warned.append, None):
        with pytest.raises(KeyboardInterrupt):
            glue.perform(Operation({}, act), Call(CONNECTION, False, False, set(), warn_now))
    beginning = f"The task was interrupted. The console at {URL} "
    assert [text.removeprefix(beginning).partition(" What was")[0] for text in warned] == warnings


def test_so_does_one_before_the_task_began() -> None:
    class Interrupted(dict[str, Any]):
        def __getitem__(self, name: str) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        glue.perform(Operation({}, returning()), Call(Interrupted(), False, False, set(), print))


REPEATED: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "short": ({"name": "v", "names": ["a"], "size": 1}, {"name": "v", "names": ["a"], "size": 1}),
    "items": ({"name": "v", "items": [{"path": "/a"}]}, {"name": "v"}),
    "a secret": ({"secret_key": KEY, "body": {"token": "a"}}, {"secret_key": MASK, "body": {"token": MASK}}),
    "long": (
        {"names": ["a" * 100] * 1000, "name": "a" * 100_000, "body": {"a": "a" * 100_000}},
        dict.fromkeys(("names", "name", "body"), "(too long to be shown)"),
    ),
    "deep": ({"body": nested(200)}, {"body": "(nested too deeply)"}),
}


@pytest.mark.parametrize(("options", "shown"), REPEATED.values(), ids=REPEATED)
def test_the_options_that_a_result_repeats(options: dict[str, Any], shown: dict[str, Any]) -> None:
    result = glue.perform(Operation(OPTIONS, returning()), Call(options, False, False, set()))
    assert result["invocation"] == {"module_args": shown}
