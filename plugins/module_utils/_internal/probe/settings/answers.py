# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The settings of the emulator that are about responses, and how a probe finds them, as data. Pure."""

from __future__ import annotations

from ..inference import answers, traffic
from ..inference.finding import OTHER, Setting

SETTINGS = (
    Setting(
        "create_status",
        "the status of the creations of a volume, an export and a quota",
        "",
        answers.create_status,
        {
            201: "Nothing: the list is read to see what was created.",
            200: "Nothing: the list is read to see what was created.",
            202: "The console may still be at work when it answers; tasks wait until the list shows the record.",
            204: "The response names nothing; tasks find what was created in the list.",
        },
    ),
    Setting(
        "create_body",
        "the body of the responses to the creations of a volume, an export and a quota",
        "",
        answers.create_body,
        {
            "record": "If two tasks create the same record at once, each can tell which is its own.",
            "id": "If two tasks create the same record at once, each can tell which is its own.",
            "empty": "If two tasks create the same record at once, they can tell only from the list.",
            "page": "If two tasks create the same record at once, they can tell only from the list.",
            "html": "If two tasks create the same record at once, they can tell only from the list.",
        },
    ),
    Setting(
        "delete_status",
        "the status of the deletions of an export, a quota and the scratch volume",
        "with use_existing, where exports and quotas cannot be deleted",
        answers.delete_status,
        dict.fromkeys((204, 200, 202), "Nothing: tasks wait until the list no longer shows the record."),
    ),
    Setting(
        "delete_body",
        "the body of the responses to the deletions of an export, a quota and the scratch volume",
        "as for delete_status",
        answers.delete_body,
        dict.fromkeys(("empty", "json"), "Nothing: it is not used."),
    ),
    Setting(
        "delete_children",
        "the response to DELETE on an export and a quota, and whether they are gone then",
        "where records show no id",
        answers.delete_children,
        {
            "yes": "state: absent and purge work for exports and quotas.",
            "404": "state: absent and purge fail for exports and quotas, and say that the console does not delete them.",
            "405": "state: absent and purge fail for exports and quotas, and say that the console does not delete them.",
            "501": "state: absent and purge fail for exports and quotas, and say that the console does not delete them.",
        },
    ),
    Setting(
        "auth_status",
        "the status of a request that was signed an hour ago, and of one that was signed with another key",
        "",
        answers.auth_status,
        {
            **dict.fromkeys((401, 403), "A wrong clock is noticed and corrected, a wrong key is reported."),
            400: "A wrong clock is noticed, and corrected if the message speaks of the time; a wrong key is reported.",
            418: "A wrong clock is noticed, but not corrected; a wrong key is reported.",
        },
    ),
    Setting(
        "error_body",
        "the body of the response to an export whose iprange is no network",
        "in check mode, where errors are JSON",
        answers.error_body,
        {
            "field": "Errors name the field that was refused.",
            "detail": "Errors are shown as the console words them.",
            "error": "Errors are shown as the console words them.",
            "text": "Errors are shown as the console words them.",
            "html": "Errors show the title of a page, which may say little.",
            "empty": "Errors show only a status; which option was refused is left to guess.",
        },
    ),
    Setting(
        "unknown_route",
        "the response to GET on a route that no console has",
        "",
        answers.unknown_route,
        {
            "404": "api_request fails on a route that the console does not have.",
            "405": "api_request fails on a route that the console does not have.",
            "501": "api_request fails on a route that the console does not have.",
            "html": "api_request succeeds on a route that the console does not have: look at content.",
        },
    ),
    Setting(
        "single_get",
        "the response to GET on the path of the volume",
        "",
        answers.single_get,
        {
            True: "api_request can read a single volume; the modules read the list.",
            False: "A single volume cannot be read; the modules read the list.",
        },
    ),
    Setting(
        "ready_route",
        "the response to GET on is_ready below the volume",
        "",
        answers.ready_route,
        {
            True: "volume waits until a new volume can be used.",
            False: "A new volume counts as usable once it is listed; what follows may fail where that is too early.",
        },
    ),
    Setting(
        "ready_after",
        "since the creation of the volume, when is_ready is true",
        "with use_existing; where the console has no is_ready",
        answers.ready_after,
        {0.0: "Tasks need not wait for a new volume.", OTHER: "volume waits up to {value:g} s for a new volume."},
    ),
    Setting(
        "regions_route",
        "the responses to GET on regions and clouds",
        "",
        answers.regions_route,
        {
            True: "api_request can list the regions, for the option region.",
            False: "The numbers of regions have to be known from elsewhere.",
        },
    ),
    Setting(
        "rate_limit",
        "whether a response 429 comes after a fixed number of requests; none is provoked",
        "where the limit is above what a probe sends",
        traffic.rate_limit,
        {
            0: "A task with few requests is not slowed down; more than a probe sends may be.",
            OTHER: "Every request number {value} has to wait: lists of records take longer.",
        },
    ),
    Setting(
        "retry_after",
        "the header Retry-After of a response 429",
        "where there is no response 429",
        traffic.retry_after,
        {
            "seconds": "Tasks wait as long as the console asks, up to a minute.",
            "date": "Tasks wait as long as the console asks, up to a minute.",
            "none": "Tasks wait half a second at first, and longer each time.",
        },
    ),
    Setting(
        "clock_offset",
        "the Date of all responses, compared with the clock of the machine on which the module runs",
        "where responses have no Date, or come from a cache",
        traffic.clock_offset,
        {
            0: "The clocks agree.",
            OTHER: "The console's clock differs by {value} s; from 300 to 3600, each task corrects the time and warns.",
        },
    ),
)
