#!/usr/bin/python
# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Make any signed request of the console's API."""

from __future__ import annotations

DOCUMENTATION = r"""
module: api_request
short_description: Send any request to the API of a managed file-system console
version_added: 0.1.0
author:
  - managedfs.console maintainers (@managedfs)
description:
  - Signs and sends one request to the console's HTTP API, for everything that no other module of the collection covers, such as
    the trash, file lists and access control lists.
  - Nothing is compared and nothing is read back. A task is always C(changed) unless the method is C(GET), or it was skipped in
    check mode.
notes:
  - A C(GET), C(PUT) or C(DELETE) is retried after a transient failure. A C(POST) or C(PATCH) is retried only if it was certainly
    not accepted. If its outcome is unknown, the task fails and reports C(changed).
extends_documentation_fragment:
  - managedfs.console._connection
  - managedfs.console._attributes
  - managedfs.console._tokens
attributes:
  check_mode:
    description: Can run in check mode.
    support: partial
    details:
      - A C(GET) is sent. Any other request is skipped. The task is then reported as skipped and not as C(changed), since nothing
        is known about what the request would do.
  diff_mode:
    description: Returns details on what has changed.
    support: none
  idempotent:
    description: When run again with the same options, and nothing else has changed, does nothing.
    support: partial
    details:
      - Only a C(GET) changes nothing.
options:
  method:
    description: Method of the request.
    type: str
    choices: [GET, POST, PUT, PATCH, DELETE]
    default: GET
  path:
    description:
      - Path below V(/api/v1), such as V(volumes/7/is_ready), with or without a leading slash.
      - Must not contain a query, a fragment, V(.), V(..) or, but at its end, an empty segment.
    type: str
    required: true
  query:
    description: Query parameters. If a value is a list, the parameter is sent once for each element.
    type: dict
    default: {}
  body:
    description:
      - Dictionary or list, sent as JSON. Not allowed with C(GET).
      - Set C(no_log) on the task if it contains a secret.
    type: raw
  status_code:
    description: Status codes that count as success. If empty, any from 200 to 299.
    type: list
    elements: int
    default: []
"""

EXAMPLES = r"""
- name: Ask whether a volume is ready
  managedfs.console.api_request:
    path: volumes/7/is_ready
  register: readiness

- name: Send a query parameter twice
  managedfs.console.api_request:
    path: volumes
    query:
      fields: [id, name]
      page: 1

- name: Empty the trash of a volume, on a console that has this route
  managedfs.console.api_request:
    method: POST
    path: volumes/7/trash
    body:
      empty: true
    status_code: [200, 202, 404]
"""

RETURN = r"""
status:
  description: Status code of the response.
  returned: success, unless the request was skipped in check mode
  type: int
  sample: 200
json:
  description: The body of the response, if it is JSON. Tokens and other secrets are masked unless O(include_tokens=true).
  returned: if the body is JSON
  type: raw
  sample:
    is_ready: true
content:
  description:
    - The body of the response as text, if it is not JSON.
    - If it contains the name of a secret, such as C(token), it is not shown unless O(include_tokens=true).
  returned: if the body is not JSON
  type: str
  sample: ""
console:
  description: The canonical address of the console that the task worked on, however O(console_url) is written.
  returned: always, unless Ansible refuses the options, or those of the connection are invalid
  type: str
  sample: https://console.example.com
failure:
  description: The request that made the task fail.
  returned: on failure, if a request was the cause
  type: dict
  contains:
    status:
      description: Status code of the response, or V(null) if there was none.
      returned: always
      type: int
      sample: 403
    method:
      description: Method of the request.
      returned: always
      type: str
      sample: POST
    path:
      description: Path of the request.
      returned: always
      type: str
      sample: /api/v1/volumes/7/trash
    message:
      description: The console's message, or the reason why there was no response.
      returned: always
      type: str
      sample: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.api_request import API_REQUEST


def main() -> None:
    """Run the module."""
    run_module(API_REQUEST)


if __name__ == "__main__":
    main()
