# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The token of an export in a file: whole, private, where it was asked for, and nowhere else."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from emulator import Dialect, Emulator, Fault
from functional.support.faults import serve_lists
from functional.support.inprocess import Run
from functional.support.one_volume import Console

TOKEN = "token-of-web-0123"
SECRET = "somebody else's"
IS_ROOT = os.geteuid() == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder for tokens."""
    path = tmp_path / "tokens"
    path.mkdir(mode=0o700)
    return path


@pytest.fixture
def web(console: Console) -> Console:
    """Return a console that has the export web, and no request yet."""
    console.has_export(desc="web", iprange="*", token=TOKEN)
    return console


def mode(path: Path) -> int:
    """Return the permissions of a file itself."""
    return stat.S_IMODE(path.lstat().st_mode)


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a path belong to another user than the one that runs."""
    if IS_ROOT:
        os.chown(path, 4242, 4242, follow_symlinks=False)
    else:
        other = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: other)


@pytest.mark.promise("token-files-are-private")
def test_the_token_of_a_new_export_is_written_once_and_shown_nowhere(console: Console, folder: Path) -> None:
    file = folder / "web"
    options: dict[str, Any] = {"desc": "web", "iprange": "*", "token_file": str(file)}
    predicted = console.export(**options, check=True)
    assert (predicted["changed"], list(folder.iterdir())) == (True, [])
    # Whatever mask the process has.
    before = os.umask(0o277)
    try:
        first, again = console.export(**options), console.export(**options)
    finally:
        os.umask(before)
    token = console.exports[0]["token"]
    assert (file.read_text(encoding="utf-8"), mode(file), list(folder.iterdir())) == (f"{token}\n", 0o600, [file])
    assert (first["changed"], again["changed"], first["warnings"]) == (True, False, [])
    assert predicted["diff"] == first["diff"]
    assert first["diff"]["after"]["token_file"] == str(file)
    assert first["msg"] == "export 'web' of volume 'v': created, token file written"
    assert again["msg"].endswith("unchanged")
    assert "token_file" not in again["diff"]["after"]
    assert token not in json.dumps([predicted, first, again])


@pytest.mark.parametrize(
    ("content", "permissions", "is_due"),
    [
        (f"{TOKEN}\n", 0o600, False),
        (f"{TOKEN}\n", 0o640, True),
        (f"{TOKEN}\n", 0o400, True),
        (TOKEN, 0o600, True),
        (f"{TOKEN}\n{TOKEN}\n", 0o600, True),
    ],
    ids=["as it should be", "readable by the group", "not writable", "without a line feed", "longer"],
)
def test_the_file_of_an_export_that_is_as_wanted_is_written_if_it_differs(
    web: Console, folder: Path, content: str, permissions: int, is_due: bool
) -> None:
    file = folder / "web"
    file.write_text(content, encoding="utf-8")
    file.chmod(permissions)
    before = file.stat().st_ino
    with file.open(encoding="utf-8") as opened:
        predicted = web.export(desc="web", token_file=str(file), check=True)
        assert (file.read_text(encoding="utf-8"), mode(file)) == (content, permissions)
        result = web.export(desc="web", token_file=str(file))
        # Whoever has the old file open sees no new token.
        assert opened.read() == content
    assert predicted["changed"] is result["changed"] is (file.stat().st_ino != before) is is_due
    assert (file.read_text(encoding="utf-8"), mode(file), web.sent) == (f"{TOKEN}\n", 0o600, [])


@pytest.mark.promise("token-files-are-private")
def test_a_link_in_the_place_of_the_file_is_replaced_and_not_followed(
    web: Console, folder: Path, tmp_path: Path
) -> None:
    victim, file = tmp_path / "victim", folder / "web"
    for content in ("", SECRET):
        victim.write_text(content, encoding="utf-8")
        victim.chmod(0o644)
        file.unlink(missing_ok=True)
        file.symlink_to(victim)
        assert web.export(desc="web", token_file=str(file))["changed"] is True
        assert (file.is_symlink(), file.read_text(encoding="utf-8")) == (False, f"{TOKEN}\n")
        assert (victim.read_text(encoding="utf-8"), mode(victim)) == (content, 0o644)


