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
      - Environment variables are read on the host on which the module runs, see the notes.
      - With V(http) instead of V(https), everything is sent unencrypted; the task warns about it, unless the console is on the
        same machine and there is no proxy in between.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CONSOLE_URL) is used.
    type: str
    required: true
  access_key:
    description:
      - Access key of an API key pair. Key pairs are created in the account settings of the console.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_ACCESS_KEY) is used.
    type: str
    required: true
  secret_key:
    description:
      - Secret key of the API key pair. It is used to sign requests and is never sent.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_SECRET_KEY) is used.
      - Set the variable in the shell or job that starts Ansible. Ansible prints what a play or task puts into
        C(environment) at high verbosity.
    type: str
    required: true
  validate_certs:
    description:
      - Whether to verify the certificate of the console. V(false) accepts any certificate and is meant for tests only; the
        task warns about it.
      - If it is not set, the value of the environment variable E(MANAGEDFS_VALIDATE_CERTS) is used.
    type: bool
    default: true
  ca_path:
    description:
      - File with the certificates of the authorities to trust instead of the built-in ones, or a directory of such files
        prepared for OpenSSL.
      - The environment variables E(REQUESTS_CA_BUNDLE) and E(CURL_CA_BUNDLE) have no effect.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CA_PATH) is used.
    type: path
  client_cert:
    description:
      - File with a client certificate in PEM format. It must also contain the key if O(client_key) is not set.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CLIENT_CERT) is used.
    type: path
  client_key:
    description:
      - File with the key of the client certificate, in PEM format.
      - If it is not set, or blank, the value of the environment variable E(MANAGEDFS_CLIENT_KEY) is used.
    type: path
  timeout:
    description:
      - Seconds within which a request must be answered, to the last byte of the response.
      - The longest that one request can take is (O(retries) + 2) * O(timeout) + O(retries) * 60 seconds. This covers the first
        attempt, one more with a corrected clock, the retries, and the pauses between them. The first pause takes half a second,
        and each further one twice as long, or as long as the console asks for, but never more than 60 seconds.
      - If it is not set, the value of the environment variable E(MANAGEDFS_TIMEOUT) is used.
    type: int
    default: 30
  retries:
    description:
      - How often a request is retried after a failed connection or a response with status 429, 500, 502, 503 or 504.
      - A request that creates something is retried only if it was certainly not accepted, or if the record did not appear in
        the list within three seconds.
      - If it is not set, the value of the environment variable E(MANAGEDFS_RETRIES) is used.
    type: int
    default: 4
notes:
  - Modules run on the host of the play and read the environment variables of that host, which are not those of the controller.
    Use the host V(localhost) in the play, or in C(delegate_to) of the task. If a record is the same for all hosts of the play, add
    C(run_once=true), or tasks that run at once may each create it. See
    R(Authentication and where modules run,ansible_collections.managedfs.console.docsite.authentication).
  - Blank text and V(null) count as not set, for options of every type, in tasks and in items of lists, such as blank answers of an AWX
    survey. For C(extend), blank text is a value.
  - A whole number, also in an item of a list or as a size, may end in V(.0), as the result of a division in a template does.
  - Proxies are taken from the usual environment variables, such as E(HTTPS_PROXY) and E(NO_PROXY). Nothing else in the
    environment affects requests.
  - If the clock of the machine on which the module runs is wrong by up to an hour, requests are signed with the console's time,
    and the task warns about it. This needs a verified connection, or a console on the same machine.
  - At most 32 MiB and 2,000,000 values are read of a response, or of all pages of a list together, and at most 10,000 pages of a
    list. That is about three times what 50,000 records have.
"""
