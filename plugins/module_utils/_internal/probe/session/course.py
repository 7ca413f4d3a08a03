# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The course of a probe: look, find or make a volume, take the steps in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...errors import ConsoleError
from ...http.messages import summarize
from ...masking import mask
from ...model.records import Record, format_value
from ...scrubbing import mask_text
from ..identify import id_of
from ..marks import is_marked, is_scratch_name, scratch_name
from ..observation import Observation
from ..steps import CREATE_VOLUME, INCOMPLETE_VOLUME, READS, READS_OF_VOLUME, WRITES
from .cleanup import CHILDREN, Cleanup
from .ready import await_ready
from .runner import VOLUME, Runner

_AN_HOUR = 3600
_MAX_MESSAGE = 300
# A probe reads the list of volumes several times, and has to find its own in it.
_MAX_PAGES = 8


class Assignment(NamedTuple):
    """What a probe is to work on: a scratch volume of this name, or the user's volume with this id.

    `fields` are what a creation of the scratch volume sends beside its name.
    """

    volume: str
    volume_id: int | None
    fields: Mapping[str, Any]
    wait_timeout: float
    only_reads: bool


class Course:
    """One probe. `removed_before` counts what an earlier one had left and this one has removed."""

    def __init__(self, runner: Runner, assignment: Assignment) -> None:
        self._runner = runner
        self._seen = runner.seen
        self._assignment = assignment
        self._has_written = False
        self._created_at = 0.0
        self.cleanup = Cleanup(runner, assignment.wait_timeout)
        self.removed_before = 0

    def run(self) -> None:
        """Take all steps that the assignment allows; ConsoleError where the probe cannot do its work."""
        volumes = self._runner.read("volumes")
        self._ask_badly()
        self._runner.run(READS)
        if self._assignment.volume_id is None:
            self._use_scratch_volume(volumes)
        else:
            self._use_volume(volumes, self._assignment.volume_id)
        if not self._assignment.only_reads:
            self._runner.run(WRITES)

    def clean_up(self) -> None:
        """Remove what was made."""
        if not self._has_written:
            return
        if self._assignment.volume_id is not None:
            self.cleanup.remove_children(is_expected=self._is_doubtful())
            return
        self._remove_volumes()
        if self.cleanup.left and VOLUME in self._runner.own.ids:
            # Some consoles may not delete a volume that is not empty.
            self.cleanup.left = []
            self.cleanup.remove_children(is_expected=False)
            self._remove_volumes()

    def _ask_badly(self) -> None:
        """Ask for the volumes with a signature of an hour ago, and with one that is wrong."""
        wire = self._runner.wire
        late = wire.ask_badly("volumes", seconds_late=_AN_HOUR)
        wrong = wire.ask_badly("volumes", secret_key="not the secret key")  # noqa: S106
        self._seen.steps["old_timestamp"] = Observation({}, late)
        self._seen.steps["wrong_signature"] = Observation({}, wrong)

    def _use_scratch_volume(self, volumes: list[Record]) -> None:
        """Make a scratch volume, which must not exist yet, and remove what an earlier run left."""
        name = self._assignment.volume
        if any(str(record.get("name")).strip() == name.strip() for record in volumes):
            raise ConsoleError(
                f"volume {format_value(name)} exists. Name a volume that does not, or use volume_id with use_existing"
                " for one that is empty."
            )
        if any(id_of(record) is None or record.get("name") is None for record in volumes):
            raise ConsoleError(
                "the console shows volumes without id or name: a scratch volume could not be told from them, so none"
                " was made."
            )
        pages = self._seen.listings[0]
        if not pages.is_complete or len(pages.pages) > _MAX_PAGES:
            raise ConsoleError(
                f"the list of volumes is too long for a probe ({len(pages.pages)} pages), or cannot be read to its end: a"
                " scratch volume might not be found again, so none was made. Use volume_id with use_existing."
            )
        if self._assignment.only_reads:
            return
        if any(is_scratch_name(record["name"], name) for record in volumes):
            self.cleanup.remove_volumes(name)
            self._note_removed()
        self._create_volume(scratch_name(name, self._runner.mark))
        self._runner.run(READS_OF_VOLUME)
        await_ready(self._runner, self._created_at, self._assignment.wait_timeout)
        for name in CHILDREN:
            self._runner.try_to_read(name)

    def _create_volume(self, name: str) -> None:
        self._has_written = True
        self._runner.run([INCOMPLETE_VOLUME._replace(body={"name": name, **(INCOMPLETE_VOLUME.body or {})})])
        incomplete = self._seen.step(INCOMPLETE_VOLUME.name)
        if incomplete is None or not incomplete.is_refused:
            self._remove_volumes()
            self._refuse_leftovers()
        self._runner.longest_watch = self._assignment.wait_timeout
        self._created_at = self._runner.wire.clock.elapsed()
        self._runner.run([CREATE_VOLUME._replace(body={"name": name, **self._assignment.fields})])
        self._runner.longest_watch = Runner.longest_watch
        created = self._seen.step(CREATE_VOLUME.name)
        if created and created.is_settled and VOLUME in self._runner.own.ids:
            return
        reason = self._seen.why_not(CREATE_VOLUME.name)
        if created and created.reply and created.is_refused:
            reply = created.reply
            text = str(mask(reply.value)) if reply.value is not None else mask_text(summarize(reply.text))
            reason = f"the console refused it: HTTP {reply.status}, {text[:_MAX_MESSAGE] or 'without a message'}"
        elif created and created.is_accepted:
            reason = "the console does not list it, or not with a name and an id"
        raise ConsoleError(f"the scratch volume could not be used: {reason}. Check bucket, region and extra_fields.")

    def _use_volume(self, volumes: list[Record], volume_id: int) -> None:
        """Take a volume of the user's, which must not have any export or quota but what an earlier run left."""
        if not any(id_of(record) == str(volume_id) for record in volumes):
            raise ConsoleError(f"volume (id {volume_id}) does not exist.")
        self._runner.own.ids[VOLUME] = str(volume_id)
        lists = {name: self._runner.read(name) for name in CHILDREN}
        self._runner.run(READS_OF_VOLUME)
        for name, records in lists.items():
            others = [record for record in records if not is_marked(record.get("desc") or record.get("path"))]
            if others and not self._assignment.only_reads:
                raise ConsoleError(
                    f"volume (id {volume_id}) has {name}. A probe makes and deletes records only in a volume without any;"
                    " use another one, or let the probe make a scratch volume."
                )
        if self._assignment.only_reads:
            return
        self._has_written = True
        if any(lists.values()):
            self.cleanup.remove_children(is_expected=False)
            self._note_removed()

    def _note_removed(self) -> None:
        """Note what an earlier run had left; where it is still there, do not add to it."""
        self.removed_before, self.cleanup.removed = self.cleanup.removed, 0
        self._refuse_leftovers()

    def _refuse_leftovers(self) -> None:
        if self.cleanup.left:
            raise ConsoleError("what a probe has made could not be removed, so nothing more was made.")

    def _remove_volumes(self) -> None:
        steps = [self._seen.step(step.name) for step in (INCOMPLETE_VOLUME, CREATE_VOLUME)]
        is_made = any(step.is_accepted for step in steps if step) and not self.cleanup.removed
        volume = self._assignment.volume
        self.cleanup.remove_volumes(volume, is_made=is_made, is_doubtful=self._is_doubtful())
        if is_made and not self.cleanup.removed and not self.cleanup.left:
            name = scratch_name(self._assignment.volume, self._runner.mark)
            self.cleanup.left.append(f"volume {name} (the console accepted its creation, and does not list it)")

    def _is_doubtful(self) -> bool:
        """Return whether a creation got no reply, so that its record may still appear."""
        return any(seen.problem.startswith("POST") for seen in self._seen.steps.values())
