# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the connection options, the same for every module."""

from __future__ import annotations


class ModuleDocFragment:
    """Options of the connection."""

    DOCUMENTATION = r"""
requirements:
  - requests >= 2.25
options:
  console_url:
    description:
      - Address of the console, as V(https://console.example.com), with or without V(/api/v1).
      - With V(http) instead of V(https) all that is sent can be read on the way; the task warns of it.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CONSOLE_URL) is used.
    type: str
    required: true
  access_key:
    description:
      - Access key of an API key pair, as the console's account settings show it.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_ACCESS_KEY) is used.
    type: str
    required: true
  secret_key:
    description:
      - Secret key of the API key pair. Requests are signed with it, it is never sent.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_SECRET_KEY) is used.
      - Set the variable where Ansible itself is started. Ansible prints what a play or task puts into
        C(environment) at high verbosity.
    type: str
    required: true
  validate_certs:
    description:
      - Whether the certificate of the console must be valid. V(false) accepts any, and is for tests only.
      - If it is not set, the value of the environment variable E(MANAGEDFS_VALIDATE_CERTS) is used.
    type: bool
    default: true
  ca_path:
    description:
      - File with the certificates of the authorities that are trusted instead of the built-in ones, or a folder of such
        files prepared for OpenSSL.
      - The environment variables E(REQUESTS_CA_BUNDLE) and E(CURL_CA_BUNDLE) have no effect.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CA_PATH) is used.
    type: path
  client_cert:
    description:
      - File with a client certificate in PEM format, with its key if O(client_key) is not given.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CLIENT_CERT) is used.
    type: path
  client_key:
    description:
      - File with the key of the client certificate in PEM format.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CLIENT_KEY) is used.
    type: path
  timeout:
    description:
      - Seconds within which one request must be answered to the last byte.
      - The longest that one request can take is (O(retries) + 2) * O(timeout) + O(retries) * 60 seconds. That is an attempt,
        one more to correct the clock, the further ones, and the pauses between them. A pause is of half a second at first
        and twice as long each time, or as long as the console asks for, but of no more than 60 seconds.
      - If it is not set, the value of the environment variable E(MANAGEDFS_TIMEOUT) is used.
    type: int
    default: 30
  retries:
    description:
      - How many further attempts a request gets after a failed connection or an answer 429, 500, 502, 503 or 504.
      - A request that creates something is repeated only where it surely was not accepted, or the record did not appear in
        the list within three seconds.
      - If it is not set, the value of the environment variable E(MANAGEDFS_RETRIES) is used.
    type: int
    default: 4
notes:
  - A blank option of type text or path counts as not set. For numbers and booleans that may be blank, as in the surveys of
    AWX, use the filter C(default(omit, true)).
  - Proxies are taken from the usual environment variables, such as E(HTTPS_PROXY) and E(NO_PROXY). Nothing else in the
    environment changes what is sent.
  - The clock of the machine on which the module runs may be off; requests are then signed with the console's time, and the
    task warns of it.
"""
