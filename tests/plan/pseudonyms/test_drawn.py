from refusal import refused

from biombo._engine import Randomness
from biombo._plan.pseudonyms import Drawn

ALPHABET = "0123456789"


def test_each_value_keeps_its_pseudonym_from_batch_to_batch() -> None:
    drawn = Drawn(Randomness(), ALPHABET, 6, "name")
    first, second = drawn.of(["Ana", "Bia"]), drawn.of(["Bia", "Caio", "Ana"])

    assert [second[2], second[0]] == first
    assert len({*first, *second}) == 3
    assert all(len(text) == 6 and set(text) <= set(ALPHABET) for text in (*first, *second))


def test_no_pseudonym_is_given_twice_even_where_they_are_few() -> None:
    drawn = Drawn(Randomness.seeded(1), ALPHABET, 3, "name")
    batches = [drawn.of([str(number) for number in range(start, start + 50)]) for start in range(0, 500, 50)]

    assert len({text for batch in batches for text in batch}) == 500


def test_more_than_half_of_the_pseudonyms_are_never_given_away() -> None:
    drawn = Drawn(Randomness(), ALPHABET, 2, "name")
    drawn.of([str(number) for number in range(50)])

    with refused("pseudonyms.too-many", "'name'", "50"):
        drawn.of(["one more"])


def test_no_two_runs_agree() -> None:
    values = [str(number) for number in range(1_000)]
    first, second = (Drawn(Randomness(), ALPHABET, 20, "name").of(values) for _ in range(2))

    assert not {*first} & {*second}
