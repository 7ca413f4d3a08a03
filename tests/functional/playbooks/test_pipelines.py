# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The example of pipelines: what they run at each event, against a console and a small GitHub or GitLab."""

from __future__ import annotations

import io
import json
import re
import shutil
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml

from emulator import Emulator
from functional.support.outofprocess import finish_command
from harness.places import CHECKOUT

EXAMPLE = CHECKOUT / "examples" / "pipelines"
HEAD, SQUASHED = "a" * 40, "b" * 40
GIB = 2**30
BOT = "github-actions[bot]"
FAILED, DIFFERS = 2, 3


class Forge:
    """Comments and kept plans of one pull request, which may be merged, as the APIs of GitHub and GitLab show them."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.comments: list[dict[str, Any]] = []
        self.plans: list[dict[str, Any]] = []
        self.head, self.merged, self.latest = HEAD, "", SQUASHED
        # What GitLab calls the commit that a merge made.
        self.merge = "squash_commit_sha"

    def comment(self, author: str, text: str) -> None:
        user = {"login": author, "id": author}
        self.comments.append({"id": len(self.comments), "user": user, "author": user, "body": text})

    def keep(self, content: bytes, head: str = HEAD, *, fork: bool = False) -> None:
        """Keep a plan, as the pipeline of a branch does after its script."""
        self.plans.append({"head": head, "fork": fork, "content": content})

    def answer(self, method: str, path: str, content: Any) -> Any:
        """Return the response to a request: an object, bytes, or the address to go on at."""
        path, _mark, query = path.partition("?")
        if re.fullmatch(r"/\w+/(?:o/r|7)/(?:issues|merge_requests)/5/(?:comments|notes)", path):
            if method == "GET":
                page = int(re.findall(r"&page=(\d+)", query)[0])
                return self.comments[100 * page - 100 : 100 * page]
            return self.comment(BOT, content["body"])
        if match := re.fullmatch(r"/repos/o/r/issues/comments/(\d+)|/projects/7/merge_requests/5/notes/(\d+)", path):
            assert method == {"github": "PATCH", "gitlab": "PUT"}[self.kind]
            return self.comments[int(match.group(1) or match.group(2))].update(content)
        return self.show(path, query)

    def show(self, path: str, query: str) -> Any:
        return (self.show_github if self.kind == "github" else self.show_gitlab)(path, query)

    def show_github(self, path: str, query: str) -> Any:
        if match := re.fullmatch(r"/repos/o/r/actions/artifacts/(\d+)/zip", path):
            return f"/storage/{match.group(1)}"
        merged = {"merged_at": "today", "merge_commit_sha": self.merged, "head": {"sha": self.head}}
        kept = []
        for number, plan in enumerate(self.plans, 1):
            owner = 8 if plan["fork"] else 7
            run = {"head_sha": plan["head"], "head_repository_id": owner, "repository_id": 7}
            if query.endswith(f"name=plan-{plan['head']}"):
                kept.append({"id": number, "expired": False, "workflow_run": run})
        shown: dict[str, Any] = {
            "/repos/o/r/commits/main": {"sha": self.latest},
            f"/repos/o/r/commits/{SQUASHED}/pulls": [merged] if self.merged else [],
            "/repos/o/r/actions/artifacts": {"artifacts": kept},
        }
        return shown[path]

    def show_gitlab(self, path: str, _query: str) -> Any:
        request: dict[str, Any] = {"state": "merged", "sha": self.head, "iid": 5, self.merge: self.merged}
        pipelines: list[dict[str, Any]] = []
        shown: dict[str, Any] = {
            "/user": {"id": BOT},
            "/projects/7/repository/commits/main": {"id": self.latest},
            f"/projects/7/repository/commits/{SQUASHED}/merge_requests": [request] if self.merged else [],
            "/projects/7/merge_requests/5/pipelines": pipelines,
        }
        for number, plan in enumerate(self.plans, 1):
            owner = 8 if plan["fork"] else 7
            event = {"sha": plan["head"], "source": "merge_request_event", "project_id": owner}
            pipelines.append({"id": number, **event})
            jobs = [{"id": number, "name": "plan"}, {"id": 99, "name": "other"}]
            shown[f"/projects/7/pipelines/{number}/jobs"] = jobs
            shown[f"/projects/7/jobs/{number}/artifacts/plan.md"] = plan["content"]
        return shown[path]

    def stored(self, path: str) -> bytes:
        """Return the artifact that is stored at an address, as GitHub packs it."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("plan.md", self.plans[int(path.rpartition("/")[2]) - 1]["content"])
        return packed.getvalue()


