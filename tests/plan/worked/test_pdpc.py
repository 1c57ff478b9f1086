"""The worked tables of PDPC (2018), sections 6 to 12 and 16, from the plan that a person would write.

Where the print is wrong, by the rule in the text: 10.5, 12.6 and 16.8 say what was printed. Section 7 has no table of
its own but that of 10.5. Tables that no plan makes of records are elsewhere: those of 13.8 in
tests/synthesis/test_occupancy.py, that of 14.6 in tests/tabulate/test_tabulate.py and, as a plan, test_aggregation.py.
"""

from collections import Counter

import yaml
from refusal import refused

import biombo as bb


def test_6_6_a_column_is_suppressed(worked) -> None:
    before = """
student,trainer,score
John,Tina,87
Yong,Tina,56
Ming,Tina,92
Poh,Huang,83
Linnie,Huang,45
Jake,Huang,67
"""
    after = worked(before, "operations: [suppress-column: {column: student}]", keep="trainer,score")

    assert after.lines == ["trainer,score", "Tina,87", "Tina,56", "Tina,92", "Huang,83", "Huang,45", "Huang,67"]


def test_6_5_a_duration_stands_for_two_times(worked) -> None:
    before = """
visitor,entered,left
A,2017-03-01 08:27,2017-03-01 18:04
B,2017-03-02 18:04,2017-03-03 07:39
"""
    plan = """
identifiers: [visitor]
operations: [derive-duration: {from: entered, to: left, into: stay, unit: minutes}]
"""

    assert worked(before, plan).lines == ["stay", "577", "815"]


def test_8_6_characters_are_masked(worked) -> None:
    before = """
postal code,preferred time,orders a month
100111,20h00 to 21h00,2
200222,11h00 to 12h00,8
300333,14h00 to 15h00,1
"""
    plan = "operations: [mask-characters: {column: postal code, with: x, keep-first: 2}]"
    after = worked(before, plan, keep="preferred time,orders a month")

    assert after.lines == [
        "postal code,preferred time,orders a month",
        "10xxxx,20h00 to 21h00,2",
        "20xxxx,11h00 to 12h00,8",
        "30xxxx,14h00 to 15h00,1",
    ]


LEARNERS = """
person,assessment,hours of lessons
Joe Phang,A,20
Zack Lim,B,26
Eu Cheng San,C,30
Linnie Mok,D,29
Jeslyn Tan,B,32
Chan Siew Lee,A,25
"""


def test_9_12_names_become_numbers_of_six_digits_that_are_made_up(worked) -> None:
    plan = """
identifiers: [person]
operations: [pseudonymise: {column: person, kind: random, alphabet: "0123456789", length: 6}]
"""
    first, second = (worked(LEARNERS, plan, keep="assessment,hours of lessons").lines[1:] for _ in range(2))
    pseudonyms = [line.split(",")[0] for line in (*first, *second)]

    assert [line.split(",", 1)[1] for line in first] == ["A,20", "B,26", "C,30", "D,29", "B,32", "A,25"]
    assert all(len(pseudonym) == 6 and pseudonym.isdigit() for pseudonym in pseudonyms)
    assert len(set(pseudonyms[:6])) == len(set(pseudonyms[6:])) == 6
    assert pseudonyms[:6] != pseudonyms[6:]


def test_9_12_whoever_holds_the_key_can_undo_them(worked, tmp_path) -> None:
    (tmp_path / "keys").mkdir()
    key, other = tmp_path / "keys" / "own.key", tmp_path / "keys" / "other.key"
    plan = f"""
identifiers: [person]
operations:
  - pseudonymise:
      {{column: person, kind: random, alphabet: "0123456789", length: 6, reversible: true, key: {bb.new_key(key)}}}
"""
    pseudonyms = [line.split(",")[0] for line in worked(LEARNERS, plan, key=key).lines[1:]]
    asking = {"plan": tmp_path / "plan.yaml", "private": tmp_path / "after.csv.private", "who": "A", "reason": "recall"}

    names = [line.split(",")[0] for line in LEARNERS.split("\n")[2:-1]]
    assert bb.reveal(pseudonyms, "person", key=key, **asking) == dict(zip(pseudonyms, names, strict=True))
    bb.new_key(other)
    with refused("keys.wrong", bb.key_id(key), bb.key_id(other)):
        bb.reveal(pseudonyms, "person", key=other, **asking)


