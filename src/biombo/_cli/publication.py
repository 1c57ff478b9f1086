"""A publication as it was typed: looked through before the work, then carried out."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._cli.console import say
from biombo._cli.progress import stage_bars
from biombo._cli.publish_estimate import tell_estimate
from biombo._cli.publish_plan import Wanted
from biombo._cli.registering import Registering
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._plan import Plan
    from biombo._release import Release
    from biombo._search import RankedPlan


@dataclass(frozen=True)
class Publication:
    """What was typed."""

    files: list[str]
    out: Path
    wanted: Wanted
    registering: Registering
    where: dict[str, Any]
    """How the files are read."""
    options: dict[str, Any]
    """Further arguments of :func:`biombo.publish`."""

    def look_through(self) -> None:
        """Raise before long work that would come to nothing, and say what it takes."""
        from biombo._data import SourceTable
        from biombo._release import places_of, refuse_places, refuse_small_groups
        from biombo._secrets import load_keys

        refuse_small_groups(self.wanted.asked.criteria)
        model = self.options["model"]
        if model is not None:
            self.wanted.refuse_undecidable()
        places = places_of(self.out, self.options["private"])
        refuse_places(*places)
        SourceTable.open(self._source, **self.where).check(self._columns())
        searching = self.wanted.plan is None
        tell_estimate(self._source, places, pdf=self.options["pdf"], searching=searching, **self.where)
        load_keys(self._keys())
        self.registering.begin(model, self.out)

    @property
    def _source(self) -> str | list[str]:
        return self.files[0] if len(self.files) == 1 else self.files

    def _columns(self) -> list[str]:
        """The columns that are named and no search looks at."""
        target = self.options["predict"]
        return [*self.options["other"], *self.options["accept"], *([] if target is None else [target])]

    def _keys(self) -> Iterator[str]:
        named = (self.options["key"], self.options["vault_key"], *(self.options["plan_keys"] or ()))
        return (place for place in named if place is not None)

    def made(self) -> "Release | None":
        """The release; none where it is refused, which is said."""
        from biombo._plan import SuppressionError
        from biombo._release import RefusedError

        chosen = self.wanted.chosen(self.files, self.options["schema"], self.where)
        if chosen is None:
            say(text("release.no-plan"))
            return None
        try:
            return self._published(chosen)
        except (RefusedError, SuppressionError) as error:
            say(str(error))
            return None

    def _published(self, plan: "Plan | RankedPlan") -> "Release":
        from biombo._cli.apply_views import say_guarantees
        from biombo._release import publish

        with stage_bars(lambda stage: text(f"release.stage.{stage}")) as (begin, update):
            return publish(
                self._source,
                plan,
                self.out,
                **self.options,
                **self.where,
                before_noise=say_guarantees,
                stage=begin,
                progress=update,
            )
