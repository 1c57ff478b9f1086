"""``biombo utility``: what a release lost."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.console import output, print_json, say
from biombo._cli.options import Json, Lang
from biombo._cli.progress import progress_bar
from biombo._cli.run import DONE
from biombo._i18n import text

Original = Annotated[str, Argument(metavar="cli.metavar.original", help="cli.utility.original")]
Release = Annotated[str, Argument(metavar="cli.metavar.release", help="cli.utility.release")]
PlanFile = Annotated[Path | None, Option("--plan", metavar="cli.metavar.plan", help="cli.utility.plan")]
Schema = Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.option.schema")]
Predict = Annotated[str | None, Option("--predict", metavar="cli.metavar.column", help="cli.utility.predict")]
Folds = Annotated[int, Option("--folds", min=2, help="cli.utility.folds")]
Seed = Annotated[int | None, Option("--seed", min=0, help="cli.utility.seed")]


def utility(
    original: Original,
    release: Release,
    plan: PlanFile = None,
    schema: Schema = None,
    predict: Predict = None,
    folds: Folds = 10,
    seed: Seed = None,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print what a release lost beside its original, and what it is still good for."""
    from biombo._cli.utility_views import print_utility
    from biombo._utility import as_json
    from biombo._utility import utility as measure

    data, plan = _data_and_plan(Path(release), plan)
    with progress_bar(text("utility.measuring")) as update:
        found = measure(
            original, data, plan=plan, schema=schema, predict=predict, folds=folds, seed=seed, progress=update
        )
    if json:
        print_json(as_json(found))
    else:
        print_utility(found, output())
    say(text("utility.private"))
    return DONE


def _data_and_plan(release: Path, plan: Path | None) -> tuple[str, Path | None]:
    """Of a folder that was published: its data, and its plan where the private folder is beside it."""
    from biombo._release import PLAN, Manifest, places_of

    if not release.is_dir():
        return str(release), plan
    beside = places_of(release, None)[1] / PLAN
    if plan is None and beside.is_file():
        say(text("utility.plan-beside", plan=beside))
        plan = beside
    return str(release / Path(Manifest.of(release).data).name), plan
