"""Where counting and recoding run, and where results are written."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._engine.local.write import CsvWriter, FrameWriter, Target, Writer, csv_text, writer_for

__all__ = ["CsvWriter", "FrameWriter", "Target", "Writer", "csv_text", "writer_for"]

__getattr__, __dir__ = face(__name__)
