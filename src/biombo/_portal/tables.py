"""What workers do about tables that were handed in: fetch and keep them, look at their columns and hierarchies."""

import shutil
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from biombo._data import copy_table, fit_of_hierarchy, inspect, proposed_hierarchies, read, tables_in
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._portal import workbench
from biombo._portal.models import DataSet, Job
from biombo._portal.schemas import schema_of, yaml_of
from biombo._portal.sources import asked_of_database, copied_file, new_place, original_of

_MOST_NAMED = 50
"""Values without a place that are named; there may be as many as records."""


def fetch(job: Job) -> None:
    """Fetch a table from where a manager said, once, and look at it."""
    data_set = job.data_set
    assert data_set is not None
    if not data_set.place:
        asked = job.asked
        place = copied_file(asked["file"]) if "file" in asked else asked_of_database(asked["database"], asked["query"])
        data_set.place = str(place)
        data_set.save(update_fields=["place"])
    look_at(job)


def look_at(job: Job) -> None:
    """Look at a table: what its columns seem to be."""
    data_set = job.data_set
    assert data_set is not None
    _take_over(data_set)
    given = Path(original_of(data_set))
    place = _one_table(job, given)
    if place is None:
        return
    try:
        found = inspect(read(place))
    except Exception:
        if place != given:  # what was chosen is none; another of the file may be one
            place.unlink(missing_ok=True)
        raise
    _keep_at(data_set, place, schema=yaml_of(found.schema_in_every_language))
    if place != given:
        given.unlink(missing_ok=True)
    proposed = {name: each.document for name, each in found.hierarchies.items() if each.document is not None}
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "hierarchies": proposed})


def propose_hierarchies(job: Job) -> None:
    """For columns that somebody made quasi: how they can be generalised, where nobody said so."""
    data_set = job.data_set
    assert data_set is not None
    schema = schema_of(data_set)
    lacking = [name for name in schema.quasi if schema[name].hierarchy is None]
    proposals = proposed_hierarchies(read(original_of(data_set), columns=list(schema.columns)), schema)
    found = {name: proposals[name].document for name in lacking if name in proposals and proposals[name].document}
    columns = {name: replace(each, hierarchy=found.get(name, each.hierarchy)) for name, each in schema.columns.items()}
    changed = yaml_of(replace(schema, columns=columns))
    if not DataSet.objects.filter(pk=data_set.pk, schema=data_set.schema).update(schema=changed):
        raise UsageError("portal.columns-behind")
    workbench.columns_changed(data_set)
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "hierarchies": found})


def check_hierarchy(job: Job) -> None:
    """For the manager: which values of a column a hierarchy has no place for."""
    data_set = job.data_set
    assert data_set is not None
    column = job.asked["column"]
    fit = fit_of_hierarchy(original_of(data_set), column, Hierarchy.told(job.asked["hierarchy"]), schema_of(data_set))
    named = [[each.value, each.count] for each in fit.unknown[:_MOST_NAMED]]
    told = {
        "values": fit.values,
        "records": fit.records,
        "unknown": named,
        "unknown_values": len(fit.unknown),
        "unknown_records": sum(each.count for each in fit.unknown),
        "left": len(fit.unknown) - len(named),
    }
    Job.objects.filter(pk=job.pk).update(asked={**job.asked, "fit": told})


def _one_table(job: Job, given: Path) -> Path | None:
    """The table that is meant: the file, or a copy of the one that was chosen, which takes its place once it was looked
    at. None where a file has several, and somebody has to say which.
    """
    several, sheet = tables_in(given), job.asked.get("sheet")
    if not several:
        return given
    if sheet is None:
        Job.objects.filter(pk=job.pk).update(asked={**job.asked, "tables": several})
        return None
    place = new_place(".parquet")
    copy_table(given, sheet, place)
    return place


def _take_over(data_set: DataSet) -> None:
    """Keep a table that was handed in where the web does not reach, as a file of the worker's own."""
    given, home = Path(data_set.place), settings.PORTAL_HOME
    if given.parent != home.incoming:
        return
    place = home.sources / given.name
    part = place.with_name(f"{place.name}.part")
    shutil.copyfile(given, part)
    part.chmod(0o600)
    part.rename(place)
    _keep_at(data_set, place)
    given.unlink(missing_ok=True)


def _keep_at(data_set: DataSet, place: Path, **told: str) -> None:
    """Note where a table is from now on. Raises where it was removed meanwhile: what was made of it is too."""
    same = DataSet.objects.filter(pk=data_set.pk, place=data_set.place)
    if not same.update(place=str(place), **told):
        place.unlink(missing_ok=True)
        raise UsageError("portal.table-gone", name=data_set.name)
    data_set.place = str(place)