def test_9_13_codes_are_behind_two_tables_that_neither_party_has_both_of(worked, tmp_path) -> None:
    """The print leaves the tables in the order of the records, to be seen easily, and asks for another one."""
    agency, third = tmp_path / "keys" / "agency.key", tmp_path / "keys" / "third.key"
    agency.parent.mkdir()
    ids = f"key: {bb.new_key(agency)}, third-party: {bb.new_key(third)}"
    entries = f"column: person, kind: double, dataset: driving, {ids}"
    plan = f"identifiers: [person]\noperations: [pseudonymise: {{{entries}}}]\n"
    people, why = [line.split(",")[0] for line in LEARNERS.split("\n")[2:-1]], {"who": "A", "reason": "recall"}
    (tmp_path / "learners.csv").write_text(LEARNERS.lstrip())
    written = bb.Plan.from_tree(yaml.safe_load(f"biombo-plan: 1\n{plan}"))
    asked, links = tmp_path / "asked.csv", tmp_path / "links.csv"

    bb.ask_for_codes(tmp_path / "learners.csv", "person", plan=written, key=agency, out=asked)
    bb.answer_codes(asked, key=third, out=links)
    bb.take_codes(links, key=agency)
    lines = worked(LEARNERS, plan, keep="assessment,hours of lessons", key=agency).lines[1:]
    codes = [line.split(",")[0] for line in lines]
    bb.forget_codes(agency)
    intermediate = bb.first_codes(codes, key=third, **why)
    both = {"plan": written, "key": agency, "private": tmp_path / "after.csv.private", **why}

    assert [line.split(",", 1)[1] for line in lines] == ["A,20", "B,26", "C,30", "D,29", "B,32", "A,25"]
    assert len({*codes, *intermediate.values()}) == 12
    assert list(bb.reveal([intermediate[code] for code in codes], "person", **both).values()) == people
    assert set(bb.reveal(codes, "person", **both).values()) == {None}


HOMES = """
n,person,age,address
1,357703,24,700 Toa Payoh Lorong 5
2,233121,31,800 Ang Mo Kio Avenue 12
3,938637,44,900 Jurong East Street 70
4,591493,29,750 Toa Payoh Lorong 5
5,202626,23,5 Tampines Street 90
6,888948,75,1 Stonehenge Road
7,175878,28,10 Tampines Street 90
8,312304,50,50 Jurong East Street 70
9,214025,30,720 Toa Payoh Lorong 5
10,271714,37,830 Ang Mo Kio Avenue 12
11,341338,22,15 Tampines Street 90
12,529057,25,18 Tampines Street 90
13,390438,39,840 Ang Mo Kio Avenue 12
"""
BANDS = {"<=20": (0, 20), "21-30": (21, 30), "31-40": (31, 40), "41-50": (41, 50), "51-60": (51, 60), ">60": (61, 120)}
"""The print has < 20, and so no band for somebody of 20."""
AGES = "".join(f"{age},{band}\n" for band, (low, high) in BANDS.items() for age in range(low, high + 1))
STREETS = "".join(
    f"{address},{address.split(' ', 1)[1]}\n" for address in (line.split(",")[3] for line in HOMES.split("\n")[2:-1])
)
GENERALISED = """
quasi: [age, address]
operations:
  - generalise: {column: age, hierarchy: ages.csv, level: 1}
  - generalise: {column: address, hierarchy: streets.csv, level: 1}
"""


def test_10_5_ages_and_addresses_are_generalised(worked) -> None:
    """The print has 938637 as 038637 at first, and Toa Payo Lorong5 for the street of the fourth."""
    assert worked(HOMES, GENERALISED, keep="n,person", ages=AGES, streets=STREETS).lines[1:] == [
        "1,357703,21-30,Toa Payoh Lorong 5",
        "2,233121,31-40,Ang Mo Kio Avenue 12",
        "3,938637,41-50,Jurong East Street 70",
        "4,591493,21-30,Toa Payoh Lorong 5",
        "5,202626,21-30,Tampines Street 90",
        "6,888948,>60,Stonehenge Road",
        "7,175878,21-30,Tampines Street 90",
        "8,312304,41-50,Jurong East Street 70",
        "9,214025,21-30,Toa Payoh Lorong 5",
        "10,271714,31-40,Ang Mo Kio Avenue 12",
        "11,341338,21-30,Tampines Street 90",
        "12,529057,21-30,Tampines Street 90",
        "13,390438,31-40,Ang Mo Kio Avenue 12",
    ]


def test_7_4_and_10_5_the_only_home_in_a_street_is_suppressed_by_name_or_because_it_is_alone(worked) -> None:
    named = GENERALISED + "  - suppress-records: {where: {address: Stonehenge Road}}\n"
    alone = GENERALISED + "  - suppress-groups: {}\ncriteria: [k-anonymity: {k: 2}]\n"
    for plan in (named, alone):
        after = worked(HOMES, plan, keep="n", ages=AGES, streets=STREETS)
        assert [line.split(",")[0] for line in after.lines[1:]] == [str(n) for n in range(1, 14) if n != 6]
        assert after.applied.suppressed == 1
    assert after.applied.holds


