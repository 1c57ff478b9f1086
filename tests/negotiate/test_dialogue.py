"""A negotiation in words: every fact is one sentence, and only the private report of a release has any of it."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import negotiations
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from negotiations import begun, decades, preparation
from report_reading import read_back
from report_rules import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, ENGLISH, HOSTILE

import biombo as bb
from biombo._i18n import LANGUAGES, _catalogue, set_language
from biombo._negotiate import ACTS, FINDINGS, Actor, DataRequest, Event, Requester, State, dialogue_of, sentence_of
from biombo._report import RequestedFact, render_dialogue
from biombo._report.charts import as_specification, drawing

KINDS: dict[str, Any] = {kind.name: kind for kind in (*ACTS, *FINDINGS)}
BEGAN = datetime(2026, 5, 1, 14, 30, tzinfo=UTC)
RITA, ANA, SYSTEM = Actor("requester", "Rita Quixaba"), Actor("manager", "Ana Umbu"), Actor("system", "Biombo")
BENTA, DARIO = Actor("committee", "Benta Mangaba"), Actor("committee", "Dario Pequi")
REQUEST = DataRequest(
    requester=Requester(
        kind="private-institution",
        name="Rita Quixaba",
        address="Rua Xiquexique, 7",
        document="987.654.321-00",
        document_type="CPF",
        attachments={"termo-bacupari.pdf": "ab" * 32},
    ),
    wanted={"Idade": "anos pitomba", "Vacina": "vacina jatobá"},
    dimension="truth",
    purpose="estudar a cobertura jabuticaba",
    selection="só cambuci",
)
SCHEMA = bb.Schema({"idade": bb.ColumnSchema(role="quasi"), "vacina": bb.ColumnSchema(role="sensitive")})
COARSER = bb.Generalise("idade", bb.Hierarchy.by_interval(10), 1)
SHORTER, GONE = bb.MaskCharacters("cep", keep_first=4), bb.SuppressColumn("sexo")
OFFER = {
    "number": 4,
    "plan": {},
    "plan_hash": "c0ffee" * 10,
    "k": 3,
    "l": 2,
    "epsilon": None,
    "measured": {
        "records": 41,
        "groups": 9,
        "smallest_group": 3,
        "groups_below": 1_234,
        "records_below": 5,
        "singled_out": 7_357,
        "lost": 2_126,
        "noised": 0,
        "reidentified": 0.2,
        "worst": 0.33,
        "posterior": {"vacina": 0.625},
    },
    "asked": [["told", "idade: cagaita", "requester"], ["told", "supressão", "manager"]],
    "allowed": False,
    "decision": [],
}
METRICS = {"completeness": 0.875, "precision": None, "loss": 0.25, "predict": "vacina"} | {
    "accuracy": {"original": 0.84, "release": 0.82, "new_records": None}
}
OBSTACLES = (
    {"columns": ["idade"], "groups": 13, "records": 33, "singled_out": 3},
    {"columns": ["idade", "cep"], "groups": 11_275, "records": 11_300, "singled_out": 8_888},
)
SENT = ({"columns": ["cep"], "below": 0.5}, {"columns": ["idade", "cep"], "below": None})
UNIFORM = {"vacina": {"groups": 12, "records": 77}, "dose": {"groups": 0, "records": 0}}

TOLD: list[tuple[str, dict[str, Any], list[str]]] = [
    ("ask", {"request": REQUEST.to_tree()}, ["anos pitomba", "vacina jatobá", "só cambuci"]),
    ("ask-for-more", {"text": "caju"}, ["caju"]),
    ("supplement", {"text": "caju", "attachments": {"anexo.pdf": "00ff"}}, ["caju", "anexo.pdf: 00ff"]),
    ("extend", {"reason": "caju"}, ["caju"]),
    ("reject", {"reason": "caju"}, ["caju"]),
    ("appeal", {"reason": "caju"}, ["caju"]),
    ("decide-appeal", {"granted": True, "reason": "caju"}, ["caju"]),
    ("decide-appeal", {"granted": False, "reason": "caju"}, ["caju"]),
    ("withdraw", {}, []),
    ("withdraw", {"reason": "caju"}, ["caju"]),
    ("message", {"text": "caju"}, ["“caju”"]),
    ("note", {"text": "caju"}, ["“caju”"]),
    ("accept-terms", {"terms": "ab" * 32}, ["ab" * 32]),
    (
        "prepare",
        {"columns": {"Idade": "idade", "Vacina": None}, "schema": SCHEMA, "model": {}, "k": 7, "epsilon": 0.001}
        | {"where": {"cidade": "Cajari"}, "message": "caju"},
        ["Idade → idade", "Vacina → ", "TG 7", "0.001|0,001", "cidade: Cajari", "caju", "idade", "vacina"],
    ),
    (
        "accept",
        {"manipulations": (COARSER, SHORTER, GONE), "max_suppression": 0.2, "message": "caju"},
        ["idade: ", "level 1 of 1|nível 1 de 1", "cep: ", "(keep-first 4)", "sexo: ", "20.0%|20,0%", "caju"],
    ),
    ("propose", {"k": 5, "l": 2, "epsilon": 1.5, "message": "caju"}, ["TG 5", "QMASG 2", "ε 1.5|ε 1,5", "caju"]),
    ("ask-for-plans", {"weights": {"idade": 2}, "bounds": {"sexo": [1, 2]}}, ["idade: 2", "sexo: 1 / 2"]),
    ("carry-out", {"k": 5, "message": "caju"}, ["TG 5", "caju"]),
    ("suggest", {"manipulations": (COARSER,), "k": 5, "message": "caju"}, ["idade: ", "TG 5", "caju"]),
    ("set-condition", {"k": 3, "max_suppression": 0.2}, ["TG 3", "20.0%|20,0%"]),
    ("answer", {"accepted": True, "message": "caju"}, ["caju"]),
    ("answer", {"accepted": False}, []),
    ("decline", {"reason": "caju"}, ["caju"]),
    ("override", {"reason": "caju"}, ["caju"]),
    ("ask-diversity", {"l": 2}, ["QMASG 2"]),
    ("waive", {"l": 2, "reason": "caju", "values": {"vacina": {"A": "low"}}}, ["QMASG 2", "caju", "vacina: A ("]),
    ("give-synonyms", {"synonyms": {"vacina": {"A": ["aa", "ah"]}}}, ["vacina: A → aa / ah"]),
    ("send-metrics", {}, []),
    ("review", {"accepted": True, "message": "caju"}, ["caju"]),
    ("review", {"accepted": False}, []),
    (
        "write-report",
        {"department": "Setor Cajá", "title": "Vacinas", "accept": {"dose": "caju"}},
        ["Setor Cajá", "Vacinas", "dose: caju"],
    ),
    ("vote", {"approve": True, "reason": "caju"}, ["caju"]),
    ("vote", {"approve": False, "reason": "caju"}, ["caju"]),
    ("make-available", {"message": "caju"}, ["as a download|por download", "caju"]),
    ("make-available", {"way": "view-only"}, ["to look at|na tela"]),
    (
        "record-visit",
        {"visitor": "Rita", "day": date(2025, 3, 7), "place": "sala 2", "watched_by": "Ana", "message": "caju"},
        ["Rita", "2025-03-07", "sala 2", "Ana", "caju"],
    ),
    ("revoke", {"reason": "caju"}, ["caju"]),
    ("amend", {"reason": "caju"}, ["caju"]),
    ("erase", {"events": (3, 14), "reason": "caju"}, ["3, 14", "caju"]),
    ("origin-found", {"release": "00ff", "records": 118, "of": 120}, ["00ff", "118", "120"]),
    (
        "prepared",
        {"columns": {"Idade": "idade", "Vacina": None}, "quasi": ("idade",), "sensitive": ("vacina",), "k": 7},
        ["Idade → idade", "idade", "vacina", "TG 7"],
    ),
    ("levels-set", {"k": 5, "l": 2, "epsilon": 1.5}, ["TG 5", "QMASG 2", "ε 1.5|ε 1,5"]),
    ("offered", {"offer": OFFER}, ["4", "c0ffeec0ffee", "1,234|1.234", "7,357|7.357", "2,126|2.126"]),
    (
        "records-checked",
        {"holds": True, "obstacles": ({**OBSTACLES[0], "groups": 0},)},
        ["suppression counted.|supressão."],
    ),
    ("records-checked", {"holds": True, "obstacles": OBSTACLES}, ["TG: 11,275|TG: 11.275"]),
    ("records-checked", {"holds": False, "obstacles": OBSTACLES}, ["11,275|11.275", "11,300|11.300", "8,888|8.888"]),
    ("records-checked", {"holds": False, "obstacles": OBSTACLES, "noised": True}, ["11,275|11.275"]),
    ("records-checked", {"holds": False, "noised": True}, []),
    ("blocking-sent", {"obstacles": SENT}, ["cep 50%", "idade + cep."]),
    ("records-protected", {"how": "groups"}, []),
    ("records-protected", {"how": "noise", "still_unique": {"share": 0.25}}, ["25%"]),
    ("records-protected", {"how": "noise", "still_unique": {"share": None}}, ["not told|não informado"]),
    ("values-checked", {"holds": True, "literal_holds": True}, []),
    ("values-checked", {"holds": False, "literal_holds": True, "columns": UNIFORM}, ["vacina: 12", "77"]),
    ("values-checked", {"holds": False, "literal_holds": False, "columns": UNIFORM, "noised": True}, ["vacina: 12"]),
    (
        "values-checked",
        {"holds": True, "literal_holds": True, "columns": UNIFORM, "silent": True},
        ["not told|não é informado"],
    ),
    ("values-sent", {"values": {"vacina": ["A", "B"]}}, ["vacina: A, B."]),
    ("values-sent", {"values": {"vacina": []}}, ["vacina: –."]),
    ("values-protected", {"how": "values"}, []),
    ("values-protected", {"how": "waived"}, []),
    ("values-protected", {"how": "noise"}, []),
    ("values-protected", {"how": "untold"}, []),
    ("plans-found", {"plans": ({}, {}, {})}, ["3 "]),
    ("plans-sent", {"plans": ()}, ["0 "]),
    ("metrics-measured", {"metrics": METRICS}, ["87.5%|87,5%", "25.0%|25,0%", "vacina", "84.00%|84,00%"]),
    ("metrics-sent", {"metrics": {"completeness": None}}, ["not told|não informado"]),
    ("joint-risk-measured", {"joint": {}}, []),
    ("report-written", {"release": "r31ea5e", "manifest_hash": "m", "plan_hash": "c0ffee" * 10}, ["r31ea5e"]),
    ("votes-counted", {"approved": True}, []),
    ("votes-counted", {"approved": False}, []),
    ("expired", {"due": "2026-06-01"}, ["2026-06-01"]),
]
"""Facts by name, their entries, and what their sentence must have, in English or Portuguese."""


def fact(name: str, **entries: Any) -> Any:
    return KINDS[name](**entries)


def chain(*happened: tuple[Actor, int, Any]) -> list[Event]:
    """Events of one negotiation, a minute apart."""
    events: list[Event] = []
    for minute, (actor, process, said) in enumerate(happened):
        at = BEGAN + timedelta(minutes=minute)
        events.append(Event.following(events[-1] if events else None, at, actor, process, said))
    return events


ASKED = (RITA, 1, fact("ask", request=REQUEST.to_tree()))


def worded(facts: Iterable[Any]) -> list[str]:
    """The sentences of facts, as the dialogue has them; votes are counted in the end."""
    events = chain(ASKED, *((ANA, 6, each) for each in facts), (SYSTEM, 14, fact("votes-counted", approved=True)))
    return [step.what for step in dialogue_of(State.of(events[:1]), events).steps[1:-1]]


@pytest.fixture(scope="module", params=LANGUAGES)
def sentences(request) -> tuple[str, list[str]]:
    """The language, and the sentences of all that can happen."""
    set_language(request.param)
    told = worded(fact(name, **entries) for name, entries, _ in TOLD)
    set_language("en")
    return request.param, told


def test_every_fact_is_among_those_told_here() -> None:
    assert {name for name, _, _ in TOLD} == {*KINDS}


def test_every_fact_is_one_sentence_with_all_that_was_said(sentences) -> None:
    _, told = sentences
    missing = [
        (sentence, piece)
        for sentence, (_, _, pieces) in zip(told, TOLD, strict=True)
        for piece in pieces
        if not any(each in sentence for each in piece.split("|"))
    ]

    assert missing == []
    assert [sentence for sentence in told if not re.fullmatch(r"[A-Z][^{}\n]*\.", sentence)] == []
    assert len({*told}) == len(TOLD)


def test_sentences_are_in_the_language_in_use(sentences) -> None:
    language, told = sentences
    heads = [message for key, message in _catalogue(language).items() if key.startswith("negotiation.dialogue.head.")]
    unused = [head for head in heads if not any(sentence.startswith(head) for sentence in told)]
    said = {*re.findall(r"[a-zà-ú]+", " ".join(told).lower())}

    assert len(heads) > 50
    assert len(unused) == 2, "an erased event, and a vote that is not counted yet"
    assert language == "en" or said & ENGLISH == set()


@given(said=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1).filter(str.strip))
def test_whatever_somebody_writes_is_told_as_it_is(said) -> None:
    sentences = worded([fact("message", text=said), fact("reject", reason=said), fact("carry-out", message=said)])

    assert all(f"“{said.strip()}”" in sentence for sentence in sentences)


@pytest.fixture
def negotiated() -> list[Event]:
    """As the case study of Moraes et al. (2025) goes, with what a committee says."""
    waiver = fact("waive", l=2, reason="valores murici", values={"vacina": {"A": "low", "B": "medium"}})
    return chain(
        ASKED,
        (ANA, 2, fact("prepare", columns={"Idade": "idade", "Vacina": "vacina"}, schema=SCHEMA, model={}, k=7)),
        (SYSTEM, 6, fact("offered", offer={**OFFER, "number": 1, "k": 7, "l": None, "allowed": None})),
        (RITA, 5, fact("accept", manipulations=(COARSER,), message="pode ser siriguela")),
        (RITA, 5, fact("message", text="preciso de grumixama")),
        (ANA, 6, fact("note", text="cuidado com araçá")),
        (ANA, 6, fact("set-condition", k=3, max_suppression=0.2, message="se aceitar cajarana")),
        (RITA, 6, fact("answer", accepted=True)),
        (SYSTEM, 6, fact("offered", offer=OFFER)),
        (ANA, 7, waiver),
        (RITA, 13, fact("review", accepted=True)),
        (ANA, 14, fact("write-report", department="Setor Juazeiro")),
        (SYSTEM, 14, fact("report-written", release="r", manifest_hash="m", plan_hash="p", asks_committee=True)),
        (BENTA, 14, fact("vote", approve=True, reason="risco cambucá")),
        (DARIO, 14, fact("vote", approve=False, reason="falta gabiroba")),
        (SYSTEM, 14, fact("votes-counted", approved=False)),
        (ANA, 14, fact("write-report", department="Setor Mandacaru")),
    )


def dialogue(events: Sequence[Event]) -> RequestedFact:
    return dialogue_of(State.of(events), events)


def test_the_dialogue_tells_who_asked_and_what_came_of_it(negotiated) -> None:
    told = dialogue(negotiated)
    first, last = told.offers

    assert told.requester == (
        ("Requester", "Rita Quixaba"),
        ("Research at", "a private institution"),
        ("Document", "CPF 987.654.321-00"),
        ("Address", "Rua Xiquexique, 7"),
        ("Attachments, by their SHA-256", f"termo-bacupari.pdf: {'ab' * 32}"),
    )
    assert (told.department, told.purpose) == ("Setor Mandacaru", "estudar a cobertura jabuticaba")
    assert (first.number, first.k, first.l, first.allowed) == (1, 7, None, None)
    assert (last.groups_below, last.singled_out, last.lost, dict(last.posterior)) == (
        1_234,
        7_357,
        2_126,
        {"vacina": 0.625},
    )
    assert last.asked == (("idade: cagaita", "requester"), ("supressão", "manager"))
    assert [(step.process, step.at, step.who) for step in told.steps[:3]] == [
        (1, BEGAN, "Rita Quixaba (requester)"),
        (2, BEGAN + timedelta(minutes=1), "Ana Umbu (manager)"),
        (6, BEGAN + timedelta(minutes=2), "Biombo (system)"),
    ]
    assert len(told.steps) == len(negotiated)


def test_the_waiver_in_force_is_told_with_its_values(negotiated) -> None:
    (waiver,) = dialogue(negotiated).waived

    assert (waiver.what, waiver.who, waiver.reason) == ("QMASG 2", "Ana Umbu", "valores murici")
    assert waiver.values == ("vacina: A (low)", "vacina: B (medium)")
    assert dialogue(negotiated[:9]).waived == ()


def test_votes_are_told_once_all_are_in(negotiated) -> None:
    before, after = dialogue(negotiated[:15]), dialogue(negotiated[:16])

    assert before.votes == ()
    assert {step.what for step in before.steps[-2:]} == {"Voted; how is told once all votes are in."}
    assert not re.search("cambucá|gabiroba", repr(before))
    assert [(vote.who, vote.approved, vote.reason) for vote in after.votes] == [
        ("Benta Mangaba (committee)", True, "risco cambucá"),
        ("Dario Pequi (committee)", False, "falta gabiroba"),
    ]
    assert "gabiroba" in after.steps[-2].what


def test_votes_of_a_later_round_are_secret_again(negotiated) -> None:
    last = negotiated[-1]
    again = Event.following(last, last.at, BENTA, 14, fact("vote", approve=True, reason="agora jenipapo"))

    told = dialogue([*negotiated, again])
    assert "jenipapo" not in repr(told)
    assert len(told.votes) == 2


def test_an_erased_event_says_that_it_was(negotiated) -> None:
    negotiated[4] = negotiated[4].forgotten

    told = dialogue(negotiated)
    assert (told.steps[4].who, told.steps[4].what) == ("requester", "What was said here was erased.")
    assert "grumixama" not in repr(told)


PLANTED = [
    *("Quixaba", "987.654.321-00", "Xiquexique", "bacupari", "jabuticaba", "cambuci", "Umbu", "siriguela", "grumixama"),
    *("araçá", "cajarana", "murici", "Juazeiro", "Mandacaru", "Mangaba", "cambucá", "Pequi", "gabiroba", "cagaita"),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_the_private_report_of_the_release_has_any_of_it(negotiated, language, tmp_path) -> None:
    set_language(language)
    table = pl.DataFrame({"idade": ["20", "30"] * 20 + ["90"], "vacina": (["A", "B", "C"] * 14)[:41]})
    operations, criteria = [bb.SuppressGroups()], [bb.KAnonymity(3)]
    plan = bb.Plan(operations, criteria, quasi=["idade"], sensitive=["vacina"], max_suppression=0.5)
    with drawing(as_specification):
        release = bb.publish(table, plan, tmp_path / "release", requested=dialogue(negotiated))
    files = [path for path in release.out.rglob("*") if path.is_file()]
    public = "\n".join(path.name + path.read_text("utf-8") for path in files)
    private = read_back((release.private / "report.html").read_text("utf-8")).text

    assert "vacina" in public
    assert [planted for planted in PLANTED if planted in public] == []
    assert [planted for planted in PLANTED if planted not in private] == []


def test_hostile_texts_come_out_as_text(negotiated) -> None:
    last = negotiated[-1]
    for actor, text in ((RITA, HOSTILE[0]), (Actor("manager", HOSTILE[1]), HOSTILE[2]), (ANA, HOSTILE[3])):
        last = Event.following(last, last.at, actor, 6, fact("message", text=text))
        negotiated.append(last)
    seen = read_back(render_dialogue(dialogue(negotiated), HOSTILE[3]))

    assert seen.tags <= ALLOWED_TAGS
    assert seen.attributes <= ALLOWED_ATTRIBUTES
    assert [each for each in HOSTILE[:4] if each not in seen.text] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_negotiation_led_to_its_end_tells_it_in_private_alone(language, tmp_path) -> None:
    """All of it as it really goes, from the request to the release that the requester gets."""
    set_language(language)
    talk = begun(tmp_path)
    way = (
        (negotiations.ANA, preparation(3, message="preparado com umbu")),
        (negotiations.RITA, bb.Message("preciso de grumixama")),
        (negotiations.ANA, bb.Note("cuidado com cajarana")),
        (negotiations.RITA, bb.Accept([decades(2)], message="pode ser siriguela")),
        (negotiations.ANA, bb.CarryOut(message="feito com pitomba")),
        (negotiations.ANA, bb.AskDiversity(2)),
        (negotiations.ANA, bb.SendMetrics()),
        (negotiations.RITA, bb.Review(True, "serve ao bacupari")),
        (negotiations.RITA, bb.AcceptTerms(talk.view(negotiations.RITA).terms)),
        (negotiations.ANA, bb.WriteReport(department="Setor Juazeiro")),
        (negotiations.ANA, bb.MakeAvailable()),
    )
    with drawing(as_specification):
        for actor, act in way:
            talk.act(actor, act)
    out = talk.view(negotiations.RITA).release
    public = "\n".join(path.name + path.read_text("utf-8") for path in out.rglob("*") if path.is_file())
    private = read_back((out.with_name(f"{out.name}.private") / "report.html").read_text("utf-8")).text
    who, planted = talk.state.request.requester, ["umbu", "grumixama", "cajarana", "siriguela", "pitomba", "bacupari"]
    named = [who.name, who.address, who.document, negotiations.ANA.name, "Juazeiro", talk.state.request.purpose]

    assert "disease" in public
    assert [each for each in (*planted, *named) if each in public] == []
    assert [each for each in (*planted, *named) if each not in private] == []


@pytest.mark.parametrize(
    ("precision", "shares", "expected"),
    [
        (200, (0.0, 0.28, 1.0), ("less than 1%", "28%", "100%")),
        (2000, (0.0, 0.281, 1.0), ("less than 0.1%", "28.1%", "100.0%")),
        (20, (0.0, 0.3, 1.0), ("less than 10%", "30%", "100%")),
    ],
)
def test_shares_are_written_as_they_are_told_to_requesters(precision, shares, expected):
    """Neither more exactly than they are known, nor as none where they may be a few."""
    obstacles = tuple({"columns": ["age"], "below": each, "singled_out": 0.0} for each in shares)
    told = sentence_of(KINDS["blocking-sent"](obstacles, precision))
    assert [entry.removeprefix("age ") for entry in told.removesuffix(".").split(": ")[1].split("; ")] == [*expected]

    accuracy = {"original": shares[1], "release": shares[0]}
    metrics = {"completeness": shares[2], "loss": shares[0], "accuracy": accuracy, "predict": "age"}
    told = sentence_of(KINDS["metrics-sent"](metrics, precision))
    assert [told.count(each) for each in expected] == [2, 1, 1]
    told = sentence_of(KINDS["records-protected"]("noise", {"share": 0.0}, precision))
    assert expected[0] in told


def test_the_manager_reads_exact_shares():
    metrics = {"completeness": 0.8301, "loss": 0.0004}
    told = sentence_of(KINDS["metrics-measured"](metrics))
    assert "83.0%" in told
    assert "less than" not in told
