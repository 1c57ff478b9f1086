"""Requests: what is asked of Biombo, as data that is typed, saved, read, checked and carried out."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._requests.apply import ApplyOutcome, ApplyRequest
    from biombo._requests.entries import files_read, limits_of
    from biombo._requests.model import CONDITIONS, NEEDED_CONDITIONS, ModelAnswers
    from biombo._requests.page import report
    from biombo._requests.places import register_address
    from biombo._requests.publish import PublishOutcome, PublishRequest, RehearsalOutcome
    from biombo._requests.query import QueryRequest
    from biombo._requests.record import RecordAnswers
    from biombo._requests.request import Request
    from biombo._requests.risk import RiskOutcome, RiskRequest
    from biombo._requests.search import SearchOutcome, SearchRequest
    from biombo._requests.synthesise import SynthesiseOutcome, SynthesiseRequest
    from biombo._requests.tabulate import TabulateOutcome, TabulateRequest
    from biombo._requests.utility import UtilityOutcome, UtilityRequest

__all__ = [
    "CONDITIONS",
    "NEEDED_CONDITIONS",
    "ApplyOutcome",
    "ApplyRequest",
    "ModelAnswers",
    "PublishOutcome",
    "PublishRequest",
    "QueryRequest",
    "RecordAnswers",
    "RehearsalOutcome",
    "Request",
    "RiskOutcome",
    "RiskRequest",
    "SearchOutcome",
    "SearchRequest",
    "SynthesiseOutcome",
    "SynthesiseRequest",
    "TabulateOutcome",
    "TabulateRequest",
    "UtilityOutcome",
    "UtilityRequest",
    "files_read",
    "limits_of",
    "register_address",
    "report",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
