"""What a publication will take, said before the work begins."""

from pathlib import Path

from biombo._cli.console import say
from biombo._i18n import text

_LONG = 10.0
"""Seconds from which on it is worth a sentence."""


def tell_estimate(
    source: str | list[str],
    places: tuple[Path, Path],
    *,
    pdf: bool,
    searching: bool,
    filename: str | None,
    database: str | None,
) -> None:
    """Say what publishing ``source`` will take, where that is much; raise where a disk has too little room for it."""
    from biombo._release import estimate_publishing

    estimate = estimate_publishing(source, pdf=pdf, filename=filename, database=database)
    if estimate is None:
        return
    estimate.refuse_full_disk(*places)
    if estimate.seconds >= _LONG:
        say(str(estimate))
        if searching:
            say(text("release.estimate.search"))
