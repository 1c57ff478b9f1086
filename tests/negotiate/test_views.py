"""What a requester sees tells no number of people below TG, and nobody's sensitive value."""

import json
import random
from collections import defaultdict
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product

import polars as pl
import pytest
from negotiations import AGES, ANA, CITIES, MODEL, REQUESTER, RITA, asked, begun, decades, led_to, preparation, table
from plain_requester_view import CELLS, CHOICES, A, B, all_tables, shares_allowed, shown_records, shown_values

import biombo as bb
from biombo._i18n import speaking
from biombo._negotiate import Obstacle, SafeView, sentence_of

SCHEMA = bb.Schema(
    {
        "a": bb.ColumnSchema(role="quasi"),
        "b": bb.ColumnSchema(role="quasi"),
        "s": bb.ColumnSchema(role="sensitive"),
    }
)
PREPARATION = bb.Prepare({"A": "a", "B": "b", "S": "s"}, SCHEMA, MODEL, 2)
PRECISION = 4
"""The 200 of the rule, scaled down: shares are told from 4 · TG people on, as none, half or all."""


def as_frame(table) -> pl.DataFrame:
    rows = [cell for cell, people in zip(CELLS, table, strict=True) for _ in range(people)]
    return pl.DataFrame(rows, schema=["a", "b", "s"], orient="row").cast(pl.String)


def removing(columns) -> bb.Accept:
    return bb.Accept([bb.SuppressColumn(name) for name in columns])


def led(home, table, k: int, steps) -> bb.Negotiation:
    """A negotiation in which the requester has columns removed, one choice after the other."""
    request = asked(wanted={"A": "a", "B": "b", "S": "s"})
    agency = bb.Agency(precision=PRECISION, measurements=1000)
    talk = bb.Negotiation.begin(request, as_frame(table), home=home, agency=agency)
    talk.act(ANA, bb.Prepare({"A": "a", "B": "b", "S": "s"}, SCHEMA, MODEL, k))
    for removed, lower in steps:
        if talk.state.name != "manipulations":
            break
        talk.act(RITA, removing(removed))
        talk.act(ANA, bb.CarryOut(k=lower))
    return talk


def as_shown(talk: bb.Negotiation) -> list:
    """What the requester was sent, as the plain rules have it."""
    found = []
    for each in talk.view(RITA).said:
        if each.act == "blocking-sent":
            entries = each.content["obstacles"]
            found.append(tuple((tuple(e["columns"]), e["below"], e["singled_out"]) for e in entries))
        elif each.act == "records-protected":
            found.append("protected")
        elif each.act == "values-sent":
            found.append(tuple(each.content["values"].get("s", ())))
        elif each.act == "values-protected":
            found.append("protected")
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_requester_is_shown_what_the_rules_say(tmp_path, seed):
    draw = random.Random(seed)
    table = draw.choice([*all_tables(draw.randint(9, 10))])
    steps = [(draw.choice(CHOICES[:3]), draw.choice([None, 2, 3])) for _ in range(3)]
    talk = led(tmp_path, table, 3, steps)

    expected, k = [shown_records(table, (), 3, 3, PRECISION)], 3
    removed = ()
    for removed_now, lower in steps:
        if expected[-1] == "protected":
            break
        removed, k = removed_now, lower or k
        expected.append(shown_records(table, removed, k, 3, PRECISION))
    if expected[-1] == "protected":
        talk.act(ANA, bb.AskDiversity(2))
        expected.append(shown_values(table, removed, k, 3, PRECISION))
    assert as_shown(talk) == expected


def parts():
    """Every set of cells that somebody may be counted in: by any of the columns."""
    for a, b, s in product((None, *A), (None, *B), (None, "x", "y")):
        yield [
            place
            for place, cell in enumerate(CELLS)
            if all(want is None or want == has for want, has in zip((a, b, s), cell, strict=True))
        ]


PARTS = [*parts()]


def questions(people: int, strictest: int) -> list[tuple]:
    """Whatever a requester may ask: columns to be removed, TG, and a share that may be suppressed."""
    return [*product(CHOICES, range(2, strictest + 1), shares_allowed(people, strictest, PRECISION))]


