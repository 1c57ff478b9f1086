"""``synthesise``: records that are about nobody, drawn from a model of counted pairs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._cells import RECORDS_AT_MOST
from biombo._data import Dataset, Schema, SourceTable, declared_schema, identifiers_among
from biombo._documents import listed
from biombo._engine import LOCAL, Engine, Randomness, engine_of, writer_for
from biombo._errors import ColumnError, InputError, UsageError
from biombo._files import (
    PRIVATE,
    private_folder,
    refuse_existing,
    refuse_store,
    refuse_unwritable,
    replacing,
    write_whole,
)
from biombo._frames import framed
from biombo._plan import selected_places
from biombo._synthesis.attacks import compared
from biombo._synthesis.constraints import Rules, constraints_of, violations
from biombo._synthesis.filling import Groups
from biombo._synthesis.people import people_of, set_aside
from biombo._synthesis.private.model import PrivateModel, private_model
from biombo._synthesis.recipe import Mechanism, Recipe, columns_asked
from biombo._synthesis.result import Synthesis
from biombo._synthesis.risk import FEWEST, SyntheticRisk, risk_of
from biombo._synthesis.scale import Fitted, Places, fitted
from biombo._synthesis.tree import Pairs, TreeModel, tree_of

_FITTED_AT_MOST = 5_000_000
"""Records that a model without ε is fitted on; of larger tables so many are drawn."""
MADE_UP = "made-up.csv"
"""What the file in a private folder is called that lists made-up records."""
_ROUNDS = 1_000
"""How often a record is drawn anew for a constraint, at most."""


def synthesise(
    source: Any,
    out: str | Path | None = None,
    *,
    schema: Schema | str | Path | None = None,
    columns: Sequence[str] | None = None,
    keep: Iterable[str] = (),
    replace_where: Mapping[str, Any] | None = None,
    fill_groups: int | None = None,
    records: int | None = None,
    k: int = 5,
    bins: int = 32,
    constraints: Rules = (),
    epsilon: float | None = None,
    delta: float = 0.0,
    mechanism: Mechanism = "mst",
    domains: Mapping[str, Sequence[str]] | None = None,
    records_per_person: int = 1,
    holdout: float = 0.2,
    tries: int = 500,
    confidence: float = 0.95,
    force: bool = False,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
    engine: Engine | str = LOCAL,
) -> Synthesis:
    """Make synthetic records of a table, and measure what they give away of it.

    Columns hang on each other as a tree, each drawn by the value of the one that tells most of it (Chow and Liu 1968).
    Without ``epsilon`` this guarantees nothing: no value, and no two values that were drawn by each other, is one that
    fewer than k people have, and amounts are drawn between round edges; that is all. With ``epsilon``, the marginals
    that the model is fitted on are noised, and the result is differentially private (McKenna et al. 2021).

    Args:
        source: Whatever :func:`biombo.read` takes, or what it gave.
        out: The file to write, ``.csv`` or ``.parquet``; without it the result is in ``data``.
        schema: What the columns are. Identifiers, and columns that nobody decided on, do not come out.
        columns: The columns to synthesise; by default all that the schema gives a role to.
        keep: Columns that stay original, record by record; the others are drawn by them. Nothing protects these.
        replace_where: The only records to replace by synthetic ones, by conditions as :class:`SelectRecords` has them;
            the others stay original, and nothing protects these.
        fill_groups: Leave all records as they are, and add made-up ones beside people whose quasi values fewer than so
            many share, until that many records do. These count as no people: no k follows from it.
        records: How many records to make; by default as many as there are.
        k: No value that fewer people have is drawn, unless there is an ``epsilon``.
        bins: Into how many intervals amounts are put at most.
        constraints: What must hold between columns (:class:`Constraint`, or a YAML file): records that break it are
            drawn anew.
        epsilon: The ε of differential privacy, of which a person who has no more than ``records_per_person`` records
            is sure. It needs one more package: ``pip install 'biombo[synth]'``.
        delta: The δ; 0 is pure differential privacy.
        mechanism: What is asked under ε: ``mst``, the pairs of a tree (McKenna et al. 2021), or ``aim``, pairs one
            after the other, each where the model so far is most wrong (McKenna et al. 2022), which takes longer.
        domains: By column, all values that it may have: with ``epsilon`` these must be public, and are never read from
            the table. Schemas may say them too, as ``domain``, ``bounds``, ``values`` or a hierarchy.
        records_per_person: The most records of one person.
        holdout: The share of records that the model is not fitted on, to measure with.
        tries: How often each attack is tried.
        confidence: That no interval of any attack is wrong.
        force: Replace a file that exists.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several.
        engine: Where the table is read, or its name; the model is fitted in this process.

    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["F", "M"] * 60, "smokes": ["no", "yes"] * 60})
    >>> made = synthesise(people, columns=["sex", "smokes"], records=10, holdout=0)
    >>> made.data.filter(pl.col("sex") == "F")["smokes"].unique().to_list()
    ['no']
    """
    place = engine_of(engine)
    reached = place.reached(source, filename=filename, database=database, sheet=sheet)
    table = SourceTable.open(reached, filename=filename, database=database, sheet=sheet)
    declared, kept = declared_schema(source, schema).told_of(table.columns), listed("keep", keep)
    recipe = Recipe(
        declared,
        columns_asked(table, declared, columns, kept),
        kept,
        replace_where,
        records,
        k,
        bins,
        constraints_of(constraints),
        epsilon,
        delta,
        domains or {},
        records_per_person,
        holdout,
        tries,
        confidence,
        fill_groups,
        mechanism,
    )
    return synthesise_table(table, recipe, None if out is None else Path(out), force=force, engine=place)


def check_synthesis(table: SourceTable, recipe: Recipe, target: Path | None, *, force: bool = False) -> None:
    """Raise whatever can be known before anything is read."""
    if recipe.fill_groups is not None:
        recipe.beside_people()
    recipe.check(table)
    if target is None:
        return
    refuse_store(target)
    writer_for(target)
    refuse_unwritable(target)
    if any(target.exists() and target.samefile(file) for file in table.files):
        raise UsageError("plan.onto-input", path=str(target))
    if not force:
        refuse_existing(target)


def synthesise_table(
    table: SourceTable,
    recipe: Recipe,
    target: Path | None = None,
    *,
    force: bool = False,
    engine: Engine = LOCAL,
    random: Randomness | None = None,
) -> Synthesis:
    """See :func:`synthesise`; ``random`` is given by tests alone."""
    check_synthesis(table, recipe, target, force=force)
    recipe = recipe if recipe.fill_groups is None else recipe.beside_people()
    data = engine.open(table).some(recipe.reads, recipe.schema, _most(recipe))
    if data.rows == 0:
        table.refuse_empty()
    _refuse_kept(data, recipe)
    work = _Work(data, recipe, random or Randomness())
    made = work.made() if recipe.fill_groups is None else work.filled(recipe.fill_groups)
    if target is not None:
        _write(made.data, target)
        _mark(made, target)
        return replace(made, out=target, data=None)
    return replace(made, data=framed(made.data, table.kind))


def _most(recipe: Recipe) -> int:
    """How many records are read: all where they come out, or where a sample of a fixed size would void ε."""
    return RECORDS_AT_MOST if recipe.is_partial or recipe.epsilon is not None else _FITTED_AT_MOST


def _refuse_kept(data: Dataset, recipe: Recipe) -> None:
    if not recipe.keep:
        return
    kept = replace(data, columns={name: data[name] for name in recipe.keep})
    for name, (reason, _) in identifiers_among(kept).items():
        raise ColumnError("plan.recognised-identifier", column=name, reason=reason)


def _write(frame: pl.DataFrame, target: Path) -> None:
    writer = writer_for(target)
    with replacing(target) as file, writer(file) as written:
        written.write(frame)


def _mark(made: Synthesis, target: Path) -> None:
    """Say in a file that nobody else may read which records of the result are made up, counted from 1."""
    if made.filling is None:
        return
    folder = private_folder(Path(f"{target}.private"), public=target)
    places = (made.filling.made_up.arg_true() + 1).to_list()
    write_whole(folder / MADE_UP, "".join(f"{each}\n" for each in ("record", *places)), mode=PRIVATE)


@dataclass(frozen=True, eq=False)
class _Work:
    """A synthesis on records that were read."""

    data: Dataset
    recipe: Recipe
    random: Randomness

    def made(self) -> Synthesis:
        """The synthetic table and what is to be said of it."""
        replaced, aside = self._replaced(), self._aside()
        seen = np.flatnonzero(replaced & ~aside)
        if not len(seen):
            raise InputError(
                "input.none-selected" if self.recipe.replace_where else "input.empty", source=self.data.label
            )
        model, scales, private = self._model(self.data.take(seen))
        records = self._records(int(replaced.sum()), private)
        kept = self.data.take(np.flatnonzero(replaced)) if self.recipe.keep else None
        synthetic, redrawn = self._drawn(model, scales, records, kept)
        frame = self._with_others(synthetic, ~replaced)
        return Synthesis(
            source=self.data.title,
            records=frame.height,
            replaced=records,
            columns=self.recipe.columns,
            kept=self.recipe.keep,
            k=self.recipe.k,
            tree=tuple(link.edge for link in model.links),
            rare={name: scales[name].rare for name in self.recipe.columns},
            beyond={name: scales[name].beyond for name in self.recipe.columns},
            redrawn=redrawn,
            guarantee=None if private is None else private.guarantee,
            held_out=int(aside.sum()),
            risk=self._measured(synthetic, seen, np.flatnonzero(aside)),
            out=None,
            data=frame,
        )

    def filled(self, size: int) -> Synthesis:
        """All records, with others beside those whose quasi values fewer than ``size`` people share."""
        groups, recipe = Groups.by(self.data, self.recipe.keep), self.recipe
        near = groups.near(size)
        model, scales, _ = self._model(self.data)
        synthetic, redrawn = self._drawn(model, scales, len(near), self.data.take(near))
        own = self.data.decoded().select(synthetic.columns)
        order = self.random.order(own.height + synthetic.height)
        frame = pl.concat([own, synthetic.cast(own.schema)])[order]
        return Synthesis(
            source=self.data.title,
            records=frame.height,
            replaced=synthetic.height,
            columns=recipe.columns,
            kept=recipe.keep,
            k=recipe.k,
            tree=tuple(link.edge for link in model.links),
            rare={name: scales[name].rare for name in recipe.columns},
            beyond={name: scales[name].beyond for name in recipe.columns},
            redrawn=redrawn,
            guarantee=None,
            held_out=0,
            risk=None,
            out=None,
            data=frame,
            filling=groups.filled(size, synthetic, pl.Series(order >= own.height)),
        )

    def _replaced(self) -> NDArray[np.bool_]:
        found = np.ones(self.data.rows, bool)
        if self.recipe.selection is not None:
            found[:] = False
            found[selected_places(self.data, [self.recipe.selection])] = True
        return found

    def _aside(self) -> NDArray[np.bool_]:
        share = 0.0 if self.recipe.is_partial else self.recipe.holdout
        return set_aside(self.data.rows, people_of(self.data), share, self.random)

    def _model(self, seen: Dataset) -> tuple[TreeModel, dict[str, Fitted], PrivateModel | None]:
        recipe, people = self.recipe, people_of(seen)
        if recipe.epsilon is not None:
            private = private_model(seen, recipe)
            return private.model, private.scales, private
        scales = {
            name: fitted(seen[name], recipe.schema[name], people, recipe.k, recipe.bins) for name in recipe.released
        }
        for name in recipe.columns:
            if scales[name].scale.size == 0:
                raise ColumnError("synthesis.nothing-common", column=name, k=recipe.k)
        return tree_of(Pairs(scales, people), recipe.columns, recipe.keep, recipe.k), scales, None

    def _records(self, there: int, private: PrivateModel | None) -> int:
        if self.recipe.records is not None:
            return self.recipe.records
        return there if private is None else private.records(1 / (1 - self.recipe.holdout))

    def _drawn(
        self, model: TreeModel, scales: Mapping[str, Fitted], records: int, kept: Dataset | None
    ) -> tuple[pl.DataFrame, dict[str, int]]:
        """Synthetic records that keep to all constraints, and how often each was broken on the way."""
        given = {} if kept is None else {name: _places(kept, name, scales) for name in self.recipe.keep}
        beside = pl.DataFrame() if kept is None else kept.decoded().select(self.recipe.keep)
        frame = self._frame(model, scales, records, given, beside)
        broken = dict.fromkeys(map(str, self.recipe.constraints), 0)
        for _ in range(_ROUNDS):
            counts, good = violations(self.recipe.constraints, frame)
            for name, count in zip(broken, counts, strict=True):
                broken[name] += count
            bad = np.flatnonzero(~good)
            if not len(bad):
                return frame, broken
            again = self._frame(model, scales, len(bad), {n: p[bad] for n, p in given.items()}, _rows(beside, bad))
            frame = pl.concat([frame.filter(pl.Series(good)), again])
            given = {name: np.concatenate([places[good], places[bad]]) for name, places in given.items()}
            beside = pl.concat([_rows(beside, np.flatnonzero(good)), _rows(beside, bad)])
        named = [name for name, count in zip(broken, counts, strict=True) if count]
        raise InputError("synthesis.unmet", constraint=named[0], records=len(bad), rounds=_ROUNDS)

    def _frame(
        self,
        model: TreeModel,
        scales: Mapping[str, Fitted],
        records: int,
        given: Mapping[str, Places],
        beside: pl.DataFrame,
    ) -> pl.DataFrame:
        drawn = model.drawn(records, self.random, given)
        columns = {name: scales[name].scale.drawn(drawn[name], self.random) for name in self.recipe.columns}
        typed = {
            name: values.cast(self.data[name].values.dtype, strict=False).alias(name)
            for name, values in columns.items()
        }
        both = {**{name: beside[name] for name in beside.columns}, **typed}
        return pl.DataFrame([both[name] for name in self.recipe.released])

    def _with_others(self, synthetic: pl.DataFrame, others: NDArray[np.bool_]) -> pl.DataFrame:
        """In random order: neither which record is whose nor which is synthetic shows by its place."""
        if others.any():
            left = self.data.take(np.flatnonzero(others)).decoded().select(synthetic.columns)
            synthetic = pl.concat([synthetic, left.cast(synthetic.schema)])
        return synthetic[self.random.order(synthetic.height)]

    def _measured(
        self, synthetic: pl.DataFrame, seen: NDArray[np.intp], aside: NDArray[np.intp]
    ) -> SyntheticRisk | None:
        if len(aside) < FEWEST:
            return None
        original, control = (self.data.take(rows).decoded().select(synthetic.columns) for rows in (seen, aside))
        tables = compared(original, synthetic, control, self.random)
        secrets = [name for name in self.recipe.schema.sensitive if name in synthetic.columns]
        return risk_of(tables, secrets, self.recipe.tries, self.recipe.confidence)


def _rows(frame: pl.DataFrame, places: NDArray[np.intp]) -> pl.DataFrame:
    return frame[places] if frame.width else frame


def _places(data: Dataset, name: str, scales: Mapping[str, Fitted]) -> Places:
    return scales[name].scale.placed(data[name].values)[data[name].codes]