class Handler(BaseHTTPRequestHandler):
    """Answers as a forge does."""

    forge: Forge

    def respond(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        content = json.loads(self.rfile.read(length) or "null")
        # The storage refuses a token that is not its own.
        is_storage = self.path.startswith("/storage/")
        if self.headers.get("Authorization") != (None if is_storage else "Bearer token"):
            return self.send_error(401)
        answer = self.forge.stored(self.path) if is_storage else self.forge.answer(self.command, self.path, content)
        self.send_response(302 if isinstance(answer, str) else 200)
        if isinstance(answer, str):
            self.send_header("Location", answer)
        self.end_headers()
        self.wfile.write(answer if isinstance(answer, bytes) else json.dumps(answer).encode())
        return None

    do_GET = do_POST = do_PATCH = do_PUT = respond  # noqa: N815

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture(params=["github", "gitlab"])
def forge(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forge]:
    """Yield a forge that the environment names, as it does in a job."""
    forge = Forge(request.param)
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"forge": forge})) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        github = {"API_URL": url, "REPOSITORY": "o/r", "TOKEN": "token", "SHA": SQUASHED}
        gitlab = {"API_V4_URL": url, "PROJECT_ID": "7", "MERGE_REQUEST_IID": "5", "COMMIT_SHA": SQUASHED}
        gitlab["COMMIT_BRANCH"] = "main"
        monkeypatch.delenv("GITHUB_API_URL", raising=False)
        names = {f"GITHUB_{name}": value for name, value in github.items() if forge.kind == "github"}
        names |= {f"CI_{name}": value for name, value in gitlab.items() if forge.kind == "gitlab"}
        for name, value in {**names, "GITLAB_TOKEN": "token"}.items():
            monkeypatch.setenv(name, value)
        yield forge
        server.shutdown()


class Repository:
    """A checkout with the files of the example, and a console that they are for."""

    def __init__(self, folder: Path, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.emulator, self.monkeypatch = folder, emulator, monkeypatch
        shutil.copytree(EXAMPLE / "ci", folder / "ci")
        (folder / "desired").mkdir()
        self.have(GIB)

    def have(self, size: int) -> None:
        """Make a console on which the limit is so large."""
        self.emulator.reset()
        self.volume = self.emulator.add_volume(name="projects")
        self.emulator.add_quota(self.volume, path="/a", size=size)

    def want(self, size: str) -> None:
        text = f"name: projects\nquotas:\n  - {{path: /a, size: {size}}}\n"
        (self.folder / "desired" / "projects.yml").write_text(text, encoding="utf-8")

    def run(self, event: str, emulator: Emulator | None = None) -> tuple[int, str]:
        self.monkeypatch.setenv("GITHUB_REF_NAME", "5/merge" if event == "plan" else "main")
        done = finish_command(emulator or self.emulator, self.folder, "/bin/sh", "ci/console.sh", event)
        print(done[1])
        return done

    def plan(self, forge: Forge) -> int:
        """Make a plan, and keep it as both pipelines do."""
        code = self.run("plan")[0]
        forge.keep((self.folder / "plan.md").read_bytes())
        return code

    @property
    def size(self) -> Any:
        return self.emulator.quotas(self.volume)[0]["size"]


@pytest.fixture
def repository(tmp_path: Path, emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> Repository:
    return Repository(tmp_path, emulator, monkeypatch)


def nowhere(**options: str) -> Emulator:
    """Return a console that does not respond, or for which there are no keys."""
    given = {"url": "http://127.0.0.1:9", "access_key": "a", "secret_key": "s" * 8, **options}
    return cast("Emulator", SimpleNamespace(**given))


def test_a_push_tells_valid_files_from_others_without_keys(repository: Repository) -> None:
    repository.want("2GiB")
    assert repository.run("validate", nowhere(url="", access_key="", secret_key=""))[0] == 0
    repository.want("2 gigs")
    code, output = repository.run("validate", nowhere(url="", access_key="", secret_key=""))
    assert (code, "2 gigs" in output) == (FAILED, True)


def test_a_plan_is_one_comment_that_is_renewed(repository: Repository, forge: Forge) -> None:
    forge.comment("mallory", "<!-- managedfs: same nothing -->\nMine")
    for number in range(120):
        forge.comment("mallory", f"Comment {number}")
    repository.want("1GiB")
    assert repository.plan(forge) == 0
    assert forge.comments[-1]["body"].startswith("<!-- managedfs: same nothing -->")
    repository.want("2GiB")
    assert repository.plan(forge) == 0
    assert re.match("<!-- managedfs: differs v2-[0-9a-f]+ -->", forge.comments[-1]["body"])
    assert "size 1GiB → 2GiB" in forge.comments[-1]["body"]
    repository.want("2 gigs")
    assert repository.plan(forge) == FAILED
    assert forge.comments[-1]["body"].startswith("<!-- managedfs: failed")
    assert (len(forge.comments), forge.comments[0]["body"][-4:]) == (122, "Mine")
    assert repository.emulator.writes == []


def test_a_merge_applies_what_was_seen_and_nothing_else(repository: Repository, forge: Forge) -> None:
    repository.want("2GiB")
    forge.keep(b"<!-- managedfs: failed -->\n")
    assert repository.plan(forge) == 0
    # None of these is ours.
    forge.keep(b"<!-- managedfs: same nothing -->\n", fork=True)
    forge.keep(b"<!-- managedfs: same nothing -->\n", head="c" * 40)
    forge.merged = SQUASHED
    assert repository.run("apply")[0] == 0
    assert repository.size == 2 * GIB
    # Run again, there is nothing to do.
    assert repository.run("apply")[0] == 0
    assert len(repository.emulator.writes) == 1


@pytest.mark.parametrize("forge", ["gitlab"], indirect=True)
@pytest.mark.parametrize(("merge", "head"), [("merge_commit_sha", HEAD), ("sha", SQUASHED)])
def test_a_merge_applies_without_squashing_too(repository: Repository, forge: Forge, merge: str, head: str) -> None:
    repository.want("2GiB")
    assert repository.run("plan")[0] == 0
    forge.keep((repository.folder / "plan.md").read_bytes(), head)
    forge.merge, forge.head, forge.merged = merge, head, SQUASHED
    assert (repository.run("apply")[0], repository.size) == (0, 2 * GIB)


def test_a_merge_stops_where_somebody_has_changed_the_console_since(repository: Repository, forge: Forge) -> None:
    repository.want("2GiB")
    repository.plan(forge)
    forge.merged = SQUASHED
    repository.have(3 * GIB)
    code, output = repository.run("apply")
    assert (code, "this is not the plan that was approved" in output) == (FAILED, True)
    assert (repository.size, repository.emulator.writes) == (3 * GIB, [])


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ({"merged": ""}, "is not the merge of a"),
        ({"head": "c" * 40}, "no plan was kept of cccc"),
        ({"latest": "d" * 40}, "main is at dddd"),
        ({"plans": []}, "no plan was kept of aaaa"),
        (
            {"plans": [{"head": HEAD, "fork": True, "content": b"<!-- managedfs: same nothing -->\n"}]},
            "no plan was kept",
        ),
        ({"plans": [{"head": HEAD, "fork": False, "content": b"<!-- managedfs: failed 12 -->\n"}]}, "had failed"),
        ({"plans": [{"head": HEAD, "fork": False, "content": b"<!-- managedfs: same {{ 1 }} -->\n"}]}, "had failed"),
        ({"plans": [{"head": HEAD, "fork": False, "content": b"<!-- managedfs: differs -->\n"}]}, "had failed"),
    ],
)
def test_a_merge_without_a_plan_that_was_seen_stops(
    repository: Repository, forge: Forge, what: dict[str, Any], message: str
) -> None:
    repository.want("2GiB")
    forge.merged = SQUASHED
    forge.keep(b"<!-- managedfs: differs 12ab -->\n")
    for name, value in what.items():
        setattr(forge, name, value)
    code, output = repository.run("apply")
    assert (code, message in output, repository.emulator.writes) == (FAILED, True, [])


