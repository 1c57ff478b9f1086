"""Tests that share what is expensive to start, such as a session of Spark, all go to the same worker."""

import re
from collections.abc import Sequence

import pytest
from xdist.scheduler.worksteal import WorkStealingScheduling
from xdist.workermanage import WorkerController

SHARED = re.compile(r"/spark/|[\[-]spark[\]-]")
"""In the names of such tests, by which the process that hands tests out knows them."""

_IN_HAND = 2
"""Tests that a worker keeps: the one that runs, and the next."""


def put_shared_first(items: list[pytest.Item], marker: str) -> None:
    """Tests with this ``marker`` must have a name that tells it; they come first."""
    for item in items:
        if item.get_closest_marker(marker) and not SHARED.search(item.nodeid):
            raise pytest.UsageError(f"{item.nodeid}: put it into a folder called spark, or call its case spark")
    items.sort(key=lambda item: SHARED.search(item.nodeid) is None)


class OneSession(WorkStealingScheduling):
    """Work stealing that leaves shared tests where they are: with the worker that got all of them at the beginning."""

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
        for place, node in enumerate(idle):
            share = len(self.pending) // (len(idle) - place)
            self._send_tests(node, max(share, sum(map(self._is_shared, self.pending))))

    def _free(self, pending: Sequence[int]) -> list[int]:
        """The half of what a worker has that others may take."""
        most = min(len(pending) // 2, max(0, len(pending) - _IN_HAND))
        return [test for test in pending[len(pending) - most :] if not self._is_shared(test)]

    def _is_shared(self, test: int) -> bool:
        return self.collection is not None and SHARED.search(self.collection[test]) is not None
