"""What several tables tell apart."""

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo._tabulate import Atoms, Program, System

VALUES = {"a": ["1", "2", "3", None], "b": ["x", "y"]}

groups = st.lists(
    st.fixed_dictionaries(
        {}, optional={column: st.frozensets(st.sampled_from(values)) for column, values in VALUES.items()}
    ),
    max_size=4,
)


@given(groups=groups)
def test_values_are_one_atom_where_no_group_tells_them_apart(groups: list[dict]) -> None:
    atoms = Atoms.of(groups, VALUES)
    for column, values in VALUES.items():
        of = atoms.columns[column]
        for one, other in product(values, values):
            told = any((one in group[column]) != (other in group[column]) for group in groups if column in group)
            assert (of[one] == of[other]) is not told


@given(groups=groups)
def test_a_group_has_the_base_cells_of_its_records(groups: list[dict]) -> None:
    atoms = Atoms.of(groups, VALUES)
    records = [*product(*VALUES.values())]
    cells = atoms.base_cell_of({column: [each[n] for each in records] for n, column in enumerate(VALUES)})
    assert sorted(set(cells)) == [*range(len(atoms))]
    for group in groups:
        mine = [
            all(value in group.get(column, [value]) for column, value in zip(VALUES, record, strict=True))
            for record in records
        ]
        assert sorted(set(cells[mine])) == atoms.base_cells(group).tolist()


def test_two_ages_that_differ_by_a_year_give_it_away() -> None:
    """By hand: 20 are under 18, 19 under 17, so that one is 17."""
    ages = {"age": [str(age) for age in range(10, 30)]}
    under = [{"age": frozenset(map(str, range(10, end)))} for end in (18, 17)]
    atoms = Atoms.of(under, ages)
    assert atoms.shape == (3,)
    known = np.array([20.0, 19.0])
    floor, ceiling = np.zeros(3), np.full(3, np.inf)
    program = Program(System.of_sums([atoms.base_cells(each) for each in under], known, known, floor, ceiling))
    (seventeen,) = atoms.base_cells({"age": frozenset(["17"])})
    (older,) = atoms.base_cells({"age": frozenset(map(str, range(18, 30)))})
    assert program.least([seventeen]) == program.most([seventeen]) == 1
    assert program.most([older]) == np.inf


@settings(max_examples=25)
@given(
    sums=st.lists(st.sets(st.integers(0, 3), min_size=1), min_size=1, max_size=3),
    true=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    asked=st.sets(st.integers(0, 3), min_size=1),
    slack=st.integers(0, 1),
)
def test_ends_are_those_of_all_numbers_that_could_be(sums, true, asked, slack) -> None:
    """In whole numbers, against all that there are from 0 to 3."""
    places = [np.array(sorted(some)) for some in sums]
    known = np.array([sum(true[n] for n in some) for some in sums], float)
    system = System.of_sums(places, known - slack, known + slack, np.zeros(4), np.full(4, 3.0))
    program = Program(system, whole=True)
    possible = [
        sum(each[n] for n in asked)
        for each in product(range(4), repeat=4)
        if all(abs(sum(each[n] for n in some) - value) <= slack for some, value in zip(sums, known, strict=True))
    ]
    assert round(program.least(sorted(asked)), 6) == min(possible)
    assert round(program.most(sorted(asked)), 6) == max(possible)
    assert round(sum(program.point[n] for n in asked), 6) == max(possible)