def test_drift_tells_a_difference_from_a_failure(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.want("1GiB")
    assert repository.run("drift")[0] == 0
    repository.emulator.add_export(repository.volume, desc="byhand", iprange="*")
    repository.want("2GiB")
    assert repository.run("drift")[0] == DIFFERS
    monkeypatch.setenv("MANAGEDFS_RETRIES", "0")
    code, output = repository.run("drift", nowhere())
    assert (code, "could not be compared" in output) == (FAILED, True)
    variables = repository.folder / "ci" / "variables.yml"
    variables.write_text("report_source:\n", encoding="utf-8")
    code, output = repository.run("drift")
    assert (code, "report_fail_on_drift needs a desired state" in output) == (FAILED, True)


@pytest.mark.parametrize("event", ["plan", "apply", "drift"])
def test_what_needs_keys_says_so(repository: Repository, event: str) -> None:
    code, output = repository.run(event, nowhere(secret_key=""))
    assert (code, output.count("MANAGEDFS_SECRET_KEY is not set"), len(output.splitlines())) == (FAILED, 1, 1)


@pytest.mark.parametrize("event", ["plan", "apply"])
def test_what_needs_a_forge_says_so(repository: Repository, monkeypatch: pytest.MonkeyPatch, event: str) -> None:
    for name in ("GITHUB_TOKEN", "GITLAB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    code, output = repository.run(event)
    assert (code, "By hand, see the guide 'A console becomes code'." in output, len(output.splitlines())) == (
        FAILED,
        True,
        1,
    )


def test_only_jobs_of_this_repository_have_keys() -> None:
    github = yaml.safe_load((EXAMPLE / "github.yml").read_text(encoding="utf-8"))["jobs"]
    gitlab = yaml.safe_load((EXAMPLE / "gitlab.yml").read_text(encoding="utf-8"))
    used = [step["uses"] for job in github.values() for step in job["steps"] if "uses" in step]
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", name)] == []
    for event in ("validate", "plan", "apply", "drift"):
        command = f"sh ci/console.sh {event}"
        (step,) = [step for step in github[event]["steps"] if step.get("run") == command]
        needs_keys = event != "validate"
        assert ("MANAGEDFS_SECRET_KEY" in str(step), "environment" in github[event]) == (needs_keys, needs_keys)
        assert ("environment" in gitlab[event], gitlab[event]["script"]) == (needs_keys, command)
        # Nobody has reviewed what a plan is made of.
        assert ("console-plan" in str(github[event]), "console-plan" in str(gitlab[event])) == (event == "plan",) * 2
    assert "head.repo.full_name == github.repository" in github["plan"]["if"]
    assert "SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID" in gitlab["plan"]["rules"][0]["if"]
