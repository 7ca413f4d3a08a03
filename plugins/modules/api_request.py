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
  - Signs and sends one request, for what no other module covers.
  - Nothing is compared or read back. A task is C(changed), unless the method is C(GET) or check mode skips it.
  - A C(POST) or C(PATCH) is sent again only if it was certainly not accepted. If its outcome is unknown, the task fails as C(changed).
options:
  method:
    description: Method of the request.
    type: str
    choices: [GET, POST, PUT, PATCH, DELETE]
    default: GET
  path:
    description: Path below V(/api/v1), such as V(volumes/7/is_ready), without a query, C(.) and C(..).
    type: str
    required: true
  query:
    description: Query parameters. A list sends a parameter several times.
    type: dict
    default: {}
  body:
    description: Dictionary or list, sent as JSON, but not with C(GET). Set C(no_log) if it holds a secret.
    type: raw
  status_code:
    description: Status codes that count as success. By default any from 200 to 299.
    type: list
    elements: int
    default: []
attributes:
  check_mode:
    description: A C(GET) is sent, any other request is skipped.
    support: partial
    details:
      - Nothing is known about what the request would do.
  diff_mode:
    description: Shows nothing.
    support: none
  idempotent:
    description: Only a C(GET) changes nothing.
    support: partial
    details:
      - Other requests are sent each time.
extends_documentation_fragment:
  - managedfs.console._tokens
  - managedfs.console._connection
  - managedfs.console._attributes
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
  returned: success, unless check mode skipped the request
  type: int
  sample: 200
json:
  description: The body of the response, if it is JSON. Secrets are masked unless O(include_tokens=true).
  returned: if the body is JSON
  type: raw
  sample:
    is_ready: true
content:
  description: The body as text, if it is not JSON. Not shown if it names a secret, unless O(include_tokens=true).
  returned: if the body is not JSON
  type: str
  sample: ""
console:
  description: Address of the console.
  returned: always, unless options are invalid
  type: str
  sample: https://console.example.com
failure:
  description: The request that made the task fail. Its status is V(null) if there was no response.
  returned: on failure, if a request was the cause
  type: dict
  sample:
    status: 403
    method: POST
    path: /api/v1/volumes/7/trash
    message: permission denied
"""

from ansible_collections.managedfs.console.plugins.module_utils._internal.module import run_module
from ansible_collections.managedfs.console.plugins.module_utils._internal.tasks.api_request import API_REQUEST


def main() -> None:
    """Run the module."""
    run_module(API_REQUEST)


if __name__ == "__main__":
    main()
