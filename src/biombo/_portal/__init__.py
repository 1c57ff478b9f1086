"""The portal: requested and proactive publication in the browser. It fills requests and calls the library.

Loaded by ``biombo serve`` and ``biombo portal`` alone, with the extra ``biombo[portal]``.
"""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._portal.access import rule_of
    from biombo._portal.configure import configure, settings_of
    from biombo._portal.demo import fill_with_demo
    from biombo._portal.holding import hold, hold_database
    from biombo._portal.home import PortalHome
    from biombo._portal.jobs import queue, run_job, take_up
    from biombo._portal.keeping import forget, forget_tables, remove_leftovers
    from biombo._portal.letters import remind, send_waiting, write_letter
    from biombo._portal.negotiations import actor_of, expire_what_is_over, forget_opened
    from biombo._portal.server import do_each, prepare, serve, serve_part
    from biombo._portal.unlisted import ask_agency, decline, name_table
    from biombo._portal.upkeep import back_up, closed_by_restore, faults, restore
    from biombo._portal.vaults import vault_of

__all__ = [
    "PortalHome",
    "actor_of",
    "ask_agency",
    "back_up",
    "closed_by_restore",
    "configure",
    "decline",
    "do_each",
    "expire_what_is_over",
    "faults",
    "fill_with_demo",
    "forget",
    "forget_opened",
    "forget_tables",
    "hold",
    "hold_database",
    "name_table",
    "prepare",
    "queue",
    "remind",
    "remove_leftovers",
    "restore",
    "rule_of",
    "run_job",
    "send_waiting",
    "serve",
    "serve_part",
    "settings_of",
    "take_up",
    "vault_of",
    "write_letter",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
