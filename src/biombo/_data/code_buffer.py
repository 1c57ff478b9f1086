"""The codes of one column as they arrive."""

import numpy as np

from biombo._cells import Codes


class CodeBuffer:
    """One block of memory, which doubles when it is full and widens when a wider code comes.

    Chunks kept apart until the end would take the memory of the codes twice.
    """

    def __init__(self) -> None:
        self._codes: Codes = np.empty(0, np.uint8)
        self._rows = 0

    def append(self, chunk: Codes) -> None:
        """Put ``chunk`` after what is there."""
        rows = self._rows + len(chunk)
        wider = chunk.dtype.itemsize > self._codes.dtype.itemsize
        if wider or rows > len(self._codes):
            room = len(self._codes) if rows <= len(self._codes) else max(rows, 2 * len(self._codes))
            moved: Codes = np.empty(room, chunk.dtype if wider else self._codes.dtype)
            moved[: self._rows] = self._codes[: self._rows]
            self._codes = moved
        self._codes[self._rows : rows] = chunk
        self._rows = rows

    def codes(self) -> Codes:
        """All codes, in an array of their own."""
        return self._codes[: self._rows].copy()
