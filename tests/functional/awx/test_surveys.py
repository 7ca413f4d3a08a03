# Copyright: (c) 2026, managedfs.console maintainers
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The surveys: AWX's rules for questions, and what the roles make of every answer that AWX lets through."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from functional.awx.stand_in import StandIn
from harness.places import CHECKOUT

ROLES = {"apply.yml": "apply", "check.yml": "apply", "report.yml": "report", "tenant.yml": "tenant"}
KEYS = {"question_name", "question_description", "variable", "type", "required", "choices", "default", "min", "max"}

Question = dict[str, Any]
Options = dict[str, dict[str, Any]]


def options_of(role: str) -> Options:
    """Return the options of a role."""
    path = CHECKOUT / "roles" / role / "meta" / "argument_specs.yml"
    options: Options = yaml.safe_load(path.read_text(encoding="utf-8"))["argument_specs"]["main"]["options"]
    return options


@pytest.fixture(scope="module")
def questions(created: StandIn) -> list[tuple[Question, Options]]:
    """Return every question of every template, with the options of the role that it is for."""
    surveys = [
        (template["survey_spec"], options_of(ROLES[template["playbook"]]))
        for template in created.told("job_template")
        if template["survey_enabled"]
    ]
    (workflow,) = created.told("workflow_job_template")
    surveys.append((workflow["survey_spec"], options_of("apply")))
    return [(question, options) for survey, options in surveys for question in survey["spec"]]


def test_questions_are_as_awx_wants_them(questions: list[tuple[Question, Options]]) -> None:
    for question, _options in questions:
        assert {"question_name", "variable", "type", "required"} <= set(question) <= KEYS
        assert isinstance(question["required"], bool)
        assert question["type"] in ("text", "multiplechoice", "multiselect")
        if question["type"] != "text":
            # In a list AWX keeps a blank choice, in text it drops it.
            assert isinstance(question["choices"], list)
            assert all(isinstance(choice, str) for choice in question["choices"])
            assert question.get("default", "") in {*question["choices"], ""}


def test_nothing_is_required_that_has_a_default(questions: list[tuple[Question, Options]]) -> None:
    defaults = [question for question, _options in questions if "default" in question]
    assert not [question for question in defaults if question["required"] or question["type"] == "multiselect"]


def test_a_role_knows_what_is_asked_for_and_takes_every_choice(questions: list[tuple[Question, Options]]) -> None:
    for question, options in questions:
        option, offered = options[question["variable"]], set(question.get("choices", [])) - {""}
        assert question["required"] == option.get("required", False)
        assert (question["type"] == "multiselect") == (option["type"] == "list")
        assert offered == ({"true", "false"} if option["type"] == "bool" else set(option.get("choices", [])) - {""})


def test_tokens_are_not_asked_for(questions: list[tuple[Question, Options]]) -> None:
    asked = {question["variable"] for question, options in questions if "tenant_name" in options}
    assert set(options_of("tenant")) - asked == {"tenant_token_file"}


def test_a_question_says_how_to_answer_what_yaml_takes_for_something_else(
    questions: list[tuple[Question, Options]],
) -> None:
    hints = {"tenant_size": "unit", "tenant_inodes": "010 for 8", "tenant_iprange": "any for any address"}
    asked = [question for question, _options in questions if question["type"] == "text"]
    assert len(asked) > len(hints)
    for question in asked:
        assert hints.get(question["variable"], "In quotation marks") in question["question_description"]
