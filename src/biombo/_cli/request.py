"""Commands that carry out a request: their options fill it, or the file that ``--request`` names does."""

from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from inspect import Parameter, Signature
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from typer import Context

from biombo._cli.frame import DONE, spare_pandas
from biombo._cli.options import Lang, RequestFile, SaveRequest
from biombo._files import refuse_existing, refuse_unwritable
from biombo._requests import limits_of

if TYPE_CHECKING:
    from biombo._requests import Request

Asked = TypeVar("Asked", bound="Request")

_FILES = {"request": RequestFile, "save_request": SaveRequest, "_lang": Lang}


@dataclass(frozen=True)
class Draft(Generic[Asked]):
    """A request that is made up by and by: what it begins with, and where it is kept."""

    begun: Asked
    """What was typed, over what is usual."""
    typed: Mapping[str, Any]
    """By field: what was typed, which goes before what a file says."""
    kept: Asked | None = None
    """What the file says that was named, if one was."""
    place: Path | None = None
    """The file that keeps the request, where one was named."""

    @property
    def request(self) -> Asked:
        """What was typed, over what the file says."""
        return self.begun if self.kept is None else replace(self.kept, **self.typed)


def command(
    kind: "type[Asked]",
    options: Mapping[str, Any],
    answer: "Callable[..., int]",
    *,
    needed: Collection[str] = ("files",),
    usual: "Callable[[], Asked] | None" = None,
    draft: bool = False,
) -> Callable[..., int]:
    """The command whose ``options`` fill a request of this ``kind``, which ``answer`` carries out and shows.

    Options that are no fields of the request are handed to ``answer`` by their names. What is ``needed`` must be typed
    where no file of a request is named; all else is as in the ``usual`` request. With ``draft``, ``answer`` is given a
    :class:`Draft` in the place of the request, and keeps what is answered in its file.
    """
    known = {each.name: each.default for each in fields(kind)}
    options = _limited(kind, options)

    def run(context: Context, request: Path | None, save_request: Path | None, _lang: str | None, **typed: Any) -> int:
        views = {name: value for name, value in typed.items() if name not in known and name != "force"}
        if save_request is not None:
            _refuse(save_request, force=typed.get("force", False))
        given = _typed(context, options, known, typed)
        begun = Draft(replace((usual or kind)(), **given), given, kind.load(request) if request else None)
        asked = begun.request
        if save_request is not None or request is not None:
            asked.refuse_outputs(*filter(None, [save_request]), read=list(filter(None, [request])))
        if save_request is not None:
            asked.to_yaml(save_request.parent)  # raises before the work what could not be written after it
        spare_pandas()
        if draft:
            return answer(replace(begun, place=save_request or request), **views)
        code = answer(asked, **views)
        if save_request is not None and code == DONE:
            asked.save(save_request)
        return code

    every = {**options, **_FILES}
    repeated = {name for name, annotation in every.items() if annotation.__origin__ == list[str] | None}
    defaults = {name: None if default == () or name in repeated else default for name, default in known.items()}
    run.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter("context", Parameter.KEYWORD_ONLY, annotation=Context),
            *(
                Parameter(
                    name,
                    Parameter.KEYWORD_ONLY,
                    default=Parameter.empty if name in needed else defaults.get(name, _nothing(annotation)),
                    annotation=annotation,
                )
                for name, annotation in every.items()
            ),
        ]
    )
    run.__annotations__ = {"context": Context, **every}
    return run


def _limited(kind: "type[Request]", options: Mapping[str, Any]) -> dict[str, Any]:
    """The ``options`` with the limits that the request's fields have."""
    found = dict(options)
    for name, limits in ((name, limits) for name, limits in limits_of(kind).items() if name in options):
        declared = copy(options[name].__metadata__[0])
        declared.min, declared.max = limits.low, limits.high if limits.high < inf else None
        found[name] = Annotated[options[name].__origin__, declared, *options[name].__metadata__[1:]]
    return found


def _nothing(annotation: Any) -> Any:
    """The default of an option that is no field of a request."""
    return False if annotation.__origin__ is bool else None


def _typed(
    context: Context, options: Mapping[str, Any], known: Collection[str], typed: Mapping[str, Any]
) -> dict[str, Any]:
    """By field: what was typed, read as its option says."""
    found = {}
    for name, value in typed.items():
        source = context.get_parameter_source(name)
        if name in known and source is not None and source.name == "COMMANDLINE":
            readers = options[name].__metadata__[1:]
            found[name] = readers[0](value) if readers else value
    return found


def _refuse(path: Path, *, force: bool) -> None:
    """Raise before long work for a file of a request that could not be written."""
    refuse_unwritable(path)
    if not force:
        refuse_existing(path)
