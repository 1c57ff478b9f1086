"""``trace``: from a released record to the original one, by whoever holds the private folder, on record."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from biombo._errors import BiomboError, InputError, UsageError
from biombo._files import append_line
from biombo._plan.entries import listed
from biombo._plan.key_places import KeyPlace, load_key
from biombo._release.manifest import Manifest
from biombo._release.release_keys import KEY
from biombo._release.staging import UNFINISHED, places_of
from biombo._release.system_user import system_user
from biombo._release.vault import Vault

LOG = "traces.jsonl"


@dataclass(frozen=True)
class LookUp:
    """One use of ``trace``, as the log has it."""

    when: str
    who: str
    reason: str
    release: str
    asked: tuple[str, ...]
    """The trace ids."""
    found: int
    failure: str | None
    """Why nothing could be looked up, by the name of the error; nothing where it could."""


def trace(
    release: str | Path,
    ids: str | Iterable[str],
    *,
    private: str | Path | None = None,
    reason: str,
    who: str | None = None,
    key: KeyPlace | None = None,
) -> dict[str, int | None]:
    """The number of the original record, from 1, behind each trace id of a release; ``None`` for those not known.

    Each look-up, also one that fails, is written to ``traces.jsonl`` in the private folder before anything is given.

    Args:
        release: The folder of the release.
        ids: One trace id, or several.
        private: Its private folder; by default the release's name with ``.private`` added.
        reason: What for.
        who: Who asks; by default the user of the system.
        key: The key that sealed the vault; by default the one in the private folder.

    >>> import tempfile, polars as pl, biombo as bb
    >>> table = pl.DataFrame({"sex": ["F", "M", "F", "M"], "year": [1990, 1991, 1992, 1993]})
    >>> plan = bb.Plan([], [bb.KAnonymity(2)], quasi=["sex"], sensitive=["year"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     release = bb.publish(table, plan, f"{folder}/release", format="parquet")
    ...     wanted = release.data.filter(pl.col("year") == 1992)["trace_id"]
    ...     list(bb.trace(release.out, wanted, reason="the person asked for a correction").values())
    [3]
    """
    asked = list(dict.fromkeys([ids] if isinstance(ids, str) else listed("ids", ids)))
    asking, why = (system_user() or "") if who is None else who.strip(), reason.strip()
    if not why or not asking:
        raise UsageError("release.no-reason")
    public, folder = places_of(release, private)
    manifest, vault = Manifest.of(public), Vault.of(folder)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    look_up = LookUp(now, asking, why, manifest.id, tuple(asked), 0, None)
    try:
        if vault.release != manifest.id:
            raise InputError("release.other-vault", release=str(release), private=str(folder))
        places = vault.places(asked, load_key(folder / KEY if key is None else key))
    except BiomboError as error:
        append_line(folder / LOG, asdict(replace(look_up, failure=error.key)))
        raise
    found = sum(place is not None for place in places.values())
    append_line(folder / LOG, asdict(replace(look_up, found=found)))
    (folder / UNFINISHED).unlink(missing_ok=True)  # the release is there: what made it was killed right after that
    return {trace_id: None if place is None else place + 1 for trace_id, place in places.items()}
