"""Tables of identities: private, sealed, in random order."""

import stat
from io import BytesIO
from pathlib import Path

import hypothesis.strategies as st
import polars as pl
import pytest
from hypothesis import given
from refusal import refused

import biombo as bb
from biombo._engine import Randomness
from biombo._plan.pseudonyms import Identities, IdentityTable, seal_table
from biombo._secrets import Key

KEY, OTHER = Key(bytes(range(32))), Key(bytes(32))
NAMES = ["Ana", "Bia", "Caio", "Davi"]


def plan(**entries) -> bb.Plan:
    return bb.Plan([bb.Pseudonymise("name", "random", key=KEY.id, reversible_=True, **entries)])


def sealed(value_of: dict[str, str], column: str) -> bytes:
    file = BytesIO()
    seal_table(file, value_of, column, KEY, Randomness())
    return file.getvalue()


@pytest.fixture
def table(tmp_path) -> Path:
    path = tmp_path / "a.identities"
    path.write_bytes(sealed({"pseudonym": "Ana", "another": "Bianca"}, "name"))
    return path


def test_the_table_lies_in_a_private_folder_beside_the_result(tmp_path) -> None:
    applied = bb.apply(pl.DataFrame({"name": NAMES}), plan(), tmp_path / "out.csv", key=KEY)
    (path,) = applied.identity_tables

    assert path.parent == tmp_path / "out.csv.private"
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(IdentityTable.at(path).opened(KEY).values()) == NAMES


def test_the_private_folder_can_be_named(tmp_path) -> None:
    applied = bb.apply(pl.DataFrame({"name": NAMES}), plan(), key=KEY, private=tmp_path / "mine")

    assert [path.parent for path in applied.identity_tables] == [tmp_path / "mine"]


def test_the_folder_of_the_result_is_no_private_one(tmp_path) -> None:
    with refused("output.private-inside", str(tmp_path)):
        bb.apply(pl.DataFrame({"name": NAMES}), plan(), tmp_path / "out.csv", key=KEY, private=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_without_a_place_for_the_table_nothing_is_done() -> None:
    with refused("pseudonyms.no-private", "'name'"):
        bb.apply(pl.DataFrame({"name": NAMES}), plan(), key=KEY)


@pytest.mark.parametrize("reversible", [False, True])
def test_a_table_is_written_for_reversible_pseudonyms_only(tmp_path, reversible) -> None:
    keyed = bb.Pseudonymise("name", "keyed", key=KEY.id, scope_="everywhere", reversible_=reversible)
    applied = bb.apply(pl.DataFrame({"name": NAMES}), bb.Plan([keyed]), tmp_path / "out.csv", key=KEY)

    assert len(applied.identity_tables) == reversible
    assert (tmp_path / "out.csv.private").exists() == reversible


def test_a_second_run_keeps_the_table_of_the_first(tmp_path) -> None:
    for _ in range(2):
        bb.apply(pl.DataFrame({"name": NAMES}), plan(), tmp_path / "out.csv", key=KEY, force=True)

    assert len(IdentityTable.find(tmp_path / "out.csv.private")) == 2


def test_a_run_that_fails_leaves_no_table(tmp_path) -> None:
    operations = [*plan().operations, bb.Generalise("age", bb.Hierarchy.load({"*": ["1"]}), 1)]

    with pytest.raises(bb.BiomboError):
        bb.apply(pl.DataFrame({"name": NAMES, "age": ["2"] * 4}), bb.Plan(operations), tmp_path / "out.csv", key=KEY)
    assert not [*tmp_path.iterdir()]


texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(texts, texts), texts)
def test_what_is_sealed_comes_back_exactly(tmp_path_factory, value_of, column) -> None:
    path = tmp_path_factory.mktemp("sealed") / "a.identities"
    path.write_bytes(sealed(value_of, column))
    table = IdentityTable.at(path)

    assert table.opened(KEY) == value_of
    assert (table.column, table.key_id) == (column, KEY.id)


def test_nothing_of_it_can_be_read_without_the_key(table) -> None:
    assert not any(word in table.read_bytes() for word in (b"pseudonym", b"another", b"Bianca", KEY.secret))
    with refused("pseudonyms.damaged-table", "a.identities"):
        IdentityTable.at(table).opened(OTHER)


def test_any_changed_byte_is_noticed(table) -> None:
    content = table.read_bytes()
    for place in range(content.index(b"\n") + 1, len(content), 37):
        table.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(bb.InputError):
            IdentityTable.at(table).opened(KEY)


def test_the_table_cannot_be_passed_off_as_that_of_another_column(table) -> None:
    table.write_bytes(table.read_bytes().replace(b'"name"', b'"mama"', 1))

    with refused("pseudonyms.damaged-table"):
        IdentityTable.at(table).opened(KEY)


@pytest.mark.parametrize(
    "content", [b"", b"[]\n", b"{}\n", b'{"biombo-identities": 2}\n', b"\xff\n", b'{"biombo-identities": 2}']
)
def test_what_is_no_table_is_refused(tmp_path, content) -> None:
    path = tmp_path / "a.identities"
    path.write_bytes(content)

    with refused("pseudonyms.no-table", "a.identities"):
        IdentityTable.at(path)


def test_one_of_another_version_is_named_as_such(table) -> None:
    table.write_bytes(table.read_bytes().replace(b'"biombo-identities": 2', b'"biombo-identities": 1', 1))

    with refused("pseudonyms.table-version", "a.identities"):
        IdentityTable.at(table)


def test_a_table_that_is_not_there_is_named(tmp_path) -> None:
    with refused("input.unreadable", "none"):
        IdentityTable.at(tmp_path / "none")


def test_the_rows_are_in_random_order(tmp_path) -> None:
    """Their order in the data would tell who is who (PDPC 2018, 9.13)."""
    names = [str(number) for number in range(100)]
    orders = set()
    for seed in range(5):
        identities = Identities(tmp_path)
        identities.add("name", KEY, names, names)
        identities.write(Randomness.seeded(seed))
        orders.add(tuple(IdentityTable.at(identities.written[0]).opened(KEY)))

    assert len(orders) == 5
    assert tuple(names) not in orders
    assert all(sorted(order) == sorted(names) for order in orders)
