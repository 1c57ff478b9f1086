"""``biombo apply``: carry out a plan on a table."""

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from biombo._cli.console import output, print_json, say
from biombo._cli.lists import names
from biombo._cli.options import Database, Filename, Files, Force, Json, Lang
from biombo._cli.progress import progress_bar
from biombo._cli.run import DONE, NOT_MET
from biombo._errors import UsageError
from biombo._i18n import text

PlanFile = Annotated[Path, Option("--plan", metavar="cli.metavar.plan", help="cli.apply.plan")]
Out = Annotated[Path | None, Option("--out", metavar="cli.metavar.table", help="cli.apply.out")]
Schema = Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.apply.schema")]
Keys = Annotated[list[str] | None, Option("--key", metavar="cli.metavar.key", help="cli.apply.key")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.apply.private")]
Preview = Annotated[bool, Option("--preview", help="cli.apply.preview")]
KeepColumn = Annotated[list[str] | None, Option("--keep-column", metavar="a,b", help="cli.apply.keep-column")]
KeepOrder = Annotated[bool, Option("--keep-order", help="cli.apply.keep-order")]


def apply(
    files: Files,
    plan: PlanFile,
    out: Out = None,
    preview: Preview = False,
    schema: Schema = None,
    keep_column: KeepColumn = None,
    keep_order: KeepOrder = False,
    key: Keys = None,
    private: Private = None,
    force: Force = False,
    json: Json = False,
    filename: Filename = None,
    database: Database = None,
    _lang: Lang = None,
) -> int:
    """Write the table as the plan leaves it, and print how it stands to the plan's criteria."""
    from biombo._cli.apply_views import print_applied, say_guarantees
    from biombo._plan import SuppressionError
    from biombo._plan import apply as apply_plan

    source = files[0] if len(files) == 1 else list(files)
    kept = [name for typed in keep_column or () for name in names(typed) or ()]
    if not preview and out is None:
        raise UsageError("plan.no-out")
    try:
        if preview:
            where = {"filename": filename, "database": database}
            return _previewed(source, plan, json, schema=schema, keep=kept, key=key, **where)
        with progress_bar(text("plan.applying")) as update:
            applied = apply_plan(
                source,
                plan,
                out,
                schema=schema,
                keep=kept,
                keep_order=keep_order,
                key=key,
                private=private,
                force=force,
                filename=filename,
                database=database,
                before_noise=say_guarantees,
                progress=update,
            )
    except SuppressionError as error:
        say(str(error))
        return NOT_MET
    if json:
        print_json(applied.as_json())
    else:
        print_applied(applied, output())
    if applied.unspoken:
        say(text("plan.left-out", columns=", ".join(applied.unspoken)))
    say(text("plan.wrote" if applied.shuffled else "plan.wrote-in-order", path=out))
    if not applied.holds:
        say(text("plan.not-met"))
        return NOT_MET
    return DONE


def _previewed(source: str | list[str], plan: Path, json: bool, **options: Any) -> int:
    """Print what the plan would do."""
    from biombo._cli.preview_views import print_preview
    from biombo._plan import preview

    with progress_bar(text("plan.applying")) as update:
        seen = preview(source, plan, progress=update, **options)
    if json:
        print_json(seen.as_json())
    else:
        print_preview(seen, output())
    if seen.unspoken:
        say(text("plan.left-out", columns=", ".join(seen.unspoken)))
    say(text("plan.preview.nothing-written"))
    return DONE
