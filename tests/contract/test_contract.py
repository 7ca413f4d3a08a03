# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The emulator is a console of the documented contract: docs/openapi.yml, against which it is fuzzed.

Where that says "not shown", anything is allowed. So what can fail is: a response of 500 or more, a list of volumes that is
not an array of volumes with fields of the documented types, and a request that is accepted without a valid signature.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import response_schema_conformance

from emulator import Dialect, Emulator
from emulator.signature import sign_headers
from harness.places import CHECKOUT

SCHEMA = schemathesis.openapi.from_path(str(CHECKOUT / "docs/openapi.yml"))
VOLUME, EXPORT, QUOTA = 101, 2001, 30001
EXISTING = {"volume_id": VOLUME, "export_id": EXPORT, "quota_id": QUOTA}
# Consoles that fill only what the specification leaves open; numbers as text and pages of volumes are beyond it.
KINDS = ("default", "terse", "chatty", "normalising", "resetting", "rejecting", "late", "lagging", "limited")
TOO_OLD = 301


class Signed(requests.auth.AuthBase):
    """Signs a request as it is sent, for a time that is some seconds ago, or with a wrong key."""

    def __init__(self, emulator: Emulator, age: int = 0, key: str = "") -> None:
        self.emulator, self.age, self.key = emulator, age, key or emulator.secret_key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        body = request.body.encode() if isinstance(request.body, str) else request.body
        now = int(time.time()) - self.age
        method, url = str(request.method), str(request.url)
        request.headers.update(sign_headers(self.emulator.access_key, self.key, now, method, url, body=body))
        return request


@pytest.fixture(scope="module", params=KINDS)
def console(request: pytest.FixtureRequest) -> Iterator[Emulator]:
    """Yield a console with a record of each kind."""
    with Emulator(dialect=Dialect.named(request.param)) as emulator:
        emulator.retry_delay = None
        emulator.add_volume(id=VOLUME, name="v", bucket="https://v.example.com")
        emulator.add_export(VOLUME, id=EXPORT, desc="web", iprange="*")
        emulator.add_quota(VOLUME, id=QUOTA, path="/a", size=5)
        yield emulator


@SCHEMA.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_response_contradicts_the_contract(case: Any, console: Emulator) -> None:
    # Half of the requests are about what is there.
    for name, value in dict(case.path_parameters or {}).items():
        if isinstance(value, int) and value % 2 == 0 and (name != "volume_id" or case.method != "DELETE"):
            case.path_parameters[name] = EXISTING[name]
    response = case.call(base_url=console.api_url, auth=Signed(console))
    # 501 is what some say of a route that they do not have.
    assert response.status_code < HTTPStatus.INTERNAL_SERVER_ERROR or response.status_code == HTTPStatus.NOT_IMPLEMENTED
    case.validate_response(response, checks=[response_schema_conformance])


def test_volumes_of_other_types_contradict_the_contract() -> None:
    with Emulator(dialect=Dialect.named("stringly")) as emulator:
        emulator.add_volume(name="v", bucket="https://v.example.com")
        case = SCHEMA["/volumes"]["GET"].Case()
        response = case.call(base_url=emulator.api_url, auth=Signed(emulator))
        with pytest.raises(FailureGroup, match="is not of type"):
            case.validate_response(response, checks=[response_schema_conformance])


@pytest.mark.parametrize("fault", [{"age": TOO_OLD}, {"age": -TOO_OLD}, {"key": "another"}, None], ids=str)
def test_what_is_not_signed_as_documented_is_rejected(console: Emulator, fault: dict[str, Any] | None) -> None:
    auth = None if fault is None else Signed(console, **fault)
    headers = {"Authorization": "no token"} if fault is None else {}
    for path in ("/volumes", f"/volumes/{VOLUME}/exports", f"/volumes/{VOLUME}/quotas"):
        response = requests.get(console.api_url + path, auth=auth, headers=headers, timeout=10)
        assert 400 <= response.status_code < 500