@pytest.mark.parametrize("state", ["present", "absent"])
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("folder", "is a folder. Name a file in it."),
        ("link", "is a folder. Name a file in it."),
        ("", "is a folder. Name a file in it."),
        ("folder/..", "is a folder. Name a file in it."),
        ("fifo", "is not a regular file."),
        ("/dev/null", "is not a regular file."),
        ("/dev/null/web", "is not a folder."),
        ("/" + "x" * 300, "cannot be used: File name too long."),
    ],
    ids=lambda value: str(value)[:30] or "slash",
)
def test_what_is_no_place_for_a_file_is_named_before_the_first_request(
    web: Console, folder: Path, path: str, message: str, state: str
) -> None:
    (folder / "folder").mkdir()
    (folder / "link").symlink_to("folder")
    os.mkfifo(folder / "fifo")
    for check in (False, True):
        result = web.export(
            desc="web", token_file=f"{folder}/{path}" if path[:1] != "/" else path, state=state, check=check
        )
        assert result["msg"].endswith(message)
        assert (result["failed"], result["changed"], web.emulator.requests) == (True, False, [])


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("./web", "token_file ./web must be an absolute path."),
        ("~nosuchuser/web", "must be an absolute path."),
        ("/nowhere/web", "The folder of token_file /nowhere/web does not exist."),
        (" ", "unchanged"),
        ("~/web", "token file written"),
    ],
)
def test_a_path_is_absolute_or_begins_with_a_home(
    web: Console, monkeypatch: pytest.MonkeyPatch, folder: Path, path: str, message: str
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    result = web.export(desc="web", token_file=path)
    assert result["msg"].endswith(message)
    assert bool(web.emulator.requests) is ("failed" not in result)
    assert [file.name for file in folder.iterdir()] == (["web"] if result["changed"] else [])


@pytest.mark.promise("token-files-are-private")
@pytest.mark.parametrize(
    "where", ["folder", "folder above", "link", "folder of a link", "folder above the target of a link"]
)
@pytest.mark.parametrize("problem", ["another user's", "open to everybody"])
def test_a_folder_that_others_could_exchange_is_refused_before_the_first_request(
    web: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: str, where: str
) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own"
    (shared / "below").mkdir(parents=True)
    own.mkdir()
    (shared / "link").symlink_to(own)
    (own / "link").symlink_to(shared / "below")
    places = {"folder": shared, "folder above": shared / "below", "folder above the target of a link": own / "link"}
    place = places.get(where, shared / "link")
    (place / "web").write_text(SECRET, encoding="utf-8")
    if problem == "another user's":
        give_away(place if where == "link" else shared, monkeypatch)
    else:
        shared.chmod(0o777)
    for state in ("present", "absent"):
        result = web.export(desc="web", token_file=str(place / "web"), state=state)
        assert "The folder of token_file" in result["msg"]
        assert "is not safe: " in result["msg"]
    assert web.emulator.requests == []
    assert (place / "web").read_text(encoding="utf-8") == SECRET
    shared.chmod(0o700)


def test_a_shared_folder_with_the_sticky_bit_is_safe(web: Console, folder: Path) -> None:
    folder.chmod(0o1777)
    assert web.export(desc="web", token_file=str(folder / "web"))["changed"] is True
    assert mode(folder / "web") == 0o600


@pytest.mark.parametrize(
    ("function", "answer", "message"),
    [
        ("access", False, "The folder of token_file {} is not writable."),
        pytest.param(
            *("geteuid", 4242, "token_file {} belongs to another user, and cannot be replaced."),
            marks=pytest.mark.skipif(not IS_ROOT, reason="needs files of several users"),
        ),
    ],
    ids=["the folder is read-only", "the file is another user's"],
)
def test_a_file_that_cannot_be_replaced_is_named_before_the_first_request(
    web: Console, folder: Path, monkeypatch: pytest.MonkeyPatch, function: str, answer: int, message: str
) -> None:
    folder.chmod(0o1777)
    (folder / "web").touch()
    # The super-user, as whom tests may run, may write everywhere.
    monkeypatch.setattr(os, function, lambda *_arguments, **_options: answer)
    result = web.export(desc="web", token_file=str(folder / "web"))
    assert result["msg"] == message.format(folder / "web")
    assert web.emulator.requests == []


def test_a_folder_that_is_exchanged_meanwhile_does_not_get_the_token(
    web: Console, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    real = os.open

    def open_after_the_exchange(path: str, flags: int, *arguments: Any, **options: Any) -> int:
        if flags & os.O_CREAT and "token" in str(path) and not folder.is_symlink():
            folder.rename(tmp_path / "before")
            folder.symlink_to(outside)
        return real(path, flags, *arguments, **options)

    monkeypatch.setattr(os, "open", open_after_the_exchange)
    web.export(desc="web", token_file=str(folder / "web"))
    assert list(outside.iterdir()) == []
    assert (tmp_path / "before" / "web").read_text(encoding="utf-8") == f"{TOKEN}\n"


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_file_that_cannot_be_written_leaves_the_old_one_and_is_a_change_of_the_export_alone(
    console: Console, folder: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = folder / "web"
    file.write_text(SECRET, encoding="utf-8")
    monkeypatch.setattr(os, failing, fail)
    first, again = (console.export(desc="web", iprange="*", token_file=str(file)) for _time in range(2))
    for result, changed in ((first, True), (again, False)):
        assert result["msg"] == f"token_file {file} cannot be used: No space left on device."
        assert (result["failed"], result["changed"], result["export"]["desc"]) == (True, changed, "web")
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == {"web": SECRET}


def test_the_file_goes_with_the_export(web: Console, folder: Path) -> None:
    file = folder / "web"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    options: dict[str, Any] = {"desc": "web", "token_file": str(file), "state": "absent"}
    predicted = web.export(**options, check=True)
    assert (predicted["changed"], file.exists()) == (True, True)
    web.emulator.inject(Fault("status", method="DELETE", status=403))
    assert (web.export(**options)["failed"], file.exists()) == (True, True)
    first, again = web.export(**options), web.export(**options)
    assert (first["changed"], again["changed"], "failed" in again, file.exists()) == (True, False, False, False)
    assert first["msg"].endswith("of volume 'v': deleted, token file removed")
    assert predicted["diff"] == first["diff"]
    assert first["diff"]["before"]["token_file"] == str(file)


def test_the_file_of_an_export_that_is_gone_goes_too(console: Console, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").touch()
    (folder / "web").symlink_to(tmp_path / "victim")
    assert console.export(desc="web", token_file=str(folder / "web"), state="absent")["changed"] is True
    assert list(folder.iterdir()) == []
    assert (tmp_path / "victim").exists()
    assert console.export(desc="web", token_file=str(tmp_path / "no" / "web"), state="absent")["changed"] is False


@pytest.mark.parametrize("token", [None, " ", ["a"], True, 1.5, "a\nb"], ids=repr)
def test_what_is_no_token_replaces_none(emulator: Emulator, run: Run, volume: int, folder: Path, token: object) -> None:
    serve_lists(emulator, "exports$", [{"id": 1, "desc": "web", "iprange": "*", "token": token}])
    file = folder / "web"
    file.write_text("good\n", encoding="utf-8")
    for check in (True, False):
        result = run("export", volume_id=volume, desc="web", token_file=str(file), check=check)
        assert result["changed"] is False
        assert result["msg"] == (
            f"export 'web' (id 1): the console does not show its token, so nothing was written to {file}. Look it up in"
            " the console."
        )
    assert file.read_text(encoding="utf-8") == "good\n"


def test_a_console_that_shows_no_token_has_made_the_export(console: Console, folder: Path) -> None:
    console.emulator.dialect = Dialect(record_fields="sent")
    result = console.export(desc="web", iprange="*", token_file=str(folder / "web"))
    assert "the console does not show its token" in result["msg"]
    assert (result["failed"], result["changed"], result["export"]["desc"]) == (True, True, "web")
    assert list(folder.iterdir()) == []
