# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A client of AWX's REST API, and the jobs that it stores."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import requests

ENDED = ("successful", "failed", "error", "canceled")
PATIENCE = 600


class RefusedError(Exception):
    """AWX answered with a status of 400 or above."""


@dataclass(frozen=True)
class Job:
    """A job that has ended, with everything that AWX keeps of it."""

    record: dict[str, Any]
    output: str
    events: list[dict[str, Any]]

    @property
    def status(self) -> str:
        return str(self.record["status"])

    @property
    def stored(self) -> str:
        """Return everything as text: the record with environment and variables, the output, and the events."""
        return json.dumps([self.record, self.events]) + self.output


class Awx:
    """The REST API of an AWX."""

    def __init__(self, url: str, name: str, password: str) -> None:
        self.url = url.rstrip("/")
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.auth = (name, password)

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the decoded response; RefusedError with AWX's words."""
        url = self.url + path if path.startswith("/") else f"{self.url}/api/v2/{path}"
        response = self._session.request(method, url, json=body, timeout=120)
        if response.status_code >= 400:
            raise RefusedError(response.text)
        is_json = response.content and "json" in response.headers.get("Content-Type", "")
        return response.json() if is_json else response.text

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, body: dict[str, Any] | None = None) -> Any:
        return self.call("POST", path, body or {})

    def named(self, kind: str, name: str) -> dict[str, Any]:
        results = self._session.get(f"{self.url}/api/v2/{kind}/", params={"name": name}, timeout=120).json()["results"]
        assert len(results) == 1, f"{len(results)} {kind} have the name {name}"
        return dict(results[0])

    def start(self, template: dict[str, Any], **fields: Any) -> dict[str, Any]:
        """Start a job template or a workflow, and return the record of the run."""
        return dict(self.post(template["related"]["launch"], fields))

    def wait(self, started: dict[str, Any], until: Callable[[dict[str, Any]], bool] | None = None) -> dict[str, Any]:
        """Return the record of a job once `until` holds, or once it has ended and AWX has stored all of it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            record: dict[str, Any] = self.get(started["url"])
            ended = record["status"] in ENDED and record.get("event_processing_finished", True)
            if ended or (until is not None and until(record)):
                return record
            time.sleep(0.5)
        raise TimeoutError(f"{started['url']} did not get there within {PATIENCE} seconds")

    def wait_for_question(self, run: dict[str, Any]) -> dict[str, Any]:
        """Return the record of a workflow run once it waits for its approval, or has ended."""
        return self.wait(run, lambda _: self.nodes(run).get("approve", {}).get("status") == "pending")

    def ended(self, started: dict[str, Any]) -> Job:
        record = self.wait(started)
        output = self.get(record["related"]["stdout"] + "?format=txt")
        events: list[dict[str, Any]] = []
        following = record["related"]["job_events"] + "?page_size=200"
        while following:
            page = self.get(following)
            events, following = events + page["results"], page["next"]
        return Job(record, str(output), events)

    def nodes(self, workflow_job: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the jobs and approvals that a workflow run has started so far, by node identifier."""
        nodes = self.get(workflow_job["related"]["workflow_nodes"])["results"]
        jobs = {node["identifier"]: node["summary_fields"].get("job") for node in nodes}
        kinds = {kind: f"{kind}s" for kind in ("workflow_approval", "job")}
        return {name: {"url": f"/api/v2/{kinds[job['type']]}/{job['id']}/"} | job for name, job in jobs.items() if job}

    def steps(self, workflow_job: dict[str, Any]) -> dict[str, str]:
        """Return the status of each step that a workflow run has taken."""
        return {name: self.get(step["url"])["status"] for name, step in self.nodes(workflow_job).items()}

    def decide(self, workflow_job: dict[str, Any], decision: str) -> str:
        """Approve or deny a run that waits, and return its final status."""
        self.post(f"{self.nodes(workflow_job)['approve']['url']}{decision}/")
        return str(self.wait(workflow_job)["status"])
