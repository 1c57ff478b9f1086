"""What pages draw of a view: bars, and questions in words. Nothing is measured here."""

from collections.abc import Mapping
from typing import Any

from biombo._i18n import percent, text
from biombo._negotiate import NegotiationRecord, sentence_of

BLOCKED = ("manipulations", "applying", "condition")
"""States in which the last list of columns still says what stands in the way."""


NAMELESS: Mapping[str, str] = {}
"""Columns are called by their own names."""


def shown(view: Any, role: str) -> dict[str, Any]:
    """What the page of a request shows beside the view itself."""
    if role == "requester":
        return {
            "is_blocked": view.turn.state in BLOCKED,
            "blocking": blocking_bars(view.blocking, _labels(view.columns)),
            "blocking_caption": text(f"portal.blocking.{'share' if _has_shares(view.blocking) else 'order'}"),
            "question": None if view.question is None else sentence_of(view.question),
            **losses_of(view.metrics, _labels(view.columns)),
        }
    state = view.state
    return {
        "is_blocked": state.name in BLOCKED,
        "last_offer": view.offers[-1] if view.offers else None,
        "question": None if state.question is None else sentence_of(state.question),
        "joint": [] if state.joint is None else _plain(state.joint.joint),
        **losses_of({} if state.metrics is None else state.metrics.metrics, {}),
    }


def seen_by_requester(record: NegotiationRecord) -> dict[str, Any]:
    """For the manager: what the requester reads now, by the same view that their page is made of."""
    if record.state.is_forgotten:
        return {}
    view = record.view(record.state.asker)
    return {"view": view, **shown(view, "requester")}


def _labels(columns: Mapping[str, str | None]) -> dict[str, str]:
    """By column: what the request calls it."""
    return {column: label for label, column in columns.items() if column is not None}


def blocking_bars(rows: Any, labels: Mapping[str, str]) -> list[tuple[str, float, str]]:
    """List 4: each column alone, the heaviest first, then all together; where no share is told, only their order."""
    if not rows:
        return []
    *alone, together = rows
    if _has_shares(rows):
        bars = [(_called(each["columns"], labels), 100 * each["below"], _whole(each["below"])) for each in alone]
        share = together["below"]
        return [*bars, (text("portal.blocking.together"), 100 * share, _whole(share))] if len(alone) > 1 else bars
    return [
        (
            _called(each["columns"], labels),
            100 * (len(alone) - place) / len(alone),
            text("portal.blocking.place", place=place + 1),
        )
        for place, each in enumerate(alone)
    ]


def _whole(share: float) -> str:
    """In whole percents: what is told as none may be a few."""
    return percent(share, 0) if share > 0 else text("portal.blocking.few")


def _has_shares(rows: Any) -> bool:
    return bool(rows) and all(each["below"] is not None for each in rows)


def _called(columns: Any, labels: Mapping[str, str]) -> str:
    return ", ".join(labels.get(each, each) for each in columns)


def losses_of(metrics: Mapping[str, Any], labels: Mapping[str, str] = NAMELESS) -> dict[str, Any]:
    """Pictures for the review of utility: detail lost, distributions changed, and how well something is predicted."""
    accuracy = metrics.get("accuracy") or {}
    return {
        "losses": _shares(metrics.get("column_loss") or {}, labels),
        "losses_caption": text("portal.metrics.by-column"),
        "distances": _shares(metrics.get("distances") or {}, labels),
        "distances_caption": text("portal.metrics.distances"),
        "accuracies": _shares(
            {text(f"portal.metrics.of-{name}"): accuracy.get(name) for name in ("original", "release") if accuracy}, {}
        ),
        "accuracies_caption": text("portal.metrics.predicted", column=_called([str(metrics.get("predict"))], labels)),
    }


def _shares(values: Mapping[str, float | None], labels: Mapping[str, str]) -> list[tuple[str, float, str]]:
    return [(labels.get(name, name), 100 * each, percent(each, 0)) for name, each in values.items() if each is not None]


def _plain(joint: Mapping[str, Any]) -> list[tuple[str, Any]]:
    known = ("records", "smallest_joint_group")
    return [(text(f"portal.joint.{name}"), joint[name]) for name in known if name in joint]
