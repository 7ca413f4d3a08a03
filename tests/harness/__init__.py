# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What noxfile.py is made of: which versions to test, where to put things, how to count.

- `places`: the work folder, and the shapes in which the tools want to see the collection
- `cores`: which ansible-core runs on which Python, and which of them are tested here
- `stages`: a stage of `make test` and what it counts
- `report`: the table and the sum that `make test` ends with
- `ansible_test`: runs ansible-test without containers
- `console`: starts and stops the emulator
- `demo`: what `make demo` shows
"""
