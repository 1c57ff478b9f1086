"""Plans carried out on Apache Spark, on this machine or on a cluster."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._engine.spark.failures import failures_in_sentences
    from biombo._engine.spark.java import check_java
    from biombo._engine.spark.master import Master, master_of
    from biombo._engine.spark.owned_folder import OwnedFolder
    from biombo._engine.spark.protection import refuse_unprotected
    from biombo._engine.spark.session import is_connect, refuse_unprotected_session, session_at

__all__ = [
    "Master",
    "OwnedFolder",
    "check_java",
    "failures_in_sentences",
    "is_connect",
    "master_of",
    "refuse_unprotected",
    "refuse_unprotected_session",
    "session_at",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
