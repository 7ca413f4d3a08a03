# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""One signed request of the user's own making, for what no other module covers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlencode

from .errors import ConsoleError, RequestError
from .http.client import SUCCESS
from .http.pages import parse_json
from .http.settings import API_PATH
from .http.transport import Answer
from .masking import mask, mask_text, scrub
from .module import Task, TaskFailed


def call_api(task: Task) -> dict[str, Any]:
    """Make the request that the options describe and give the task's result; in check mode only a GET."""
    params = task.params
    method, body = params["method"], params["body"]
    path = task.client.url_path(_read_path(params["path"]))
    query = _read_query(params["query"] or {})
    _check_body(method, body)
    changed = method != "GET"
    if changed and task.check_mode:
        return {"changed": True, "skipped": True, "msg": f"{method} is not sent in check mode."}
    try:
        answer = task.client.request(method, path, query, body, accept=params["status_code"] or SUCCESS)
    except RequestError as error:
        if error.status in SUCCESS and error.status not in (params["status_code"] or SUCCESS):
            told = f"{method} {path}: HTTP {error.status} is not one of status_code."
            raise TaskFailed(ConsoleError(told, error.failure), {"changed": changed}) from None
        if not (changed and error.maybe_applied):
            raise TaskFailed(error, {"changed": False}) from None
        told_so = error.adding("The request may have been carried out all the same.")
        raise TaskFailed(told_so, {"changed": True}) from None
    if answer.cut:
        raise TaskFailed(RequestError(method, path, "the answer broke off", answer.status), {"changed": changed})
    return {"changed": changed, "status": answer.status, **_content(answer, params["include_tokens"])}


def _content(answer: Answer, include_tokens: bool) -> dict[str, Any]:
    """The body under `json`, or under `content` where it is not JSON; secrets masked unless wanted."""
    try:
        found = parse_json("", answer)
        return {"json": found if include_tokens else scrub(mask(found), answer.secrets)}
    except RequestError:
        text = answer.content.decode("utf-8", "replace")
        return {"content": text if include_tokens else scrub(mask_text(text), answer.secrets)}


def _read_path(text: str) -> str:
    """The path below the API's address; ConsoleError for one that could lead anywhere else."""
    path = text.strip().removeprefix("/")
    parts = unquote(path).replace("\\", "/").split("/")
    problem = ""
    if not path:
        problem = "is empty"
    elif re.search(r"[?#\x00-\x1f\x7f]", path):
        problem = "holds ?, # or a control character; a query belongs into query"
    elif "://" in path or f"/{path}/".startswith(f"{API_PATH}/"):
        problem = f"is not relative to {API_PATH}, which is added to it"
    elif any(part in (".", "..") for part in parts) or "//" in path or text.strip().startswith("//"):
        problem = "has an empty part, or one that is a dot or two"
    if problem:
        raise ConsoleError(f"path must be one below {API_PATH}, as volumes/7/trash; this one {problem}.")
    return path


def _read_query(query: Mapping[str, Any]) -> str:
    """The query string; a name with a list of values occurs once for each."""
    pairs = []
    for name, values in query.items():
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, (dict, list)):
                raise ConsoleError(f"query must hold texts, numbers, booleans or lists of them, which {name} is not.")
            pairs.append((name, _query_text(value)))
    try:
        return urlencode(pairs)
    except UnicodeEncodeError:
        raise ConsoleError("query holds text that is no Unicode.") from None


def _query_text(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _check_body(method: str, body: Any) -> None:
    if body is not None and not isinstance(body, (dict, list)):
        raise ConsoleError("body must be a dictionary or a list; it is sent as JSON.")
    if body is not None and method == "GET":
        raise ConsoleError("a GET has no body: leave body out, or put into query what is to be asked for.")
