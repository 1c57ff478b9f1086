"""Where counting and recoding run, and where results are written."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._engine.local.write import CsvWriter, FrameWriter, Target, Writer, csv_text, writer_for

__all__ = ["CsvWriter", "FrameWriter", "Target", "Writer", "csv_text", "writer_for"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
