#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation of an action, which runs on the controller: plugins/action/report_files.py."""

from __future__ import annotations

DOCUMENTATION = r"""
module: report_files
short_description: Write a report on a console
version_added: 1.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Writes the facts of a report as a page that needs nothing else, as Markdown, as JSON, as tables for spreadsheets and as metrics for
    Prometheus, into a folder on the controller, and returns a summary in Markdown. The page and the metrics say when that was.
  - The role P(managedfs.console.report#role) uses it. Only files that differ are written, each as a whole or not at all.
  - A page or a file of metrics that differs only in its time is written, too. That counts as no change.
  - If the facts are about some volumes alone, the texts say so, and C(report.prom) stays as it was, since alerts are about the whole console.
attributes:
  check_mode:
    description: Can run in check mode, where nothing is written and the result is a prediction.
    support: full
  diff_mode:
    description: Returns the difference of each file. Long ones are cut, so that all of them together stay below 150 kB.
    support: full
  idempotent:
    description: When run again with the same options, and nothing else has changed, does nothing.
    support: full
  action:
    description: Runs on the controller, whatever host the task is for.
    support: full
  platform:
    description: Platforms that the controller can run on.
    support: full
    platforms: posix
options:
  facts:
    description: What the filter P(managedfs.console.report_facts#filter) returns. Required, unless O(unread) is set.
    type: dict
    default: {}
  unread:
    description:
      - The address of a console that could not be read. Only C(report.prom) is written then. It says so, and keeps the time of the last
        reading.
    type: str
    default: ''
  dest:
    description:
      - The folder for C(report.html), C(report.md), C(report.json), C(access.csv), C(limits.csv) and C(report.prom). It is created if it
        does not exist. Without it, nothing is written.
      - A relative path begins at the folder of the playbook. With a playbook of this collection, such as
        C(managedfs.console.report), it begins at the working directory.
    type: str
    default: ''
seealso:
  - plugin: managedfs.console.report_facts
    plugin_type: filter
  - module: managedfs.console.volume_info
"""

EXAMPLES = r"""
- name: List everything
  managedfs.console.volume_info:
    gather: [exports, quotas]
  register: listed

- name: Write a report
  managedfs.console.report_files:
    facts: "{{ listed.volumes | managedfs.console.report_facts(console='console.example.com') }}"
    dest: report
"""

RETURN = r"""
summary:
  description: The lines of a summary in Markdown. Of each kind of difference, ten are named.
  returned: if O(facts) can be rendered
  type: list
  elements: str
  sample: ["# `console.example.com`", "", "- 2 volumes, 2 exports, 2 quotas", "- Matches the desired state"]
counts:
  description: The counts of O(facts), how much there is of everything.
  returned: if O(facts) can be rendered
  type: dict
  contains: {}
  sample: {"consoles": 1, "volumes": 2, "exports": 2, "quotas": 2, "open_to_write": 0}
diff:
  description: The difference of each file, as texts before and after, or as lines that differ where the file is long.
  returned: in diff mode
  type: list
  elements: dict
  contains:
    before_header:
      description: Path of the file.
      type: str
    before:
      description: Content before the task.
      type: str
    after_header:
      description: Path of the file.
      type: str
    after:
      description: Content after the task.
      type: str
    prepared:
      description: The lines that differ, as C(diff -u) shows them.
      returned: instead of the others if they are long
      type: str
"""
