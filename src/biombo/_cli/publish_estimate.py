"""What a publication will take, said before the work begins."""

from collections.abc import Sequence
from pathlib import Path

from biombo._cli.console import say
from biombo._i18n import text

_LONG = 10.0
"""Seconds from which on it is worth a sentence."""


def tell_estimate(
    files: Sequence[str],
    places: tuple[Path, Path],
    *,
    pdf: bool,
    searching: bool,
    filename: str | None,
    database: str | None,
) -> None:
    """Say what publishing ``files`` will take, where that is much; raise where a disk has too little room for it."""
    from biombo._release import estimate_publishing

    source = files[0] if len(files) == 1 else list(files)
    estimate = estimate_publishing(source, pdf=pdf, filename=filename, database=database)
    if estimate is None:
        return
    estimate.refuse_full_disk(*places)
    if estimate.seconds >= _LONG:
        say(str(estimate))
        if searching:
            say(text("release.estimate.search"))
