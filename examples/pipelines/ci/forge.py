# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the pipelines ask of GitHub or GitLab: show a plan at a pull request, and find it again after the merge.

`forge.py comment FILE` writes the comment, or renews it. `forge.py seen FILE` fetches the plan of the pull request that
the commit was merged from. It is the one that our own pipeline kept for the last commit of that pull request: anybody may
write a comment, and a branch from elsewhere may keep anything.
"""

from __future__ import annotations

import io
import json
import os
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MARK = "<!-- managedfs: "
ENV = os.environ


def main(action: str, file: str) -> None:
    """Do what the command line says."""
    forge = GitHub() if "GITHUB_API_URL" in ENV else GitLab()
    if action == "comment":
        forge.comment(Path(file).read_text(encoding="utf-8"))
    else:
        Path(file).write_bytes(forge.seen())


class GitHub:
    """The repository of a workflow of GitHub Actions."""

    def __init__(self) -> None:
        self.api = Api(f"{ENV['GITHUB_API_URL']}/repos/{ENV['GITHUB_REPOSITORY']}", ENV["GITHUB_TOKEN"])

    def comment(self, text: str) -> None:
        """Write or renew the comment on the pull request, whose reference is NUMBER/merge."""
        path = f"/issues/{ENV['GITHUB_REF_NAME'].split('/')[0]}/comments"
        ours = (each for each in self.api.get_all(path) if each["user"]["login"] == "github-actions[bot]")
        self.api.renew(ours, text, path, "PATCH", "/issues/comments")

    def seen(self) -> bytes:
        """Return the plan that was kept of the pull request's head."""
        commit, branch = ENV["GITHUB_SHA"], ENV["GITHUB_REF_NAME"]
        check_latest(commit, self.api.get(f"/commits/{branch}")["sha"], branch)
        pulls = self.api.get(f"/commits/{commit}/pulls")
        merged = first(each for each in pulls if each["merged_at"] and each["merge_commit_sha"] == commit)
        head = (merged or stop(f"{commit} is not the merge of a pull request"))["head"]["sha"]
        kept = self.api.get(f"/actions/artifacts?per_page=100&name=plan-{head}")["artifacts"]
        runs = [(each["id"], each["workflow_run"]) for each in kept if not each["expired"]]
        own = [
            number
            for number, run in runs
            if run["head_sha"] == head and run["head_repository_id"] == run["repository_id"]
        ]
        newest = max(own, default=None) or stop(f"no plan was kept of {head}, the head of the pull request")
        with zipfile.ZipFile(io.BytesIO(self.api.call("GET", f"/actions/artifacts/{newest}/zip"))) as archive:
            return archive.read("plan.md")


class GitLab:
    """The project of a pipeline of GitLab."""

    def __init__(self) -> None:
        self.api = Api(f"{ENV['CI_API_V4_URL']}/projects/{ENV['CI_PROJECT_ID']}", ENV["GITLAB_TOKEN"])

    def comment(self, text: str) -> None:
        """Write or renew the note on the merge request."""
        path = f"/merge_requests/{ENV['CI_MERGE_REQUEST_IID']}/notes"
        we = Api(ENV["CI_API_V4_URL"], ENV["GITLAB_TOKEN"]).get("/user")["id"]
        ours = (each for each in self.api.get_all(path) if each["author"]["id"] == we)
        self.api.renew(ours, text, path, "PUT", path)

    def seen(self) -> bytes:
        """Return the plan that was kept of the merge request's head."""
        commit, branch = ENV["CI_COMMIT_SHA"], ENV["CI_COMMIT_BRANCH"]
        check_latest(commit, self.api.get(f"/repository/commits/{branch}")["id"], branch)
        found = self.api.get(f"/repository/commits/{commit}/merge_requests")
        names = ("merge_commit_sha", "squash_commit_sha", "sha")
        merged = first(each for each in found if each["state"] == "merged" and commit in map(each.get, names))
        request = merged or stop(f"{commit} is not the merge of a merge request")
        pipelines = self.api.get(f"/merge_requests/{request['iid']}/pipelines")
        heads = [
            each for each in pipelines if each["sha"] == request["sha"] and each["source"] == "merge_request_event"
        ]
        own = [each["id"] for each in heads if str(each["project_id"]) == ENV["CI_PROJECT_ID"]]
        jobs = self.api.get(f"/pipelines/{max(own)}/jobs?per_page=100") if own else []
        newest = max((each["id"] for each in jobs if each["name"] == "plan"), default=None)
        newest = newest or stop(f"no plan was kept of {request['sha']}, the head of the merge request")
        return self.api.call("GET", f"/jobs/{newest}/artifacts/plan.md")


class Api:
    """An API in JSON."""

    def __init__(self, url: str, token: str) -> None:
        self.url, self.token = url, token

    def get(self, path: str) -> Any:
        """Return what an address holds."""
        return json.loads(self.call("GET", path))

    def get_all(self, path: str) -> Iterable[Any]:
        """Yield the entries of all pages of a list."""
        for page in range(1, 101):
            entries = self.get(f"{path}?per_page=100&page={page}")
            yield from entries
            if len(entries) < 100:
                return

    def renew(self, ours: Iterable[Any], text: str, path: str, method: str, entries: str) -> None:
        """Write a comment to the list at a path, or to the entry of ours that has the mark."""
        found = first(each for each in ours if each["body"].startswith(MARK))
        if found:
            self.call(method, f"{entries}/{found['id']}", {"body": text})
        else:
            self.call("POST", path, {"body": text})

    def call(self, method: str, path: str, content: Any = None) -> bytes:
        """Send a request and return the body of the response."""
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        # Not for the storage that an artifact is fetched from.
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return bytes(response.read())
        except OSError as error:
            sys.exit(f"{method} {path}: {error}")


def check_latest(commit: str, latest: str, branch: str) -> None:
    """Stop where something else has been merged since: that has a plan of its own, which includes this one."""
    if commit != latest:
        stop(f"{branch} is at {latest} by now, and this run is about {commit}")


def first(found: Iterable[Any]) -> Any:
    """Return the first of these, or None."""
    return next(iter(found), None)


def stop(message: str) -> Any:
    """End with a message."""
    sys.exit(message)


if __name__ == "__main__":
    main(*sys.argv[1:])
