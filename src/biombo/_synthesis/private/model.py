"""The model that fits noised marginals best, by the inference of private-pgm (McKenna et al. 2019)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from biombo._data import Dataset
from biombo._errors import InputError, UsageError
from biombo._synthesis.people import people_of
from biombo._synthesis.private.budget import Budget
from biombo._synthesis.private.domains import public_scale
from biombo._synthesis.private.graph import drawing_order
from biombo._synthesis.private.guarantee import Guarantee
from biombo._synthesis.private.measurement import Expected, Measured, Measurements, adapted, measured
from biombo._synthesis.recipe import Recipe
from biombo._synthesis.scale import Fitted
from biombo._synthesis.tree import Floats, Link, Pairs, TreeModel

COMMAND = "pip install 'biombo[synth]'"
_ITERATIONS = 1_000
_ITERATIONS_BETWEEN = 200
"""For a model that only says what to ask next."""
_HARDLY = 1e-9
"""Records: what the model has less of than this, it has none of."""


@dataclass(frozen=True, eq=False)
class PrivateModel:
    """A model that nothing but noised marginals went into."""

    model: TreeModel
    scales: dict[str, Fitted]
    guarantee: Guarantee
    total: float
    """How many records there are, as far as the noise tells."""

    def records(self, times: float) -> int:
        """As many records as there seem to be, ``times`` as many where some were held out."""
        return max(1, round(self.total * times))


def refuse_without_inference() -> None:
    """Raise where the package is missing that models are fitted with."""
    if find_spec("mbi") is None:
        raise UsageError("synthesis.no-mbi", command=COMMAND)


def private_model(seen: Dataset, recipe: Recipe) -> PrivateModel:
    """The model of the columns of ``recipe`` under its ε and δ."""
    assert recipe.epsilon is not None
    scales = {
        name: public_scale(seen[name], recipe.schema[name], recipe.domains.get(name), recipe.bins)
        for name in recipe.columns
    }
    refuse_without_inference()
    _refuse_many(seen, recipe.records_per_person)
    budget = Budget(recipe.epsilon, recipe.delta)
    sizes = {name: column.scale.size for name, column in scales.items()}
    found = _measurements(Pairs(scales, None), budget, recipe, sizes)
    guarantee = Guarantee(recipe.epsilon, recipe.delta, recipe.records_per_person, budget.total, found.spent)
    fitted = _fitted(found.marginals, sizes, _ITERATIONS)
    return PrivateModel(_drawn_by(fitted, found, sizes), scales, guarantee, float(fitted.total))


def _measurements(pairs: Pairs, budget: Budget, recipe: Recipe, sizes: Mapping[str, int]) -> Measurements:
    if recipe.mechanism == "mst":
        return measured(pairs, budget, recipe.records_per_person)

    def fit(marginals: Sequence[Measured]) -> Expected:
        fitted = _fitted(marginals, sizes, _ITERATIONS_BETWEEN)
        return lambda columns: _marginal(fitted, columns)

    return adapted(pairs, budget, recipe.records_per_person, fit)


def _refuse_many(seen: Dataset, most: int) -> None:
    people = people_of(seen)
    if people is not None and (records := int(np.unique(people, return_counts=True)[1].max())) > most:
        raise InputError("synthesis.many-records", column=seen.schema.person, records=records, most=most)


def _fitted(marginals: Sequence[Measured], sizes: Mapping[str, int], iterations: int) -> Any:
    import jax

    jax.config.update("jax_enable_x64", True)  # before mbi looks at both
    jax.config.update("jax_enable_compilation_cache", False)
    import mbi

    domain = mbi.Domain(tuple(sizes), tuple(sizes.values()))
    measurements = [
        mbi.LinearMeasurement(each.counts.astype(np.float64), each.columns, stddev=each.deviation) for each in marginals
    ]
    return mbi.estimation.MirrorDescent().estimate(domain, measurements, iters=iterations)


def _drawn_by(fitted: Any, found: Measurements, sizes: Mapping[str, int]) -> TreeModel:
    order = drawing_order(sizes, [each.columns for each in found.marginals])
    return TreeModel(
        tuple(
            Link(name, {each: sizes[each] for each in parents}, _chances(fitted, name, parents))
            for name, parents in order
        )
    )


def _chances(fitted: Any, name: str, parents: tuple[str, ...]) -> Floats:
    alone = _marginal(fitted, (name,))
    if not parents:
        return alone[None, :]
    cells = _marginal(fitted, (*parents, name)).reshape(-1, len(alone))
    cells[cells.sum(axis=1) <= _HARDLY] = alone
    return np.vstack([cells, alone])


def _marginal(fitted: Any, columns: tuple[str, ...]) -> Floats:
    return np.maximum(np.array(fitted.project(columns).datavector(flatten=False), np.float64), 0.0)
