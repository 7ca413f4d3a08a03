# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role tenant: a quota, an export and a file with its token for one team, or their removal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.plays import Played, run_role

ALICE = {"tenant_name": "alice", "tenant_volume": "projects"}
GIB = 1 << 30


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    """Yield a console, in real time, with an empty volume."""
    with Emulator() as emulator:
        emulator.add_volume(name="projects", bucket="https://projects.example.com", id=7)
        yield emulator


def test_a_tenant_gets_a_quota_an_export_and_a_file_with_its_token(emulator: Emulator, tmp_path: Path) -> None:
    file = tmp_path / "token"
    wanted = {**ALICE, "tenant_size": "10GiB", "tenant_inodes": 0, "tenant_iprange": "10.0.0.0/8"}
    wanted |= {"tenant_readonly": True, "tenant_token_file": str(file)}
    first = run_role(emulator, tmp_path, "tenant", wanted, "--diff", "-vvvvv")
    again = run_role(emulator, tmp_path, "tenant", wanted, "--diff", "-vvvvv")
    (quota,), (export,) = emulator.quotas(7), emulator.exports(7)
    assert (quota["path"], quota["size"], quota["inodes"]) == ("/alice", 10 * GIB, 0)
    assert (export["desc"], export["iprange"], export["readonly"]) == ("alice", "10.0.0.0/8", True)
    assert file.read_text(encoding="utf-8") == export["token"] + "\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert first.count("changed") > 0
    assert again.count("changed") == again.count("failed") == 0
    assert export["token"] not in first.output + again.output
    assert emulator.secret_key not in first.output + again.output
    assert '"size": "10GiB"' in first.output


@pytest.mark.parametrize(
    ("variables", "quotas", "exports"),
    [
        pytest.param({"tenant_size": "1GiB"}, ["/alice"], [], id="a quota alone"),
        pytest.param({"tenant_inodes": 0}, ["/alice"], [], id="no limit is a limit, too"),
        pytest.param({"tenant_iprange": "*"}, [], ["alice"], id="an export alone"),
        pytest.param(
            {"tenant_size": 0, "tenant_path": "/home/a", "tenant_iprange": "*", "tenant_desc": "a team"},
            ["/home/a"],
            ["a team"],
            id="other names",
        ),
        pytest.param({"tenant_size": "1G", "tenant_path": " ", "tenant_desc": ""}, ["/alice"], [], id="blank text"),
    ],
)
def test_a_tenant_gets_what_is_asked_for(
    emulator: Emulator, tmp_path: Path, variables: dict[str, Any], quotas: list[str], exports: list[str]
) -> None:
    run_role(emulator, tmp_path, "tenant", ALICE | variables)
    assert [quota["path"] for quota in emulator.quotas(7)] == quotas
    assert [export["desc"] for export in emulator.exports(7)] == exports


