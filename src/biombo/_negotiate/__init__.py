"""Requested publication: the negotiation between whoever asks for data and whoever answers for them."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._negotiate.actors import Actor, ActorRole
    from biombo._negotiate.acts import (
        ACTS,
        Accept,
        AcceptTerms,
        Amend,
        Answer,
        Appeal,
        Ask,
        AskDiversity,
        AskForMore,
        AskForPlans,
        CarryOut,
        DecideAppeal,
        Decline,
        Erase,
        Extend,
        GiveSynonyms,
        MakeAvailable,
        Message,
        Note,
        Override,
        Prepare,
        Propose,
        RecordVisit,
        Reject,
        Review,
        Revoke,
        SendMetrics,
        SetCondition,
        Suggest,
        Supplement,
        Vote,
        Waive,
        Withdraw,
        WriteReport,
    )
    from biombo._negotiate.agency import Agency
    from biombo._negotiate.chain import Fault, excerpt, faults_of, read_chain
    from biombo._negotiate.controls import WAYS, Way, unkept
    from biombo._negotiate.deadlines import Deadlines, last_moment
    from biombo._negotiate.dialogue import dialogue_of, operation_told, sentence_of
    from biombo._negotiate.event import Event
    from biombo._negotiate.facts import Act, Fact, fact_of, plain_fact
    from biombo._negotiate.findings import FINDINGS
    from biombo._negotiate.listed_values import without_lists
    from biombo._negotiate.negotiation import Negotiation
    from biombo._negotiate.offer import Measured, Obstacle, Offer
    from biombo._negotiate.publication import AVAILABLE, CANDIDATE
    from biombo._negotiate.record import NegotiationRecord
    from biombo._negotiate.request import DataRequest, Dimension, Origin, Requester
    from biombo._negotiate.rules import OVER, PERMISSIONS, STANDS, Permission, acts_allowed, permission
    from biombo._negotiate.rules_page import always_table, diagram, rules_table
    from biombo._negotiate.safe import SafeView
    from biombo._negotiate.settings import folder_faults
    from biombo._negotiate.state import Levels, State
    from biombo._negotiate.terms import Terms, terms_of
    from biombo._negotiate.views import ManagerView, RequesterView
    from biombo._negotiate.words import Word

__all__ = [
    "ACTS",
    "AVAILABLE",
    "CANDIDATE",
    "FINDINGS",
    "OVER",
    "PERMISSIONS",
    "STANDS",
    "WAYS",
    "Accept",
    "AcceptTerms",
    "Act",
    "Actor",
    "ActorRole",
    "Agency",
    "Amend",
    "Answer",
    "Appeal",
    "Ask",
    "AskDiversity",
    "AskForMore",
    "AskForPlans",
    "CarryOut",
    "DataRequest",
    "Deadlines",
    "DecideAppeal",
    "Decline",
    "Dimension",
    "Erase",
    "Event",
    "Extend",
    "Fact",
    "Fault",
    "GiveSynonyms",
    "Levels",
    "MakeAvailable",
    "ManagerView",
    "Measured",
    "Message",
    "Negotiation",
    "NegotiationRecord",
    "Note",
    "Obstacle",
    "Offer",
    "Origin",
    "Override",
    "Permission",
    "Prepare",
    "Propose",
    "RecordVisit",
    "Reject",
    "Requester",
    "RequesterView",
    "Review",
    "Revoke",
    "SafeView",
    "SendMetrics",
    "SetCondition",
    "State",
    "Suggest",
    "Supplement",
    "Terms",
    "Vote",
    "Waive",
    "Way",
    "Withdraw",
    "Word",
    "WriteReport",
    "acts_allowed",
    "always_table",
    "diagram",
    "dialogue_of",
    "excerpt",
    "fact_of",
    "faults_of",
    "folder_faults",
    "last_moment",
    "operation_told",
    "permission",
    "plain_fact",
    "read_chain",
    "rules_table",
    "sentence_of",
    "terms_of",
    "unkept",
    "without_lists",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
