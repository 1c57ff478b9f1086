"""For all tests, those in documents too: nothing is learnt from them, and the user's cache stays as it is."""

import os

os.environ["BIOMBO_LEARN"] = "0"

collect_ignore_glob = ["src/biombo/_portal/*"]
"""Modules of the portal can be imported only by a process that serves one; they have no examples."""