def test_a_tenant_that_goes_leaves_nothing_of_its_own(emulator: Emulator, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.touch()
    for name in ("alice", "bob"):
        emulator.add_quota(7, path=f"/{name}", size=GIB)
        emulator.add_export(7, desc=name, iprange="*")
    gone = ALICE | {"tenant_state": "absent", "tenant_token_file": str(file)}
    predicted = run_role(emulator, tmp_path, "tenant", gone, "--check")
    assert emulator.writes == []
    first, again = (run_role(emulator, tmp_path, "tenant", gone) for _number in range(2))
    assert [predicted.count("changed"), first.count("changed"), again.count("changed")] == [2, 2, 0]
    assert [quota["path"] for quota in emulator.quotas(7)] == ["/bob"]
    assert [export["desc"] for export in emulator.exports(7)] == ["bob"]
    assert not file.exists()


@pytest.mark.parametrize(
    ("variables", "summary"),
    [
        pytest.param(
            {"tenant_size": "1G", "tenant_iprange": "*"}, "export 'alice' created; quota '/alice' created", id="new"
        ),
        pytest.param(
            {"tenant_size": "2G", "tenant_iprange": "*", "tenant_name": "bob"},
            "export 'bob' unchanged; quota '/bob' updated",
            id="another size",
        ),
        pytest.param({"tenant_inodes": 0}, "quota '/alice' created", id="a quota alone"),
        pytest.param({"tenant_state": "absent"}, "export 'alice' not found; quota '/alice' not found", id="nobody"),
        pytest.param(
            {"tenant_state": "absent", "tenant_name": "bob", "tenant_desc": "robert"},
            "export 'robert' not found; quota '/bob' removed",
            id="another description",
        ),
        pytest.param(
            {"tenant_state": "absent", "tenant_name": "bob", "tenant_token_file": "~/token"},
            "export 'bob' removed; quota '/bob' removed; file '~/token' removed",
            id="everything",
        ),
        pytest.param(
            {"tenant_state": "absent", "tenant_volume": "projcts", "tenant_token_file": "~/none"},
            "this volume was not found; file '~/none' not found",
            id="no volume",
        ),
    ],
)
def test_the_summary_says_what_was_done_and_what_was_not_found(
    emulator: Emulator, tmp_path: Path, variables: dict[str, Any], summary: str
) -> None:
    (tmp_path / "token").touch()
    emulator.add_quota(7, path="/bob", size=GIB)
    emulator.add_export(7, desc="bob", iprange="*")
    wanted = ALICE | variables
    predicted, done = (run_role(emulator, tmp_path, "tenant", wanted, *options) for options in (["--check"], []))
    who = f"Tenant {wanted['tenant_name']} on volume {wanted['tenant_volume']}"
    assert f'"msg": "{who}: {summary}."' in done.output
    prediction = re.sub("(created|updated|removed)", r"would be \1", summary)
    assert f'"msg": "{who}: {prediction}."' in predicted.output


def test_a_folder_is_not_removed_as_a_token_file(emulator: Emulator, tmp_path: Path) -> None:
    emulator.add_export(7, desc="alice", iprange="*")
    (tmp_path / "tokens").mkdir()
    (tmp_path / "tokens" / "bob").touch()
    gone = ALICE | {"tenant_state": "absent", "tenant_token_file": "~/tokens"}
    played = run_role(emulator, tmp_path, "tenant", gone)
    assert f"token_file {tmp_path}/tokens is a folder. Name a file in it." in played.output
    assert (tmp_path / "tokens" / "bob").exists()
    assert emulator.writes == []


@pytest.mark.parametrize("state", ["present", "absent"])
def test_a_link_that_was_planted_in_a_shared_folder_is_not_followed(
    emulator: Emulator, tmp_path: Path, state: str
) -> None:
    victim, shared = tmp_path / "victim", tmp_path / "shared"
    victim.write_text("somebody else's", encoding="utf-8")
    shared.mkdir()
    (shared / "token").symlink_to(victim)
    wanted = ALICE | {"tenant_size": "1GiB", "tenant_iprange": "*", "tenant_token_file": str(shared / "token")}
    shared.chmod(0o777)
    refused = run_role(emulator, tmp_path, "tenant", wanted | {"tenant_state": state})
    assert "is not safe: everybody can write to" in refused.output
    assert emulator.writes == []
    assert (shared / "token").is_symlink()
    shared.chmod(0o1777)
    assert run_role(emulator, tmp_path, "tenant", wanted | {"tenant_state": state}).count("failed") == 0
    assert not (shared / "token").is_symlink()
    assert (shared / "token").exists() is (state == "present")
    assert victim.read_text(encoding="utf-8") == "somebody else's"


def test_a_tenant_goes_although_the_folder_of_its_token_is_gone(emulator: Emulator, tmp_path: Path) -> None:
    emulator.add_export(7, desc="alice", iprange="*")
    gone = ALICE | {"tenant_state": "absent", "tenant_token_file": str(tmp_path / "gone" / "token")}
    assert run_role(emulator, tmp_path, "tenant", gone).count("failed") == 0
    assert emulator.exports(7) == []


@pytest.mark.parametrize("volume", ["projects", "a volume to come"])
def test_check_mode_predicts_and_writes_nothing(emulator: Emulator, tmp_path: Path, volume: str) -> None:
    file = tmp_path / "token"
    wanted = {**ALICE, "tenant_volume": volume, "tenant_size": "1GiB", "tenant_iprange": "*"}
    played = run_role(emulator, tmp_path, "tenant", wanted | {"tenant_token_file": str(file)}, "--check", "--diff")
    assert played.count("failed") == 0
    assert played.count("changed") == 2
    assert '"iprange": "*"' in played.output
    assert emulator.writes == []
    assert not file.exists()


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        pytest.param({"tenant_size": "1G", "tenant_name": ""}, "tenant_name must be set.", id="blank name"),
        pytest.param({}, "There is nothing to do for tenant alice", id="nothing wanted"),
        pytest.param({"tenant_size": "1G", "tenant_state": "gone"}, "tenant_state must be one of", id="other state"),
        pytest.param({"tenant_size": "ten"}, "GiB", id="no size"),
        pytest.param({"tenant_size": "1G", "tenant_iprange": "lan"}, "iprange must be a network", id="no network"),
        pytest.param(
            {"tenant_size": "1G", "tenant_desc": "db", "tenant_iprange": "*", "tenant_readonly": True},
            "readonly is false, wanted true",
            id="an export that cannot be changed so",
        ),
        pytest.param({"tenant_size": "1G", "tenant_volume": "none"}, "volume 'none' does not exist", id="no volume"),
        pytest.param({"tenant_size": "1G", "tenant_token_file": "/token"}, "set tenant_iprange", id="no export"),
        pytest.param({"tenant_iprange": "*", "tenant_token_file": "/no/token"}, "does not exist", id="no folder"),
        pytest.param(
            {"tenant_iprange": "*", "tenant_token_file": "/dev/null/a"}, "is not a folder", id="a file, no folder"
        ),
        pytest.param({"tenant_iprange": "*", "tenant_token_file": "/tmp"}, "is a folder", id="a folder, no file"),
        pytest.param(
            {"tenant_iprange": "*", "tenant_token_file": "a/token"}, "must be an absolute path", id="relative path"
        ),
        pytest.param(
            {"tenant_state": "absent", "tenant_token_file": "token"}, "must be an absolute path", id="no removal there"
        ),
    ],
)
def test_a_mistake_is_named_before_anything_is_written(
    emulator: Emulator, tmp_path: Path, variables: dict[str, Any], message: str
) -> None:
    emulator.add_export(7, desc="db", iprange="*", readonly=False)
    played = run_role(emulator, tmp_path, "tenant", ALICE | variables)
    assert played.count("failed") == 1
    assert message in played.output
    assert emulator.writes == []


