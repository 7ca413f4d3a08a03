# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the connection options of every module."""

from __future__ import annotations


class ModuleDocFragment:
    """Options of the connection."""

    DOCUMENTATION = r"""
requirements:
  - python >= 3.9
  - requests >= 2.25
options:
  console_url:
    description:
      - Address of the console, such as V(https://console.example.com). By default E(MANAGEDFS_CONSOLE_URL).
      - V(http) is unencrypted, with a warning.
    type: str
    required: true
  access_key:
    description: Access key, from the account settings of the console. By default E(MANAGEDFS_ACCESS_KEY).
    type: str
    required: true
  secret_key:
    description:
      - Secret key of the same pair. It signs requests and is never sent. By default E(MANAGEDFS_SECRET_KEY).
      - Ansible prints what C(environment) of a play sets. Set the variable where Ansible is started.
    type: str
    required: true
  validate_certs:
    description: Whether to verify the console's certificate. By default E(MANAGEDFS_VALIDATE_CERTS).
    type: bool
    default: true
  ca_path:
    description:
      - File with the authorities to trust instead of the built-in ones, or a folder of them prepared for OpenSSL. By default
        E(MANAGEDFS_CA_PATH).
    type: path
  client_cert:
    description:
      - File with a client certificate in PEM format, and with its key unless O(client_key) is set. By default
        E(MANAGEDFS_CLIENT_CERT).
    type: path
  client_key:
    description: File with the key of the client certificate. By default E(MANAGEDFS_CLIENT_KEY).
    type: path
  timeout:
    description: Seconds within which a request must be answered. By default E(MANAGEDFS_TIMEOUT).
    type: int
    default: 30
  retries:
    description:
      - How often a request is sent again after a failed connection or status 429, 500, 502, 503 or 504. A creation only if that
        cannot make two records. By default E(MANAGEDFS_RETRIES).
    type: int
    default: 4
notes:
  - Modules run on the host of the play, and read its environment. Use V(localhost), or C(delegate_to), as
    R(Where modules run,ansible_collections.managedfs.console.docsite.authentication.where) says.
  - Blank text and V(null) count as not set, in tasks and in items.
  - What tasks promise and assume, and their longest duration, are in
    R(What you can rely on,ansible_collections.managedfs.console.docsite.guarantees).
"""
