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

    data, plan, outcome = _found(Path(release), plan)
    with progress_bar(text("utility.measuring")) as update:
        found = measure(
            original,
            data,
            plan=plan,
            schema=schema,
            outcome=outcome,
            predict=predict,
            folds=folds,
            seed=seed,
            progress=update,
        )
    if json:
        print_json(as_json(found))
    else:
        print_utility(found, output())
    say(text("utility.private"))
    return DONE


def _found(release: Path, plan: Path | None) -> tuple[str, Path | None, Path | None]:
    """Of a folder that was published: its data, and its plan and outcome where the private folder is beside it."""
    from biombo._plan import OUTCOME
    from biombo._release import PLAN, Manifest, places_of

    if not release.is_dir():
        return str(release), plan, None
    private = places_of(release, None)[1]
    outcome = None
    if plan is None and (private / PLAN).is_file():
        plan = private / PLAN
        say(text("utility.plan-beside", plan=plan))
        if (private / OUTCOME).is_file():
            outcome = private / OUTCOME
            say(text("utility.outcome-beside", outcome=outcome))
    return str(release / Path(Manifest.of(release).data).name), plan, outcome
