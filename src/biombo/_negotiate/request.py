"""Process 1: who asks for which data, for what, and what must be kept of them (Moraes et al. 2025, section 4.2)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal, Self

from biombo._documents import Document, Where, check_types, chosen_entries, read_entries, spelled
from biombo._errors import UsageError
from biombo._negotiate.actors import Actor
from biombo._negotiate.texts import checked_text
from biombo._search import PolicyName

Dimension = Literal["truth", "structure", "hybrid"]
"""Veracidade: what is released is true, if less precise. Estrutura: every record stays, its values with noise.
Híbrida: true where that suffices, with noise for the rest."""

RequesterKind = Literal["public-institution", "private-institution"]

_MOST_LABELS = 100
"""More columns than a purpose needs; the manager goes through them one by one."""
_LONGEST_LABEL, _LONGEST_MEANING = 300, 2_000

DOCUMENT = Document("data-request", mark="biombo-data-request")


@dataclass(frozen=True, kw_only=True)
class Requester:
    """Who asks. Personal data: shown to the manager, committee and auditor, and never in a public report."""

    kind: RequesterKind
    """A researcher of a public or of a private institution."""
    name: str
    address: str
    document: str
    """The number of a document that is valid where the data are asked for."""
    document_type: str
    attachments: Mapping[str, str] = field(default_factory=dict)
    """What was handed in with the request, such as a signed term: by name, the SHA-256 of each."""
    id: str = ""
    """What tells the requester from namesakes for good, such as the number of an account: see :class:`Actor`."""

    def __post_init__(self) -> None:
        check_types(self)
        for name in ("name", "address", "document", "document_type"):
            object.__setattr__(self, name, checked_text(name, getattr(self, name)))
        object.__setattr__(self, "id", checked_text("id", self.id, needed=False))

    @property
    def actor(self) -> Actor:
        """Who asks, as one who takes part."""
        return Actor("requester", self.name, self.id)


def _read_requester(tree: Any, where: Where) -> Requester:
    return tree if isinstance(tree, Requester) else read_entries(Requester, tree, where.folder)


@dataclass(frozen=True, kw_only=True)
class Origin:
    """A release from which the request starts: its reader wants more detail of the same records."""

    release: str
    """The folder of the release; where requests come from others, its name in a folder that the agency knows
    (:meth:`Negotiation.begin`): the requester reads the request again.
    """
    trace_ids: tuple[str, ...] | None = None
    """The trace ids of the release, which whoever has it can show; ``None``: of all. A part of them is refused: a
    requester who composes a table record by record finds out about each.
    """

    def __post_init__(self) -> None:
        check_types(self)

    def place(self, releases: Path | None) -> Path:
        """The folder; by its name in ``releases`` where there is such a folder, and never elsewhere then."""
        if releases is None:
            return Path(self.release)
        name = self.release
        if name in ("", "..") or Path(name).name != name or "\0" in name:
            raise UsageError("negotiation.origin-name")
        return releases / name


def _read_origin(tree: Any, where: Where) -> Origin | None:
    return tree if tree is None or isinstance(tree, Origin) else read_entries(Origin, tree, where.folder)


def _written_origin(origin: Origin | None) -> Any:
    return None if origin is None else chosen_entries(origin)


@dataclass(frozen=True, kw_only=True)
class DataRequest:
    """What a requester asks a manager for.

    >>> request = DataRequest(
    ...     requester=Requester(
    ...         kind="public-institution",
    ...         name="Rita Lima",
    ...         address="São Luís",
    ...         document="000.000.000-00",
    ...         document_type="CPF",
    ...     ),
    ...     wanted={"Idade": "idade na data da aplicação", "Grupo": "grupo de atendimento"},
    ...     dimension="truth",
    ...     purpose="cobertura vacinal por idade",
    ... )
    >>> DataRequest.from_tree(request.to_tree()) == request
    True
    """

    requester: Requester = field(metadata=spelled(read=_read_requester, write=chosen_entries))
    wanted: Mapping[str, str]
    """The data that are wanted: a label for each, and what it means."""
    dimension: Dimension
    purpose: str
    predict: str | None = None
    """The label of what the requester wants to predict or estimate, for the review of utility."""
    prefer: PolicyName | None = None
    """What makes one plan better than another for the requester (Samarati and Sweeney 1998)."""
    needed_by: date | None = None
    origin: Origin | None = field(default=None, metadata=spelled(read=_read_origin, write=_written_origin))
    selection: str = ""
    """Which records, in the requester's words: a place, a year."""

    def __post_init__(self) -> None:
        for name, kind in (("requester", Requester), ("origin", Origin | None), ("needed_by", date | None)):
            if not isinstance(getattr(self, name), kind):
                raise UsageError("negotiation.entry", entry=name)
        object.__setattr__(self, "purpose", checked_text("purpose", self.purpose))
        object.__setattr__(self, "selection", checked_text("selection", self.selection, needed=False))
        object.__setattr__(self, "wanted", _checked_labels(self.wanted))
        if self.dimension not in ("truth", "structure", "hybrid"):
            raise UsageError("negotiation.dimension", value=self.dimension)
        if self.predict is not None and self.predict not in self.wanted:
            raise UsageError("negotiation.predict-unwanted", label=self.predict)

    def to_tree(self) -> dict[str, Any]:
        """The request as plain values for YAML or JSON."""
        return DOCUMENT.tree(self)

    @classmethod
    def from_tree(cls, tree: Any) -> Self:
        """The request that plain values describe."""
        return DOCUMENT.read(cls, tree)

    @classmethod
    def load(cls, source: "DataRequest | str | Path") -> Self:
        """The request itself, or the one in a YAML file."""
        return source if isinstance(source, cls) else DOCUMENT.load(cls, str(source))


def _checked_labels(wanted: Any) -> dict[str, str]:
    if not isinstance(wanted, Mapping) or not wanted:
        raise UsageError("negotiation.nothing-wanted")
    if len(wanted) > _MOST_LABELS:
        raise UsageError("negotiation.many-wanted", most=_MOST_LABELS)
    return {
        checked_text("wanted", label, longest=_LONGEST_LABEL): checked_text("wanted", said, longest=_LONGEST_MEANING)
        for label, said in wanted.items()
    }


_NOTHING = "–"

FORGOTTEN = DataRequest(
    requester=Requester(
        kind="public-institution", name=_NOTHING, address=_NOTHING, document=_NOTHING, document_type=_NOTHING
    ),
    wanted={_NOTHING: _NOTHING},
    dimension="truth",
    purpose=_NOTHING,
)
"""What stands for a request that was erased."""
