import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

ROWS = 300


@pytest.fixture(scope="session")
def people() -> pl.DataFrame:
    """Made up. Few people are very old, so that their groups are small."""
    random.seed(6)
    ages = [min(99, int(random.expovariate(1 / 25))) for _ in range(ROWS)]
    return pl.DataFrame(
        {
            "name": [f"Pessoa-{number:04}-Inventada" for number in range(ROWS)],
            "cpf": [f"{random.randrange(10**11):011}" for _ in range(ROWS)],
            "age": [str(age) for age in ages],
            "sex": random.choices(["F", "M"], k=ROWS),
            "disease": random.choices(["flu", "gout", "=1+1", None], k=ROWS),
            "visits": [random.randrange(1, 9) for _ in range(ROWS)],
            "remark": [f"remark-{number}" for number in range(ROWS)],
        }
    )


@pytest.fixture(scope="session")
def plan() -> bb.Plan:
    return bb.Plan(
        operations=[bb.Generalise("age", bb.Hierarchy.by_interval(10, [2]), 1), bb.MaskGroups(with_="#####")],
        criteria=[bb.KAnonymity(10), bb.LDiversity(2)],
        quasi=["age", "sex"],
        sensitive=["disease"],
        identifiers=["name", "cpf"],
    )


@pytest.fixture(scope="session")
def department_key(tmp_path_factory) -> Path:
    """The publisher's key, beside the file with its public half, which came to the reader in another way."""
    place = tmp_path_factory.mktemp("keys") / "department.key"
    bb.new_key(place)
    place.with_suffix(".pub").write_text(bb.public_key(place))
    return place


@pytest.fixture(scope="session")
def trusted(department_key) -> Path:
    return department_key.with_suffix(".pub")


@pytest.fixture(scope="session")
def copied() -> Callable[[bb.Release, Path], bb.Release]:
    """A copy of a release in another folder, for a test to do with as it likes."""

    def copy(release: bb.Release, folder: Path) -> bb.Release:
        places = {name: folder / getattr(release, name).name for name in ("out", "private")}
        for name, place in places.items():
            shutil.copytree(getattr(release, name), place)
        return replace(release, **places)

    return copy


@pytest.fixture(scope="session")
def published(people, plan, tmp_path_factory) -> bb.Release:
    return bb.publish(people, plan, tmp_path_factory.mktemp("published") / "release", other=["visits"])


@pytest.fixture(scope="session")
def published_signed(people, plan, department_key, tmp_path_factory) -> bb.Release:
    place = tmp_path_factory.mktemp("signed") / "release"
    return bb.publish(people, plan, place, other=["visits"], key=department_key)


@pytest.fixture
def release(published, copied, tmp_path) -> bb.Release:
    return copied(published, tmp_path)


@pytest.fixture
def signed_release(published_signed, copied, tmp_path) -> bb.Release:
    """One that the department signed."""
    return copied(published_signed, tmp_path)
