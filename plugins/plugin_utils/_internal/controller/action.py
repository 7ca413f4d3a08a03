# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the actions of this collection have in common: they fail with a message, and write files whole or not at all."""

from __future__ import annotations

import contextlib
import difflib
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ansible.errors import AnsibleError
from ansible.parsing.vault import is_encrypted
from ansible.plugins.action import ActionBase

from ....module_utils._internal.errors import ConsoleError
from ....module_utils._internal.files import temporary_name, write_new
from ....module_utils._internal.model.records import format_value
from ....module_utils._internal.options import Options, read_given
from ....module_utils._internal.values import is_too_deep

try:
    from ansible.parsing.vault import EncryptedString as VaultedText
except ImportError:  # before ansible-core 2.19
    from ansible.parsing.yaml.objects import AnsibleVaultEncryptedUnicode as VaultedText  # type: ignore[no-redef]

__all__ = ["VaultedText", "unwrap"]
# Others may read, and not write.
_MODES = 0o644
_FOLDER_MODE = 0o755
# AWX keeps 700,000 bytes of a result.
_MAX_DIFF = 150_000
_COLLECTION_PLAYBOOKS = Path(__file__).resolve().parents[4] / "playbooks"
_MAX_PATH_SHOWN = 80
# Returns the decrypted content of a file.
Decrypt = Callable[[bytes], bytes]
_ONE_BY_ONE = ("free", "host_pinned")


def unwrap(value: Any) -> Any:
    """Return a copy of a value with all text decrypted; one that is nested too deeply as it is."""
    return value if is_too_deep(value) else _unwrap(value)


