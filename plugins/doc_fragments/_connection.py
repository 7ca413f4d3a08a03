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
      - Address of the console, such as V(https://console.example.com), with or without V(/api/v1).
      - With V(http), everything is sent unencrypted, with a warning, unless the console is on the same machine and there is no proxy in
        between.
      - If not set, E(MANAGEDFS_CONSOLE_URL) is used.
    type: str
    required: true
  access_key:
    description:
      - Access key of an API key pair, from the account settings of the console.
      - If not set, E(MANAGEDFS_ACCESS_KEY) is used.
    type: str
    required: true
  secret_key:
    description:
      - Secret key of the API key pair. It signs requests and is never sent.
      - If not set, E(MANAGEDFS_SECRET_KEY) is used.
      - Set the variable in the shell or job that starts Ansible. Ansible prints what a play or task puts into
        C(environment) at high verbosity.
    type: str
    required: true
  validate_certs:
    description:
      - Whether to verify the certificate of the console. V(false) is for tests only, with a warning.
      - If not set, E(MANAGEDFS_VALIDATE_CERTS) is used.
    type: bool
    default: true
  ca_path:
    description:
      - File with the certificates of the authorities to trust instead of the built-in ones, or a directory of such files
        prepared for OpenSSL. E(REQUESTS_CA_BUNDLE) and E(CURL_CA_BUNDLE) have no effect.
      - If not set, E(MANAGEDFS_CA_PATH) is used.
    type: path
  client_cert:
    description:
      - File with a client certificate in PEM format. It must also contain the key if O(client_key) is not set.
      - If not set, E(MANAGEDFS_CLIENT_CERT) is used.
    type: path
  client_key:
    description:
      - File with the key of the client certificate, in PEM format.
      - If not set, E(MANAGEDFS_CLIENT_KEY) is used.
    type: path
  timeout:
    description:
      - Seconds within which a request must be answered, to the last byte of the response.
      - One request takes at most (O(retries) + 2) * O(timeout) + O(retries) * 60 seconds, with all attempts and pauses. The first pause
        takes half a second, and each further one twice as long, or as long as the console asks for, up to 60 seconds.
      - If not set, E(MANAGEDFS_TIMEOUT) is used.
    type: int
    default: 30
  retries:
    description:
      - How often a request is retried after a failed connection or status 429, 500, 502, 503 or 504.
      - One that creates something is retried only if it was certainly not accepted, or if the record does not appear within three seconds.
      - If not set, E(MANAGEDFS_RETRIES) is used.
    type: int
    default: 4
notes:
  - Modules run on the host of the play and read its environment variables, not those of the controller. Use V(localhost) in the play or
    in C(delegate_to). If a record is the same for all hosts of the play, add C(run_once=true), or each may create it. See
    R(Authentication and where modules run,ansible_collections.managedfs.console.docsite.authentication).
  - Blank text and V(null) count as not set, in tasks and in items of lists. For C(extend), blank text is a value.
  - A whole number or a size may end in V(.0), as the result of a division in a template does.
  - Proxies are taken from E(HTTPS_PROXY), E(NO_PROXY) and the like. Nothing else in the environment affects requests.
  - If the clock of the machine is wrong by up to an hour, requests are signed with the console's time, with a warning. This needs a verified
    connection, or a console on the same machine.
  - At most 32 MiB and 2,000,000 values are read of a response, or of all pages of a list together, and at most 10,000 pages. That is about
    three times what 50,000 records have.
"""
