"""Where plans are carried out: what an engine can do, and the one that works on this machine."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._engine.choice import HERE, check_engine, engine_of
    from biombo._engine.engine import (
        Counted,
        Counting,
        Dealing,
        Engine,
        Flow,
        Gathered,
        Head,
        Keys,
        Naming,
        Origins,
        Paired,
        Pairs,
        Places,
        Printed,
        Printing,
        Prints,
        Reading,
        StoreTarget,
        Table,
        Tally,
        Watching,
        Written,
        as_read,
        read_as,
    )
    from biombo._engine.fates import (
        LEFT_OUT,
        NAMES,
        Fate,
        FateCounts,
        Fates,
        Numbers,
        Rows,
        are,
        are_out,
        later,
        were_there,
    )
    from biombo._engine.local.deal import dealt_marks, digest, digests, hand_marks
    from biombo._engine.local.engine import LOCAL, LocalEngine
    from biombo._engine.local.frames import Frames, readable, without_empty
    from biombo._engine.local.groups import numbered
    from biombo._engine.local.pairs import RowPairs
    from biombo._engine.local.shuffle import MOST_HELD, shuffled
    from biombo._engine.local.spool import Spool
    from biombo._engine.local.write import CsvWriter, FrameWriter, Target, Writer, csv_text, writer_for
    from biombo._engine.randomness import Floats, Randomness
    from biombo._engine.spark.engine import SparkEngine
    from biombo._engine.step import (
        Batch,
        Change,
        Footprint,
        MarkedChange,
        MarkedStep,
        Marks,
        Step,
        Summary,
        Warn,
    )

__all__ = [
    "HERE",
    "LEFT_OUT",
    "LOCAL",
    "MOST_HELD",
    "NAMES",
    "Batch",
    "Change",
    "Counted",
    "Counting",
    "CsvWriter",
    "Dealing",
    "Engine",
    "Fate",
    "FateCounts",
    "Fates",
    "Floats",
    "Flow",
    "Footprint",
    "FrameWriter",
    "Frames",
    "Gathered",
    "Head",
    "Keys",
    "LocalEngine",
    "MarkedChange",
    "MarkedStep",
    "Marks",
    "Naming",
    "Numbers",
    "Origins",
    "Paired",
    "Pairs",
    "Places",
    "Printed",
    "Printing",
    "Prints",
    "Randomness",
    "Reading",
    "RowPairs",
    "Rows",
    "SparkEngine",
    "Spool",
    "Step",
    "StoreTarget",
    "Summary",
    "Table",
    "Tally",
    "Target",
    "Warn",
    "Watching",
    "Writer",
    "Written",
    "are",
    "are_out",
    "as_read",
    "check_engine",
    "csv_text",
    "dealt_marks",
    "digest",
    "digests",
    "engine_of",
    "hand_marks",
    "later",
    "numbered",
    "read_as",
    "readable",
    "shuffled",
    "were_there",
    "without_empty",
    "writer_for",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