def _unwrap(value: Any) -> Any:
    if isinstance(value, VaultedText):
        return str(value)
    if isinstance(value, Mapping):
        return {name: _unwrap(inner) for name, inner in value.items()}
    return [_unwrap(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def decrypter(loader: Any) -> Decrypt:
    """Return a function that decrypts the content of a file where it is a vault; ConsoleError where it cannot be."""

    def decrypt(content: bytes) -> bytes:
        if not is_encrypted(content):
            return content
        # The loader decrypts files only. In one of our own, it finds what was read, whatever has become of the source.
        with tempfile.NamedTemporaryFile() as encrypted:
            encrypted.write(content)
            encrypted.flush()
            try:
                decrypted = loader.get_real_file(encrypted.name)
            except AnsibleError:
                raise ConsoleError("it cannot be decrypted. Give the right password of its vault.") from None
            try:
                return Path(decrypted).read_bytes()
            finally:
                loader.cleanup_tmp_file(decrypted)

    return decrypt


def resolve_path(path: str, variables: Mapping[str, Any]) -> Path:
    """Return the absolute path for one that a task gives; ConsoleError for one that cannot be used.

    A relative path begins at the playbook's folder, as elsewhere in Ansible. The playbooks of this collection are not in
    the user's project, so with them it begins at the working directory.
    """
    folder = Path(str(variables.get("playbook_dir") or "."))
    base = Path.cwd() if folder.resolve() == _COLLECTION_PLAYBOOKS else folder
    try:
        resolved = (base / Path(path).expanduser()).absolute()
        # The caller knows whether that is an error.
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            resolved.stat()
    except (OSError, RuntimeError, ValueError) as error:
        # The text of a system error repeats the path, which may be too long.
        reason = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
        raise ConsoleError(f"{format_value(path[:_MAX_PATH_SHOWN])}: correct this path: {reason}.") from None
    return resolved


class FileChange(NamedTuple):
    """A file that is to differ: its content before and after, None where there is no file."""

    path: Path
    before: str | None
    after: str | None


class ControllerAction(ActionBase, ABC):
    """An action that runs where Ansible runs, whatever host its task is for."""

    TRANSFERS_FILES = False
    _requires_connection = False
    _supports_check_mode = True
    _supports_async = False

    # The argument spec.
    OPTIONS: ClassVar[Options]

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the result of the task."""
        result: dict[str, Any] = super().run(tmp, task_vars)
        self._task.args = read_given(self.OPTIONS, unwrap(self._task.args))
        _validation, options = self.validate_argument_spec(self.OPTIONS)  # type: ignore[no-untyped-call]
        try:
            return {**result, **self.act(options, task_vars or {})}
        except ConsoleError as error:
            # Raised, ansible-core 2.16 would show it as a crash.
            return {**result, "failed": True, "changed": False, "msg": str(error), **error.details}

    def runs_once(self) -> bool:
        """Return whether `run_once` means something here: strategies that let hosts run ahead do not honor it."""
        return not str(self._task.get_play().strategy).rpartition(".")[2].endswith(_ONE_BY_ONE)

    @property
    def check_mode(self) -> bool:
        """Return whether nothing must be written."""
        return bool(self._task.check_mode)

    @property
    def tags(self) -> list[str]:
        """Return the tags of the task, which the role has them from."""
        return list(self._task.tags)

    def evaluate(self, value: Any) -> Any:
        """Return a value with its templates evaluated, without the wrappings of Ansible."""
        return unwrap(self._templar.template(value))

    def source(self, given: Mapping[str, Any], variables: Mapping[str, Any]) -> tuple[Path, str, Decrypt]:
        """Return the path of the files of a desired state, as `source` says, as messages show it, and what decrypts them."""
        return resolve_path(given["source"], variables), given["source"], decrypter(self._loader)

    @abstractmethod
    def act(self, options: Mapping[str, Any], variables: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the options say, and return the keys of the result; ConsoleError ends the task with its message."""

    def write(
        self,
        folder: Path,
        changes: Collection[FileChange],
        mode: int | None = None,
        not_shown: Collection[FileChange] = (),
    ) -> dict[str, Any]:
        """Write files unless in check mode, and return `changed`, and with `--diff` their differences but those `not_shown`.

        ConsoleError if that cannot be done, such as where a folder has the name of a file: only the last step would fail.
        """
        check_folder(folder)
        everything = [*changes, *not_shown]
        for change in everything:
            if change.path.is_dir() and not change.path.is_symlink():
                raise ConsoleError(f"{change.path} is a folder. Nothing was written. Rename it: a file goes there.")
        if everything and not self._task.check_mode:
            write_files(folder, everything, mode)
        return {"changed": bool(everything), **({"diff": diff_of(changes)} if self._task.diff else {})}


def check_folder(folder: Path) -> None:
    """Refuse a folder in which no file can be written; one that does not exist is made later."""
    existing = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        raise ConsoleError(f"{existing} must be a folder that can be written to. Nothing was written.")


def write_files(folder: Path, changes: Collection[FileChange], mode: int | None = None) -> None:
    """Write and remove files in a folder, created if missing; ConsoleError says whether anything was changed.

    All contents are on the disk, in files of other names, before the first of them takes its place. Without a `mode`, one's own
    file keeps its own, as others may read and not write it.
    """
    pending: dict[Path, Path] = {}
    done = 0
    try:
        for path in reversed((folder, *folder.parents)):
            path.mkdir(_FOLDER_MODE, exist_ok=True)
        for change in changes:
            if change.after is not None:
                new = pending[change.path] = change.path.with_name(temporary_name())
                write_new(new, change.after.encode(), _kept_mode(change.path) if mode is None else mode)
        for change in changes:
            if change.after is None:
                # If somebody else removed it, nothing is left to do.
                change.path.unlink(missing_ok=True)
            else:
                pending[change.path].replace(change.path)
            done += 1
    except OSError as error:
        for path in pending.values():
            path.unlink(missing_ok=True)
        what = f"{done} of {len(changes)} files had been changed before" if done else "no file was changed"
        reason = f"{error.filename2 or error.filename or folder} cannot be written: {error.strerror}; {what}. Run the task again."
        raise ConsoleError(reason, changed=bool(done)) from None


def _kept_mode(path: Path) -> int | None:
    """Return the mode of the file that is replaced if it is the user's, None for any other."""
    old = path.stat() if path.exists() else None
    return old.st_mode & _MODES if old and old.st_uid == os.geteuid() else None


def diff_of(changes: Iterable[FileChange]) -> list[dict[str, str]]:
    """Return the difference of each file for `--diff`: whole where it is short, else in excerpts, and not without end."""
    diffs: list[dict[str, str]] = []
    budget = _MAX_DIFF
    for change in changes:
        if budget <= 0:
            text = "Further files differ. Their differences are not shown, for there are too many.\n"
            return [*diffs, {"prepared": text}]
        diff = _diff(change, budget)
        diffs.append(diff)
        budget -= sum(map(len, diff.values()))
    return diffs


def _diff(change: FileChange, budget: int) -> dict[str, str]:
    before, after = change.before or "", change.after or ""
    header = str(change.path)
    if len(before) + len(after) <= budget:
        return {"before": before, "after": after, "before_header": header, "after_header": header}
    lines = difflib.unified_diff(before.splitlines(True), after.splitlines(True), header, header)
    text = "".join(lines)
    if len(text) > budget:
        text = text[: text.rfind("\n", 0, budget) + 1] + "... The rest is too long to be shown.\n"
    return {"prepared": text}
