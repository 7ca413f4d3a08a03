# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A console on which tasks run, and a comparison of each report with the truth."""

from __future__ import annotations

from typing import Any

from hypothesis import event, note

from emulator import Fault
from emulator.lists import USER_QUOTA_ID
from functional.properties.draws import PROMPT, Contents, fill
from functional.support import oracle
from functional.support.inprocess import SharedConsole, connection_to, run_module

# The seconds for which tasks wait for an update to show (docs/docsite/rst/api.rst, "Visibility").
UPDATE_WATCHED = 3.0


class Trial:
    """One console on which tasks are run, and their reports compared with its true state."""

    def __init__(self, console: SharedConsole, drawn: Contents) -> None:
        self.emulator, self.clock = console
        self.emulator.reset(drawn.dialect)
        self.volume = self.emulator.add_volume(name="v", bucket="https://v.example.com")
        fill(self.emulator, self.volume, drawn.exports, drawn.quotas)
        self.clock.now += 60  # Long enough for all of it to show.

    def run(self, noun: str, given: dict[str, Any], *, check: bool = False) -> dict[str, Any]:
        """Return the result of a module, and assert that it holds no secret."""
        self.clock.now += self.lag
        parent = {} if noun == "volume" else {"volume_id": self.volume}
        self.emulator.forget_requests()
        result = run_module(noun, {**connection_to(self.emulator), **parent, **given}, self.clock, check=check)
        note(f"{noun} {given} check={check}: {result.get('msg') or result['changed']}")
        assert not oracle.secrets_in(result, self.emulator)
        assert self.emulator.strays == [], "a request that names the quota of a user"
        return result

    @property
    def lag(self) -> float:
        """Return the seconds to wait before a task: lists that go back in time across tasks are not supported.

        An update that shows only after a task has given up has failed; it must not change the next task's lists.
        """
        dialect = self.emulator.dialect
        late = dialect.update_appear_after
        return max(dialect.stale_for if dialect.stale_every else 0.0, late if late > UPDATE_WATCHED else 0.0)

    @property
    def hides_fields(self) -> bool:
        """Return whether some fields of exports and quotas may not be shown."""
        dialect = self.emulator.dialect
        return dialect.record_fields not in ("all", "more") or dialect.put_hides != "nothing"

    @property
    def hides_updates(self) -> bool:
        """Return whether the field that an update changes is never shown, and its other effects not while it is watched."""
        dialect = self.emulator.dialect
        return dialect.update_appear_after > UPDATE_WATCHED and dialect.put_hides == "sent"

    def named(self, noun: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return the options of a task, with the id of its record instead of a position in the list."""
        position = given.pop("position", None)
        found = sorted(self.state()[noun])
        if position == -1:
            return {**given, "id": USER_QUOTA_ID + self.volume}
        return given if position is None or position >= len(found) else {**given, "id": found[position]}

    def check(self, noun: str, given: dict[str, Any]) -> None:
        """Run a task in check mode, for real and once more, and judge each run."""
        before = self.state()
        refused = self.must_refuse(before, noun, given)
        satisfied = oracle.is_satisfied(before, noun, given)
        predicted = self.run(noun, given, check=True)
        assert self.emulator.writes == []
        real = self.run(noun, given)
        wrote = bool(self.emulator.writes)
        event(f"{noun} {given['state']} failed: {bool(real.get('failed'))}, changed: {real['changed']}")
        after = self.state()
        assert not (satisfied and wrote), "a write without a difference"
        self.check_bystanders(noun, given, before, after)
        if real.get("failed"):
            self.check_failure(real, before, after)
            self.run(noun, given)
            self.check_bystanders(noun, given, after, self.state())
            return
        assert not self.is_spaced(before, noun, given), "a new key with white space at its ends"
        unverified = real.get("unverified", [])
        assert refused <= set(unverified), "a field changed that can be set only at creation"
        if not oracle.is_satisfied(after, noun, given, unverified):
            assert self.hides_updates, "an untrue success"
            assert oracle.target(before, noun, given)
            return
        assert not predicted.get("failed"), "check mode fails where the task does not"
        assert (predicted["changed"], predicted["diff"]) == (real["changed"], real["diff"])
        self.check_untouched(noun, given, before, after, unverified)
        self.check_record(predicted[noun], real[noun])
        assert real["changed"] is wrote
        self.check_again(noun, given)

    def check_again(self, module: str, given: dict[str, Any]) -> None:
        """Run a task once more, and assert that it changes nothing.

        Or that the list no longer shows whether it shows paths: it holds the quota of a user alone.
        """
        again = self.run(module, given)
        is_alone = self.emulator.dialect.user_quotas != "none" and not self.state().get(module.removesuffix("s"))
        if is_alone and again.get("failed"):
            assert "without a usable" in again["msg"]
            assert self.emulator.writes == []
        else:
            assert (again.get("failed"), again["changed"], self.emulator.writes) == (None, False, [])

    def check_failure(self, real: dict[str, Any], before: oracle.State, after: oracle.State) -> None:
        """Assert that a failure hides no change; an update that shows too late is only known as accepted."""
        if self.emulator.dialect.update_appear_after > UPDATE_WATCHED and "that the console accepted" in str(real):
            return
        assert real["changed"] or oracle.managed(before) == oracle.managed(after), "a failure that hides a change"

    @staticmethod
    def is_spaced(state: oracle.State, noun: str, given: dict[str, Any]) -> bool:
        """Return whether a record would get a key that a console may store as another one."""
        key = oracle.meaning(oracle.KEYS[noun], given[oracle.KEYS[noun]])
        return given["state"] == "present" and key != key.strip() and not oracle.with_key(state[noun], noun, key)

    @staticmethod
    def must_refuse(before: oracle.State, noun: str, given: dict[str, Any]) -> set[str]:
        """Return the given fields that differ and that only a creation sets, unless the task allows an attempt."""
        found = oracle.target(before, noun, given)
        if given["state"] == "absent" or not found or given.get("create_only_changes") == "update":
            return set()
        return set(oracle.wrong_fields(found[0], noun, given)) - {"iprange", "size", oracle.KEYS[noun]}

    @staticmethod
    def moved(kind: str, before: oracle.State, after: oracle.State) -> set[int]:
        """Return the ids of the records of a kind that were removed or changed."""
        old, new = (oracle.managed(state)[kind] for state in (before, after))
        return {identity for identity, record in old.items() if new.get(identity) != record}

    def check_bystanders(self, noun: str, given: dict[str, Any], before: oracle.State, after: oracle.State) -> None:
        """Assert that the key has no second record, and that every other record is unchanged."""
        key = given[oracle.KEYS[noun]]
        count = max(1, len(oracle.with_key(before[noun], noun, key)))
        assert len(oracle.with_key(after[noun], noun, key)) <= count, "a second record"
        concerned = {int(record["id"]) for record in oracle.target(before, noun, given)}
        gone = noun == "volume" and self.volume not in after["volume"]
        for kind in before if not gone else ("volume",):
            touched = self.moved(kind, before, after) - (concerned if kind == noun else set())
            assert not touched, "another record was touched"

    def check_untouched(
        self, noun: str, given: dict[str, Any], before: oracle.State, after: oracle.State, unverified: list[str]
    ) -> None:
        """Assert that fields that a task leaves out are unchanged, or named if the console does not show them."""
        if given["state"] == "absent" or self.hides_updates:
            return
        is_hidden = self.hides_fields or self.emulator.dialect.numbers == "omitted"
        allowed = given.keys() | (set(unverified) if is_hidden else set())
        for record in oracle.target(before, noun, given):
            identity = int(record["id"])
            old, new = (oracle.managed(state)[noun][identity] for state in (before, after))
            assert {name for name in old if old[name] != new[name]} <= allowed, "what was left out has moved"

    def check_record(self, predicted: Any, real: Any) -> None:
        """Assert that the predicted record is the real one, except for what the console assigns or normalises."""
        assert (predicted is None) == (real is None)
        for name, value in (predicted or {}).items():
            if name in real and name != "access_rules":
                assert oracle.meaning(name, real[name]) == oracle.meaning(name, value), name

    def state(self) -> oracle.State:
        """Return the true records."""
        return oracle.snapshot(self.emulator, self.volume)

    def hold_list(self, noun: str, items: list[dict[str, Any]], given: dict[str, Any], faults: list[Fault]) -> None:
        """Run a task in check mode, for real under faults, and once more without, and judge each run."""
        plural = noun + "s"
        options = {plural: items, **given}
        before = self.state()
        predicted = self.run(plural, options, check=True)
        assert self.emulator.writes == []
        self.emulator.inject(*faults)
        real = self.run(plural, options)
        self.emulator.clear_faults()
        self.clock.now += 60
        after = self.state()
        ends = [bool(result.get("failed")) for result in (real, predicted)]
        event(f"failed: {ends[0]}, predicted: {ends[1]}, changed: {real['changed']}")
        self.check_reported(noun, real, before, after)
        if not faults:
            self.check_losses(noun, items, before, after)
        if predicted.get("failed"):
            assert real.get("failed")
            assert oracle.managed(before) == oracle.managed(after)
            return
        if real.get("failed"):
            self.check_failure(real, before, after)
            return
        lists = ("created", "updated", "deleted")
        assert [sorted(predicted[name]) for name in lists] == [sorted(real[name]) for name in lists]
        assert (predicted["diff"], predicted["unchanged"]) == (real["diff"], real["unchanged"])
        for item in items:
            self.check_untouched(noun, item, before, after, real.get("unverified", []))
        wrong = [item for item in items if not oracle.is_satisfied(after, noun, item, real.get("unverified", []))]
        if wrong and self.hides_updates and all(oracle.target(before, noun, item) for item in wrong):
            return
        assert wrong == [], "an untrue success"
        self.check_again(plural, options)

    def check_losses(self, noun: str, items: list[dict[str, Any]], before: oracle.State, after: oracle.State) -> None:
        """Assert that updates on a console that loses other fields end with the first loss that could be seen."""
        if self.hides_fields or self.emulator.dialect.update_appear_after > UPDATE_WATCHED:
            return
        old, new = oracle.managed(before)[noun], oracle.managed(after)[noun]
        damaged = set()
        for item in items:
            for record in oracle.target(before, noun, item):
                identity = int(record["id"])
                kept = {name: value for name, value in old[identity].items() if name not in item}
                if identity in new and kept.items() - new[identity].items():
                    damaged.add(identity)
        assert len(damaged) <= 1, "an update that loses other fields, after another has shown that"

    def check_reported(self, noun: str, real: dict[str, Any], before: oracle.State, after: oracle.State) -> None:
        """Assert that creations and deletions are reported truly, and that no created key exists twice."""
        key = oracle.KEYS[noun]
        new = [after[noun][identity] for identity in after[noun].keys() - before[noun].keys()]
        gone = [before[noun][identity] for identity in before[noun].keys() - after[noun].keys()]
        created = {oracle.meaning(key, text) for text in real["created"]}
        failed = [error["key"] for error in real["errors"]]
        uncertain = {oracle.meaning(key, text) for text in failed}
        assert {oracle.meaning(key, record[key]) for record in new} <= created | uncertain
        assert len(real["created"]) == len(created)
        if not real.get("failed"):
            assert len(new) == len(real["created"])
            assert len(gone) == len(real["deleted"])
        for record in new:
            assert len(oracle.with_key(after[noun], noun, record[key])) == 1, "a second record"
        for kind in set(before) - {noun}:
            assert oracle.managed(before)[kind] == oracle.managed(after)[kind], "another kind was touched"

    def hold_disturbed(self, noun: str, given: dict[str, Any], fault: dict[str, Any]) -> None:
        """Run a task while somebody else changes a record, and judge what it reports.

        Less can be promised than without other users: a change after the last reading of a list cannot be known.
        """
        change = {**fault["change"], "volume_id": self.volume}
        before = self.state()
        self.emulator.inject(Fault(**{**fault, "change": change}))
        real = self.run(noun, given)
        self.emulator.clear_faults()
        accepted = [entry for entry in self.emulator.writes if (entry.status or 500) < 300]
        after = self.state()
        if real["changed"]:
            assert accepted, "a change that others made"
        else:
            assert {entry.method for entry in accepted} <= {"PUT"}, "a hidden change"
        name = oracle.KEYS[noun]
        others = [change.get("key", given[name]), *(record[name] for record in oracle.target(before, noun, given))]
        concerned = [record for key in (given[name], *others) for record in oracle.with_key(before[noun], noun, key)]
        touched = self.moved(noun, before, after) - {int(record["id"]) for record in concerned}
        assert not touched, "another record was touched"
        if not real.get("failed") and self.was_read_afterwards(noun):
            # Changes by others to a flag cannot be known where flags are not shown.
            hidden = {"readonly"} if self.hides_fields else set()
            unverified = {*real.get("unverified", []), *hidden}
            assert oracle.is_satisfied(after, noun, given, unverified), "an untrue success"
            if given["state"] == "present" and "id" not in given:
                assert len(oracle.with_key(after[noun], noun, given[name])) == 1, "a second record"

    def was_read_afterwards(self, noun: str) -> bool:
        """Return whether a list that is never late was read from its beginning after the other user's change."""
        if any(getattr(self.emulator.dialect, name) for name in PROMPT):
            return False
        requests = self.emulator.requests
        hit = max((entry.number for entry in requests if entry.fault == "meanwhile"), default=0)
        read = [entry for entry in requests if entry.method == "GET" and "page=" not in entry.query]
        return any(entry.number > hit and entry.path.endswith(f"/{noun}s") for entry in read)
