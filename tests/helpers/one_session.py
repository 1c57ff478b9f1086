"""Tests that share what is expensive to start, such as a session of Spark, all go to the same worker."""

import re
from collections.abc import Sequence

import pytest
from xdist.scheduler.worksteal import WorkStealingScheduling
from xdist.workermanage import WorkerController

_SERVED = r"beside|dialogue|identity|kills|pages|pictures|server|workbench|\w+_in_a_browser"
TOGETHER = {
    "a session of Spark": re.compile(r"/spark/(?!test_(cluster|lost|killed|leaks))|[\[-]spark[\]-]"),
    "a cluster of Spark": re.compile(r"/spark/"),
    "a portal that serves browsers": re.compile(rf"tests/portal/test_({_SERVED})"),
    "a portal in the process": re.compile(r"tests/portal/"),
}
"""What is started once, and how tests that share it are called: the process that hands tests out knows only names, and
the first that fits counts. With as many workers all of them start at once, and none is left alone with two of them in
the end; what shares nothing comes after the last, which others take from."""

_IN_HAND = 2
"""Tests that a worker keeps: the one that runs, and the next."""


def company_of(name: str) -> int:
    """Which of them the test of this name belongs to, by its place; none of them comes last."""
    return next((place for place, named in enumerate(TOGETHER.values()) if named.search(name)), len(TOGETHER))


def put_shared_first(items: list[pytest.Item], marker: str) -> None:
    """Tests with this ``marker``, and those in a browser, must have a name that tells it; tests that share something
    come first, together."""
    for item in items:
        if item.get_closest_marker(marker) and company_of(item.nodeid) == len(TOGETHER):
            raise pytest.UsageError(f"{item.nodeid}: put it into a folder called spark, or call its case spark")
        if "browser" in getattr(item, "fixturenames", ()) and company_of(item.nodeid) == len(TOGETHER) - 1:
            raise pytest.UsageError(f"{item.nodeid}: put it into a file whose name ends in _in_a_browser")
    items.sort(key=lambda item: company_of(item.nodeid))


class OneSession(WorkStealingScheduling):
    """Work stealing that leaves tests that share something where they are: with the worker that got them at first."""

    def check_schedule(self) -> None:
        self._hand_out()
        idle = self._idle()
        if not idle or self.steal_requested_from_node is not None:
            return
        loot = {node: self._free(pending) for node, pending in self.node2pending.items() if not node.shutting_down}
        richest = max(loot, key=lambda node: len(loot[node]), default=None)
        if richest is None or not loot[richest]:
            for node in idle:
                node.shutdown()
            return
        richest.send_steal(loot[richest])
        self.steal_requested_from_node = richest

    def _idle(self) -> list[WorkerController]:
        return [
            node for node, pending in self.node2pending.items() if not node.shutting_down and len(pending) < _IN_HAND
        ]

    def _hand_out(self) -> None:
        idle = self._idle()
        for left, node in zip(range(len(idle), 0, -1), idle, strict=True):
            together = len(self.pending) if left == 1 else self._at_the_front()
            self._send_tests(node, together or len(self.pending) // left)

    def _at_the_front(self) -> int:
        """How many tests share what the first one that waits does; 0 where it shares nothing."""
        companies = [self._company(test) for test in self.pending]
        return companies.count(companies[0]) if companies and companies[0] < len(TOGETHER) else 0

    def _free(self, pending: Sequence[int]) -> list[int]:
        """The half of what a worker has that others may take."""
        most = min(len(pending) // 2, max(0, len(pending) - _IN_HAND))
        return [test for test in pending[len(pending) - most :] if self._company(test) == len(TOGETHER)]

    def _company(self, test: int) -> int:
        return len(TOGETHER) if self.collection is None else company_of(self.collection[test])
