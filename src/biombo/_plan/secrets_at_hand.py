"""What a plan with pseudonyms needs before anything is done: its keys, and a place for the identities behind them."""

from collections.abc import Iterable
from pathlib import Path

from biombo._errors import UsageError
from biombo._files import private_folder
from biombo._plan.operations import Pseudonymise
from biombo._plan.operations.operation import Context
from biombo._plan.plan import Plan
from biombo._plan.pseudonyms.identities import Identities
from biombo._secrets import KeyPlace, load_keys


def context_for(
    plan: Plan, key: KeyPlace | Iterable[KeyPlace] | None, private: str | Path | None, target: Path | None
) -> Context:
    """The context to carry out ``plan`` in. Raises when a key is missing or is another than the plan names."""
    keys = load_keys(key)
    for operation in plan.operations:
        for key_id in operation.keys:
            keys[key_id]
    return Context(keys=keys, identities=Identities(_folder(plan, private, target)))


def pseudonymised_columns(plan: Plan) -> tuple[str, ...]:
    """The columns that get pseudonyms."""
    return tuple(operation.column for operation in plan.operations if isinstance(operation, Pseudonymise))


def _folder(plan: Plan, private: str | Path | None, target: Path | None) -> Path | None:
    """The private folder, where something is to go there."""
    for operation in plan.operations:
        if isinstance(operation, Pseudonymise) and operation.needs_table:
            if private is None and target is None:
                raise UsageError("pseudonyms.no-private", column=operation.column)
            return _prepared(Path(private or f"{target}.private"), target)
    return None


def _prepared(folder: Path, target: Path | None) -> Path:
    """The folder, made where there is none; not the one that the result is in, which others will look into."""
    if target is not None and folder.resolve() == target.parent.resolve():
        raise UsageError("output.private-inside", path=str(folder), public=str(target.parent))
    return private_folder(folder, public=target)