@pytest.mark.parametrize(("people", "strictest"), [(6, 2), (8, 2), (9, 3)])
def test_no_small_number_and_nobodys_value_is_the_same_in_all_tables_that_fit(people, strictest):
    """For every table: whoever knows how many people there are, has asked everything about groups, and was told once of
    values, finds tables that fit as well and have another number, or another value for a person of any quasi values.
    """
    wanted = questions(people, strictest)
    shown = defaultdict(list)
    for each in all_tables(people):
        records = tuple(shown_records(each, removed, k, strictest, PRECISION, share) for removed, k, share in wanted)
        shown[records].append(each)
    for records, tables in shown.items():
        checked = set()
        for told, (removed, k, share) in zip(records, wanted, strict=True):
            alike = defaultdict(list)
            for each in tables:
                values = shown_values(each, removed, k, strictest, PRECISION, share) if told == "protected" else None
                alike[values].append(each)
            for fitting in map(tuple, alike.values()):
                if fitting not in checked:  # another question may leave the same tables
                    checked.add(fitting)
                    _refuse_certainty(fitting, strictest)


def _refuse_certainty(fitting, strictest: int) -> None:
    first, *others = fitting
    for cells in PARTS:
        number = sum(first[cell] for cell in cells)
        if 0 < number < strictest:  # it stops at the first table that has another number
            assert any(sum(table[cell] for cell in cells) != number for table in others), (cells, fitting[:3])
    for a, b in product((None, *A), (None, *B)):
        assert len(values_of(fitting, a, b)) != 1, (a, b, fitting[:3])


def values_of(fitting, a, b) -> set[str]:
    """The sensitive values that somebody of these quasi values may have; once there are two, no more are looked for."""
    places = [place for place, cell in enumerate(CELLS) if a in (None, cell[0]) and b in (None, cell[1])]
    found = set()
    for each in fitting:
        found |= {CELLS[place][2] for place in places if each[place]}
        if len(found) > 1:
            break
    return found


NAMES = "abcd"


def listed(below, people: int, strictest: int, precision: int) -> tuple:
    """List 4 for columns that leave so many people ``below`` TG each, and all of them together."""
    *alone, together = below
    obstacles = [Obstacle((name,), number, number, number) for name, number in zip(NAMES, alone, strict=False)]
    safe = SafeView(strictest, people, precision)
    entries = safe.blocking([*obstacles, Obstacle(tuple(NAMES), together, together, together)])
    return tuple((tuple(each["columns"]), each["below"], each["singled_out"]) for each in entries)


@pytest.mark.parametrize(
    ("people", "strictest", "precision"), [(9, 3, 4), (11, 3, 4), (12, 3, 4), (20, 5, 4), (59, 3, 20), (600, 3, 200)]
)
def test_no_small_number_follows_from_the_list_of_several_columns(people, strictest, precision):
    """Four columns, each with none to a few people below TG: whatever the list says, another number fits each column
    that has 1 to TG − 1. It holds with shares and without, and for whoever knows how many people there are.
    """
    fitting = defaultdict(list)
    for alone in product(range(strictest + 1), repeat=len(NAMES)):
        for together in {max(alone), people}:  # whoever is in a small group by one column is so by all
            fitting[listed((*alone, together), people, strictest, precision)].append(alone)
    for told, tables in fitting.items():
        for place in range(len(NAMES)):
            assert not _is_small({each[place] for each in tables}, strictest), (told, tables[:3])


def test_no_small_number_follows_from_all_lists_of_three_columns_of_two_values():
    """By enumeration of all tables, with each column removed or not: of nine people with TG 3, a column leaves none,
    one or two below.
    """
    people, strictest, columns = 9, 3, range(3)
    cells = [*product((0, 1), repeat=len(columns))]
    fitting = defaultdict(list)
    for chosen in combinations_with_replacement(range(len(cells)), people):
        counted = tuple(chosen.count(place) for place in range(len(cells)))
        below = {
            kept: _below(cells, counted, kept, strictest) for size in (1, 2, 3) for kept in combinations(columns, size)
        }
        told = tuple(_told(kept, below, people, strictest) for kept in below)
        fitting[told].append((*(below[place,] for place in columns), *counted))
    for tables in fitting.values():
        for numbers in map(set, zip(*tables, strict=True)):  # below by each column, and in each cell
            assert not _is_small(numbers, strictest)


