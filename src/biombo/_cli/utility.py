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
Target = Annotated[str | None, Option("--target", metavar="cli.metavar.column", help="cli.utility.target")]
Folds = Annotated[int, Option("--folds", min=2, help="cli.utility.folds")]
Seed = Annotated[int | None, Option("--seed", min=0, help="cli.utility.seed")]


def utility(
    original: Original,
    release: Release,
    plan: PlanFile = None,
    schema: Schema = None,
    target: Target = None,
    folds: Folds = 10,
    seed: Seed = None,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print what a release lost beside its original, and what it is still good for."""
    from biombo._cli.utility_views import print_utility
    from biombo._utility import as_json
    from biombo._utility import utility as measure

    with progress_bar(text("utility.measuring")) as update:
        found = measure(
            original, release, plan=plan, schema=schema, target=target, folds=folds, seed=seed, progress=update
        )
    if json:
        print_json(as_json(found))
    else:
        print_utility(found, output())
    say(text("utility.private"))
    return DONE
