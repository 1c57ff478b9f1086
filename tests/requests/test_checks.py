"""What can be known before long work is said before it."""

import pytest

import biombo as bb

FILES = {"files": ["people.csv"]}
SEARCH = {**FILES, "quasi": ["age", "sex"], "k": 5}
PUBLISH = {**SEARCH, "out": "release"}


def listing(folder) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize(
    "request_",
    [
        bb.RiskRequest(**FILES, quasi=["age"], sensitive=["disease"], out="risk", records=["age"]),
        bb.RiskRequest(**FILES, quasi=["age"], population="census.csv"),
        bb.SearchRequest(**SEARCH, out="found.yaml", report="search.html"),
        bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv"),
        bb.PublishRequest(**PUBLISH, key="signing.key"),
        bb.PublishRequest(**FILES, plan="plan.yaml", out="release"),
        bb.UtilityRequest(original="people.csv", release="census.csv", plan="plan.yaml", predict="disease"),
    ],
)
def test_what_can_be_done_passes_and_nothing_is_made(folder, request_):
    before = listing(folder)
    request_.check()

    assert listing(folder) == before


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (bb.RiskRequest(quasi=["age"]), "No table is named"),
        (bb.RiskRequest(**FILES), "quasi"),
        (bb.RiskRequest(files=["nowhere.csv"], quasi=["age"]), "nowhere.csv"),
        (bb.RiskRequest(**FILES, quasi=["agee"]), "'agee'"),
        (bb.RiskRequest(**FILES, quasi=["age"], records=["sex"], out="risk"), "'sex'"),
        (bb.RiskRequest(**FILES, quasi=["age"], records=["age"]), "--private"),
        (bb.RiskRequest(**FILES, quasi=["age"], by=["sex"], fraction=0.5), "--by"),
        (bb.RiskRequest(**FILES, quasi=["age"], population="nobody.csv"), "nobody.csv"),
        (bb.SearchRequest(**FILES, quasi=["age"]), "--k"),
        (bb.SearchRequest(**FILES, k=5), "quasi"),
        (bb.SearchRequest(**FILES, quasi=[["age"], ["sex"]], k=5, frontier=True), "--frontier"),
        (bb.SearchRequest(**SEARCH, out="people.csv"), "exists already"),
        (bb.SearchRequest(**SEARCH, report="nowhere/search.html"), "nowhere"),
        (bb.SearchRequest(**{**SEARCH, "files": ["people.csv", "people.csv"]}), "people.csv"),
        (bb.ApplyRequest(**FILES, out="out.csv"), "--plan"),
        (bb.ApplyRequest(**FILES, plan="plan.yaml"), "--out"),
        (bb.ApplyRequest(**FILES, plan="nowhere.yaml", out="out.csv"), "nowhere.yaml"),
        (bb.ApplyRequest(**FILES, plan="plan.yaml", out="people.csv"), "people.csv"),
        (bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv", key=["no.key"]), "no.key"),
        (bb.ApplyRequest(**FILES, plan="plan.yaml", out="out.csv", keep_column=["agee"]), "'agee'"),
        (bb.PublishRequest(**SEARCH), "--out"),
        (bb.PublishRequest(**FILES, out="release"), "either a plan"),
        (bb.PublishRequest(**PUBLISH, plan="plan.yaml"), "either a plan"),
        (bb.PublishRequest(**FILES, plan="plan.yaml", out="release", level={"age": 1}), "--level"),
        (bb.PublishRequest(**{**PUBLISH, "k": 1}), "1"),
        (bb.PublishRequest(**PUBLISH, harm="low"), "--release-model"),
        (bb.PublishRequest(**PUBLISH, release_model="controlled", harm="low"), "--motivation, --acquaintances"),
        (bb.PublishRequest(**PUBLISH, department="Health"), "--department"),
        (bb.PublishRequest(**PUBLISH, register="register.db"), "--department, --review, --release-model"),
        (bb.PublishRequest(**PUBLISH, accept_column=["age"]), "reason"),
        (bb.PublishRequest(**PUBLISH, key="no.key"), "no.key"),
        (bb.PublishRequest(**PUBLISH, other=["agee"]), "'agee'"),
        (bb.PublishRequest(**{**PUBLISH, "out": "hierarchies"}), "hierarchies"),
        (bb.PublishRequest(**PUBLISH, private="release/private"), "inside of the public one"),
        (bb.UtilityRequest(original="people.csv"), "Name two tables"),
        (bb.UtilityRequest(original="people.csv", release="nowhere.csv"), "nowhere.csv"),
        (bb.UtilityRequest(original="people.csv", release="census.csv", predict="agee"), "'agee'"),
    ],
)
def test_what_cannot_is_one_sentence_before_anything_is_made(folder, request_, sentence):
    before = listing(folder)
    for ask in (request_.check, request_.run):
        with pytest.raises(bb.BiomboError) as caught:
            ask()
        assert sentence in str(caught.value)
        assert "\n" not in str(caught.value)

    assert listing(folder) == before


def test_checking_a_publication_says_what_it_takes(folder):
    assert bb.PublishRequest(**PUBLISH).check() == bb.estimate_publishing("people.csv")


def test_checking_begins_the_register(folder):
    from datetime import date

    answers = {"release_model": "public", "harm": "low", "department": "Health", "review": date(2030, 1, 31)}
    bb.PublishRequest(**PUBLISH, **answers, register="register.db").check()

    assert list(bb.Register.open("register.db").list()) == []