CLIENTS = """
person,title,born,membership,visits
A,university dean,1970-01-03,silver,0
B,salesman,1972-02-05,platinum,5
C,lawyer,1985-03-07,gold,2
D,IT professional,1990-04-10,silver,1
E,nurse,1995-05-13,silver,2
"""


def test_11_5_values_stay_in_their_column_but_not_with_their_record(worked) -> None:
    columns = ("title", "born", "membership", "visits")
    plan = "operations:\n" + "".join(f"  - swap: {{columns: [{column}]}}\n" for column in columns)
    before = [line.split(",") for line in CLIENTS.split("\n")[2:-1]]
    tables = [[line.split(",") for line in worked(CLIENTS, plan, keep="person").lines[1:]] for _ in range(5)]

    for after in tables:
        for old, new in zip(zip(*before, strict=True), zip(*after, strict=True), strict=True):
            assert Counter(old) == Counter(new)
        assert [row[0] for row in after] == list("ABCDE")
    assert any(after != before for after in tables)


def test_12_6_numbers_are_rounded_to_the_nearest_multiple(worked) -> None:
    """The print has 18 for the age of 20, and 42 for that of 44: the nearest multiples of 3 are 21 and 45."""
    before = """
person,height,weight,age,smokes,disease A,disease B
198740,160,50,30,no,no,no
287402,177,70,36,no,no,yes
398747,158,46,20,yes,yes,no
498732,173,75,22,no,no,no
598772,169,82,44,yes,yes,yes
"""
    plan = """
operations:
  - round: {column: height, base: 5}
  - round: {column: weight, base: 3}
  - round: {column: age, base: 3}
"""

    assert worked(before, plan, keep="person,smokes,disease A,disease B").lines[1:] == [
        "198740,160,51,30,no,no,no",
        "287402,175,69,36,no,no,yes",
        "398747,160,45,21,yes,yes,no",
        "498732,175,75,21,no,no,no",
        "598772,170,81,45,yes,yes,yes",
    ]


TAXIS = """
age,sex,occupation,trips
21,F,lawyer,15
38,M,data privacy officer,2
25,F,banker,8
44,F,database administrator,3
25,F,administrative assistant,1
31,M,data privacy officer,5
42,F,programmer,3
22,F,administrative assistant,4
30,F,lawyer,2
"""
DECADES = "".join(f"{age},{(age - 1) // 10 * 10 + 1} to {(age - 1) // 10 * 10 + 10}\n" for age in range(1, 100))
JOBS = """lawyer,lawyer
data privacy officer,data privacy officer
banker,banker
database administrator,IT
administrative assistant,administrative assistant
programmer,IT
"""
TAXI_PLAN = """
quasi: [age, sex, occupation]
criteria: [k-anonymity: {k: 2}]
operations:
  - generalise: {column: age, hierarchy: decades.csv, level: 1}
  - generalise: {column: occupation, hierarchy: jobs.csv, level: 1}
  - suppress-groups: {}
"""


def test_16_8_every_record_is_like_another_once_the_banker_is_left_out(worked) -> None:
    """The print still has the banker, and both jobs in information technology as they were."""
    after = worked(TAXIS, TAXI_PLAN, keep="trips", decades=DECADES, jobs=JOBS)

    assert after.lines[1:] == [
        "21 to 30,F,lawyer,15",
        "31 to 40,M,data privacy officer,2",
        "41 to 50,F,IT,3",
        "21 to 30,F,administrative assistant,1",
        "31 to 40,M,data privacy officer,5",
        "41 to 50,F,IT,3",
        "21 to 30,F,administrative assistant,4",
        "21 to 30,F,lawyer,2",
    ]
    assert (after.applied.suppressed, after.applied.judgement.verdicts[0].achieved) == (1, 2)


def test_16_8_duplicates_are_removed_first_and_k_is_that_of_what_is_left(worked) -> None:
    """The first lawyer, entered twice, is like nobody else by then but herself."""
    twice = TAXIS.replace("30,F,lawyer,2\n", "21,F,lawyer,15\n")
    removed = TAXI_PLAN.replace("operations:\n", "operations:\n  - drop-duplicates: {}\n")
    counted, left = (
        worked(twice, plan, keep="trips", decades=DECADES, jobs=JOBS).applied for plan in (TAXI_PLAN, removed)
    )

    assert (counted.suppressed, counted.duplicates) == (1, 0)
    assert (left.suppressed, left.duplicates, left.judgement.verdicts[0].achieved) == (2, 1, 2)
