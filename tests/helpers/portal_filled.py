"""Fills the folder of a portal that another process serves, and tells how to come in.

A process has one portal, so what a test serves is filled by a program of its own.
"""

import json
import sys
from pathlib import Path

import negotiations
from portal_site import Site

import biombo as bb


def filled(folder: Path, database: str | None = None) -> dict[str, object]:
    """People, a table large enough that work on it can be interrupted, and a request for it."""
    site = Site(folder, address="http://127.0.0.1:8000", database=database)
    table = negotiations.table(20_000)
    data_set = site.add_table(table, negotiations.SCHEMA)
    case, other = site.begun("rita", data_set), site.begun("caio")
    people = ("rita", "caio", "ana", "bruno", "alice")
    return {
        "sessions": {who: site.client(who).cookies["sessionid"].value for who in people},
        "case": case.pk,
        "other": other.pk,
        "folder": case.folder,
        "other_folder": other.folder,
        "columns": list(bb.DataRequest.from_tree(case.asked).wanted),
    }


if __name__ == "__main__":
    print(json.dumps(filled(Path(sys.argv[1]), *sys.argv[2:])))
