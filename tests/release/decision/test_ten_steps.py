import pytest

import biombo as bb
from biombo._i18n import LANGUAGES, set_language
from biombo._release import TECHNICAL_CONTROLS

PLAN = bb.Plan(
    [bb.SuppressColumn("phone"), bb.SuppressGroups()],
    criteria=[bb.KAnonymity(5)],
    quasi=["age", "city"],
    sensitive=["disease"],
    identifiers=["cpf"],
)
PUBLIC = bb.Decision(bb.PublicRelease(harm="low"), 5)


def statuses(steps):
    return {step.name: step.status for step in steps}


def test_there_are_ten_steps_in_the_order_of_the_guide():
    steps = bb.ten_steps(PLAN, PUBLIC)

    assert [step.number for step in steps] == list(range(1, 11))
    assert [step.name for step in steps] == [
        "model",
        "threshold",
        "classify",
        "remove",
        "anonymise",
        "risk",
        "more",
        "evaluate",
        "controls",
        "document",
    ]


def test_what_the_plan_and_the_decision_tell_is_filled_in():
    told = {step.name: step.sentence for step in bb.ten_steps(PLAN, PUBLIC)}

    assert "identifiers: cpf; quasi: age, city; sensitive: disease" in told["classify"]
    assert "cpf, phone" in told["remove"]
    assert "suppression of a column, suppression of groups" in told["anonymise"]
    assert "1/5 × 1 = 0.2" in told["risk"]


def test_a_finished_release_leaves_no_step_open(controlled):
    decision = bb.Decision(controlled(controls=["view-only"], measures=["a contract"]), 5)
    steps = bb.ten_steps(PLAN, decision, utility_assessed=True, documented_in="register entry 7")

    assert "open" not in statuses(steps).values()
    assert statuses(steps)["more"] == "not-needed"
    assert steps[8].sentence == "view only, without saving or printing; a contract."
    assert "register entry 7" in steps[9].sentence
    assert PLAN.hash in steps[9].sentence


def test_what_was_not_done_is_open(controlled):
    steps = bb.ten_steps(bb.Plan(), bb.Decision(controlled("high", "none"), 2))
    still_open = [name for name, status in statuses(steps).items() if status == "open"]

    assert still_open == ["classify", "remove", "anonymise", "more", "evaluate", "controls", "document"]


def test_an_override_stands_in_the_steps():
    decision = bb.Decision(bb.PublicRelease(harm="high"), 5, override="the law demands it")
    step = bb.ten_steps(PLAN, decision)[6]

    assert step.status == "overridden"
    assert "the law demands it" in step.sentence


def test_an_identifier_that_is_released_as_a_pseudonym_was_not_removed():
    plan = bb.Plan([bb.Pseudonymise("cpf", "random")], quasi=["age"], identifiers=["cpf", "name"])

    assert bb.ten_steps(plan, PUBLIC)[3].sentence == "not released: name."


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_step_and_control_is_worded(controlled, code):
    set_language(code)
    steps = bb.ten_steps(PLAN, bb.Decision(controlled(controls=TECHNICAL_CONTROLS), 5))

    assert all(str(step).startswith(f"{step.number}. {step.title} (") for step in steps)
    assert steps[8].sentence.count(";") == len(TECHNICAL_CONTROLS) - 1


def test_steps_as_plain_values():
    step = bb.ten_steps(PLAN, PUBLIC)[8]

    assert step.as_json() == {
        "number": 9,
        "name": "controls",
        "status": "not-needed",
        "sentence": "a public release cannot be controlled.",
    }


def test_what_only_the_schema_says_of_columns_counts_too():
    described = bb.Schema(
        {
            "cpf": bb.ColumnSchema(role="identifier"),
            "age": bb.ColumnSchema(role="quasi"),
            "disease": bb.ColumnSchema(role="sensitive"),
        }
    )
    steps = bb.ten_steps(bb.Plan([bb.Round("visits", 5)]), PUBLIC, schema=described, left_out=["remark"])

    assert steps[2].sentence == "identifiers: cpf; quasi: age; sensitive: disease."
    assert steps[3].sentence == "not released: cpf, remark."
    assert (steps[2].status, steps[3].status) == ("done", "done")


def test_the_plan_goes_before_the_schema():
    described = bb.Schema({"age": bb.ColumnSchema(role="quasi"), "town": bb.ColumnSchema(role="quasi")})
    steps = bb.ten_steps(bb.Plan(quasi=["age"]), PUBLIC, schema=described)

    assert "quasi: age;" in steps[2].sentence


def test_the_report_of_a_release_has_what_its_schema_says(tmp_path):
    described = bb.Schema(
        {
            "city": bb.ColumnSchema(role="quasi"),
            "disease": bb.ColumnSchema(role="sensitive"),
            "sex": bb.ColumnSchema(role="identifier"),
        }
    )
    plan = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(3)])
    model = bb.PublicRelease(harm="low", own_threshold=0.4)
    release = bb.publish(bb.samples.clinic(), plan, tmp_path / "clinic", schema=described, model=model)
    report = (release.private / "report.html").read_text()

    assert "Identifiers: sex; quasi: city; sensitive: disease." in report
    assert "Not released: sex, name, age." in report