def test_a_console_that_shows_no_token_is_named(emulator: Emulator, tmp_path: Path) -> None:
    emulator.dialect = Dialect(record_fields="sent")
    played = run_role(emulator, tmp_path, "tenant", ALICE | {"tenant_iprange": "*", "tenant_token_file": "~/token"})
    assert "the console does not show its token" in played.output
    assert not (tmp_path / "token").exists()


@pytest.mark.parametrize("token", [None, " ", ["a"]], ids=repr)
def test_what_is_no_token_replaces_none(emulator: Emulator, tmp_path: Path, token: object) -> None:
    (tmp_path / "token").write_text("good\n", encoding="utf-8")
    played = _run_with_token(emulator, tmp_path, token)
    assert played.count("failed") == 1
    assert "the console does not show its token" in played.output
    assert (tmp_path / "token").read_text(encoding="utf-8") == "good\n"
    assert (tmp_path / "token").stat().st_mode & 0o777 != 0o600


def test_a_token_that_is_a_number_is_written_as_text(emulator: Emulator, tmp_path: Path) -> None:
    assert _run_with_token(emulator, tmp_path, 12345).count("failed") == 0
    assert (tmp_path / "token").read_text(encoding="utf-8") == "12345\n"


def _run_with_token(emulator: Emulator, folder: Path, token: object) -> Played:
    """Run the role for a tenant whose export exists, with that token."""
    export = {"id": 1, "desc": "alice", "iprange": "*", "readonly": False, "appendonly": False, "token": token}
    emulator.inject(Fault("wrong_json", method="GET", path="exports$", times=None, value=[export]))
    wanted = ALICE | {"tenant_iprange": "*", "tenant_token_file": str(folder / "token")}
    return run_role(emulator, folder, "tenant", wanted)