def _told(kept, below, people: int, strictest: int):
    """What a check tells of some of the columns."""
    alone = [below[place,] for place in kept]
    return listed((*alone, below[kept]), people, strictest, PRECISION) if below[kept] else "protected"


def _is_small(numbers, strictest: int) -> bool:
    """Is there one number alone that fits, and is it of few people?"""
    return len(numbers) == 1 and 0 < min(numbers) < strictest


def _below(cells, counted, columns, k: int) -> int:
    """People in groups below ``k`` by some of the columns."""
    sizes = defaultdict(int)
    for cell, number in zip(cells, counted, strict=True):
        sizes[tuple(cell[place] for place in columns)] += number
    return sum(size for size in sizes.values() if size < k)


@pytest.mark.parametrize("people", [60, 300, 600])
def test_columns_that_leave_a_few_people_below_tg_stand_in_the_order_of_their_names(tmp_path, people):
    """None, one, two and three people: in the order of these numbers they would be told, with 600 people or fewer."""
    few = {name: [f"own {row}" if row < number else "x" for row in range(people)] for number, name in enumerate("abcd")}
    data = pl.DataFrame(few | {"e": [str(row) for row in range(people)], "s": ["y", "z"] * (people // 2)})
    schema = bb.Schema({name: bb.ColumnSchema(role="sensitive" if name == "s" else "quasi") for name in data.columns})
    talk = bb.Negotiation.begin(asked(wanted={name: name for name in data.columns}), data, home=tmp_path)
    talk.act(ANA, bb.Prepare({name: name for name in data.columns}, schema, MODEL, 3))

    assert [each.records for each in talk.view(ANA).obstacles[:4]] == [0, 1, 2, 3]
    assert [each["columns"] for each in talk.view(RITA).blocking[:-1]] == [["e"], ["a"], ["b"], ["c"], ["d"]]


def test_groups_of_values_of_their_own_making_are_refused(tmp_path):
    """With these a requester could single people out, and count them by whether TG is reached."""
    talk = led_to(tmp_path, "manipulations")
    for place, absent in enumerate(("20", "119")):  # somebody is 20, nobody 119: that is not told
        ages = sorted({str(age) for age in range(121)} - {absent})
        with pytest.raises(bb.ColumnError, match="the hierarchy that the manager has declared"):
            talk.act(RITA, bb.Accept([bb.Generalise("age", bb.Hierarchy.by_hand({f"all {place}": ages}), 1)]))
    talk.act(RITA, bb.Propose(k=2))
    other = bb.Generalise("age", bb.Hierarchy.by_interval(30), 1)
    talk.act(ANA, bb.Suggest([other]))
    talk.act(RITA, bb.Accept([other]))  # which the manager has suggested
    assert talk.state.name == "applying"


def test_an_error_of_a_search_has_no_value_in_it(tmp_path):
    talk = led_to(tmp_path, "manipulations")
    before = talk.view(RITA).measurements_left
    for bounds in ({"age": 99}, {"city": 9}, {"age": "x"}):
        with pytest.raises(bb.UsageError, match="No plan can be searched for"):
            talk.act(RITA, bb.AskForPlans(bounds=bounds))
    assert talk.view(RITA).measurements_left == before


@pytest.mark.parametrize(
    "document", ["123.456.789-09", "12345678909", "１２３.456.789-09", "CPF 123.456.789-09", "0123.456.789-09"]
)
def test_a_document_is_the_same_however_it_is_written(tmp_path, document):
    talk = led_to(tmp_path, "applying")
    request = asked(requester=replace(REQUESTER, document=document))
    again = bb.Negotiation.begin(request, talk.source.table, home=tmp_path)

    assert again.view(RITA).measurements_left == talk.view(RITA).measurements_left == 29


def test_what_values_were_told_in_another_negotiation_is_not_told_again(tmp_path):
    led_to(tmp_path, "utility")
    again = led_to(tmp_path, "diversity")
    again.act(ANA, bb.AskDiversity(2))

    assert again.state.name == "rewording"
    again.act(ANA, bb.CarryOut())
    told = [each for each in again.view(RITA).said if each.act == "values-protected"]
    assert [each.content for each in told] == [{"how": "untold"}]


@pytest.mark.parametrize(
    "operation",
    [bb.Round("city", 5), bb.TopBottomCode("city", top=9), bb.Generalise("city", bb.Hierarchy.by_date(["year"]), 1)],
)
def test_what_does_not_fit_is_told_without_any_value(tmp_path, operation):
    talk = led_to(tmp_path, "manipulations")
    try:
        talk.act(RITA, bb.Accept([operation]))
    except bb.BiomboError as error:
        told = str(error)
    else:
        told = repr(talk.view(RITA))
    assert not [city for city in CITIES if city in told]


def test_what_a_check_of_values_finds_is_told_once(tmp_path):
    """Two checks of different groups would tell by their difference whose value has changed sides."""
    talk = led_to(tmp_path, "review")
    assert talk.view(RITA).said[-3].content == {"how": "values"}
    for actor, act in (
        (RITA, bb.Review(False, "too coarse")),
        (RITA, bb.Accept([decades(3)])),
        (ANA, bb.CarryOut()),
        (ANA, bb.AskDiversity(2)),
    ):
        talk.act(actor, act)
    assert talk.state.name == "rewording"  # which would be the same if values failed
    assert talk.view(RITA).said[-1].act == "ask-diversity"
    talk.act(ANA, bb.CarryOut())
    assert talk.state.name == "utility"
    assert [each.content for each in talk.view(RITA).said if each.act == "values-protected"][-1] == {"how": "untold"}


def test_a_table_of_few_people_is_not_negotiated_about(tmp_path):
    """Of 4 people and TG 2, whether groups reach TG tells each of their numbers."""
    with pytest.raises(bb.UsageError, match="fewer records than 3 times TG"):
        led(tmp_path, (1, 0, 1, 0, 1, 0, 1, 0), 2, [])


def test_how_many_are_in_small_groups_cannot_be_found_by_asking_for_less_each_time(tmp_path):
    talk = led_to(tmp_path, "manipulations")  # 60 records, TG 3: steps of a tenth

    with pytest.raises(bb.UsageError, match="multiple of 10%"):
        talk.act(RITA, bb.Accept([], max_suppression=0.05))
    talk.act(RITA, bb.Accept([], max_suppression=0.1))


def test_nothing_of_the_original_is_in_any_view_error_or_file_name(tmp_path):
    """Planted: a name, an age that one person has, a disease of one person."""
    data = pl.DataFrame(
        {
            "name": [f"Zacharias {place}" for place in range(400)],
            "age": ["117", *(str(20 + place % 40) for place in range(399))],
            "city": ["North" if place % 2 else "South" for place in range(400)],
            "disease": ["kuru", *("flu" if place % 3 else "asthma" for place in range(399))],
        }
    )
    schema = bb.Schema(
        {
            "name": bb.ColumnSchema(role="identifier"),
            "age": bb.ColumnSchema(role="quasi", hierarchy=AGES.to_tree()),
            "city": bb.ColumnSchema(role="quasi"),
            "disease": bb.ColumnSchema(role="sensitive"),
        }
    )
    talk = begun(tmp_path, data)
    talk.act(ANA, preparation(2, schema=schema))
    talk.act(RITA, bb.Accept([decades(1)], max_suppression=0.1))
    talk.act(ANA, bb.CarryOut())
    talk.act(ANA, bb.AskDiversity(2))
    told = [repr(replace(talk.view(RITA), head="", terms=""))]
    if talk.state.name == "synonyms":
        for value in ("kuru", "measles"):
            with pytest.raises(bb.UsageError) as refused:
                talk.act(RITA, bb.GiveSynonyms({"disease": {value: ["p", "q"]}}))
            told.append(str(refused.value).replace(repr(value), ""))
        assert len({*told[1:]}) == 1  # nothing tells which of the two there is
    talk.excerpt(tmp_path / "mine.jsonl")
    lines = map(json.loads, (tmp_path / "mine.jsonl").read_text().splitlines())
    told += [json.dumps(line.get("fact")) for line in lines]  # hashes have any digits

    for planted in ("Zacharias", "117", "kuru"):
        assert not [each for each in told if planted in each]
        assert not [path for path in talk.folder.rglob("*") if planted in path.name]


def test_below_two_hundred_times_tg_only_the_order_of_columns_is_told(tmp_path):
    talk = led_to(tmp_path, "manipulations")

    assert [(each["columns"], each["below"], each["singled_out"]) for each in talk.view(RITA).blocking] == [
        (["age"], None, None),
        (["city"], None, None),
        (["age", "city"], None, None),
    ]
    assert talk.view(ANA).obstacles[-1].singled_out > 0  # which the manager sees


def test_repeats_cost_nothing_and_a_second_request_does_not_begin_anew(tmp_path):
    def first(talk, *levels):
        talk.act(ANA, preparation())
        for level in levels:
            talk.act(RITA, bb.Accept([decades(level)]))
            talk.act(ANA, bb.Decline("go on"))

    data = table()
    talk = begun(tmp_path, data, measurements=2)
    first(talk, 1, 1, 1, 2)
    assert talk.view(RITA).measurements_left == 0
    with pytest.raises(bb.UsageError, match="All 2 measurements"):
        talk.act(RITA, bb.Accept([decades(3)]))
    talk.act(RITA, bb.Accept([decades(2)]))  # which was measured

    again = begun(tmp_path, data, measurements=2)
    assert again.view(RITA).measurements_left == 0
    with pytest.raises(bb.UsageError, match="All 2 measurements"):
        first(again, 3)


def test_the_strictest_tg_is_remembered_for_the_next_negotiation(tmp_path):
    """800 records are enough to tell shares for TG 3, and too few for TG 5."""
    data = table(800).with_columns(age=pl.int_range(800).cast(pl.String))
    begun(tmp_path, data).act(ANA, preparation(5))
    someone = replace(REQUESTER, document="555.444.333-22")
    other = bb.Negotiation.begin(asked(requester=someone), data, home=tmp_path)
    for talk, told in ((begun(tmp_path, data), False), (other, True)):
        talk.act(ANA, preparation(3))
        assert [each["below"] is not None for each in talk.view(RITA).blocking] == [told] * 3


def test_lists_after_a_new_tg_are_counted_and_never_refused(tmp_path):
    talk = begun(tmp_path, measurements=2)
    talk.act(ANA, preparation(9))
    assert talk.view(RITA).measurements_left == 2  # the first is free
    talk.act(RITA, bb.Accept([decades(1)]))
    for k, left in ((None, 1), (8, 0), (7, 0)):
        if talk.state.name == "manipulations":
            talk.act(RITA, bb.Propose(k=2))
        talk.act(ANA, bb.CarryOut(k=k))
        assert (talk.state.name, talk.view(RITA).measurements_left) == ("manipulations", left)
    with pytest.raises(bb.UsageError, match="All 2 measurements"):
        talk.act(RITA, bb.Accept([decades(2)]))
    talk.act(RITA, bb.Propose(k=2))
    talk.act(ANA, bb.Suggest([decades(2)]))
    with pytest.raises(bb.UsageError, match="All 2 measurements"):
        talk.act(RITA, bb.Accept([decades(2)], max_suppression=0.5))
    assert talk.act(RITA, bb.Accept([decades(2)])).name == "applying"  # as the manager suggested


def test_of_a_list_of_values_not_even_the_number_of_groups_is_told(tmp_path):
    ages = [str(age) for age in range(20, 80)]
    own = bb.Hierarchy.by_hand({"all": {"younger": ages[:20], "elder": ages[20:40], "eldest": ages[40:]}})
    schema = bb.Schema(
        {
            "name": bb.ColumnSchema(role="identifier"),
            "age": bb.ColumnSchema(role="quasi", hierarchy=own.to_tree()),
            "city": bb.ColumnSchema(role="quasi"),
            "disease": bb.ColumnSchema(role="sensitive"),
        }
    )
    talk = begun(tmp_path)
    talk.act(ANA, preparation(schema=schema))
    talk.act(RITA, bb.AskForPlans())
    talk.act(RITA, bb.Accept([bb.Generalise("age", own, 1)]))

    assert talk.view(RITA).plans[0]["labels"] == {"age": "level 1 of 2"}
    sentences = [sentence_of(event.fact) for event in talk.events if event.role == "requester"]
    assert "age: generalisation (level 1 of 2)" in sentences[-1]
    assert not [each for each in (*sentences, repr(talk.view(RITA))) if "3 groups" in each]
    with speaking("pt"):
        assert talk.view(RITA).plans[0]["labels"] == {"age": "nível 1 de 2"}
