# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The task of the module that makes any one signed request."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlencode

from ..connection import API_PATH
from ..errors import ConsoleError, RequestError
from ..http.policy import SUCCESS
from ..http.transport import Response
from ..model.resources import VOLUME
from ..options import TOKEN_OPTIONS
from ..task import Operation, Task, hide
from ..values import NOT_SHOWN, mask, may_hide_secret, secrets_in, secrets_in_text

_OPTIONS = {
    "method": {"type": "str", "choices": ["GET", "POST", "PUT", "PATCH", "DELETE"], "default": "GET"},
    "path": {"type": "str", "required": True},
    "query": {"type": "dict", "default": {}},
    "body": {"type": "raw"},
    "status_code": {"type": "list", "elements": "int", "default": []},
    **TOKEN_OPTIONS,
}


def _make(task: Task) -> dict[str, Any]:
    """Make the request that the options describe, and return the task's result; in check mode only a GET."""
    params = task.params
    method, body, accept = params["method"], params["body"], params["status_code"] or SUCCESS
    path = task.client.url_path(_read_path(params["path"]))
    query = _read_query(params["query"] or {})
    if body is not None and not isinstance(body, (dict, list)):
        raise ConsoleError("body must be a dictionary or a list; it is sent as JSON.")
    if body is not None and method == "GET":
        raise ConsoleError("a GET has no body: leave body out, or use query instead.")
    changed = method != "GET"
    if changed and task.check_mode:
        return {"changed": False, "skipped": True, "msg": f"{method} {path} is not sent in check mode."}
    try:
        is_root = method == "GET" and path == task.client.url_path(VOLUME.path)
        response = task.client.request(method, path, query, body, accept=accept, is_root=is_root)
    except RequestError as error:
        raise _failure(error, changed, accept) from None
    if response.defect:
        incomplete = RequestError(method, path, response.defect, response.status, maybe_applied=True)
        raise _failure(incomplete, changed, accept)
    return {"changed": changed, "status": response.status, **_content(task, response)}


def _failure(error: RequestError, is_write: bool, accept: Any) -> ConsoleError:
    """Return the error with its consequence for `changed`."""
    changed = is_write and error.maybe_applied
    details = {**error.details, "changed": changed}
    if error.status in SUCCESS and error.status not in accept:
        failure = details["failure"]
        request = f"{failure['method']} {failure['path']}"
        return ConsoleError(f"{request}: HTTP {error.status} is not in status_code: add it to accept it.", **details)
    hint = error.followed_by("The request may have been carried out anyway. Check first.") if changed else error
    return ConsoleError(str(hint), **details)


def _content(task: Task, response: Response) -> dict[str, Any]:
    """Return the body under `json`, or under `content` if it is not JSON, with secrets masked unless wanted."""
    try:
        name, value = "json", response.json()
    except ValueError:
        name, value = "content", response.content.decode("utf-8-sig", "replace")
    if task.params["include_tokens"]:
        hide(secrets_in(value) if name == "json" else secrets_in_text(value))
        return {name: value}
    return {name: NOT_SHOWN if name == "content" and may_hide_secret(value) else mask(value)}


def _read_path(text: str) -> str:
    """Return the path below the API's address; ConsoleError if it could lead anywhere else."""
    path = text.strip().removeprefix("/")
    parts = unquote(path).replace("\\", "/").split("/")
    problem = ""
    if not path:
        problem = "is empty"
    elif re.search(r"[?#\x00-\x1f\x7f]", path):
        problem = "contains ?, # or a control character; put query parameters into query"
    elif "://" in path or f"/{path}/".startswith(f"{API_PATH}/"):
        problem = f"is not relative to {API_PATH}, which is added to it"
    elif any(part in (".", "..") for part in parts) or "//" in path or text.strip().startswith("//"):
        problem = "contains an empty segment, . or .."
    if problem:
        raise ConsoleError(f"path must be below {API_PATH}, such as volumes/7/trash; this one {problem}.")
    return path


def _read_query(query: Mapping[str, Any]) -> str:
    """Return the query string; a name with a list of values occurs once for each."""
    pairs = []
    for name, values in query.items():
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, (dict, list)):
                raise ConsoleError(f"query values must be text, numbers, booleans or lists of them; {name} is not.")
            text = json.dumps(value) if isinstance(value, bool) else str(value)
            pairs.append((name, "" if value is None else text))
    try:
        return urlencode(pairs)
    except UnicodeEncodeError:
        raise ConsoleError("query must be valid Unicode.") from None


# The operation of the module that makes one request.
API_REQUEST = Operation(_OPTIONS, _make)
