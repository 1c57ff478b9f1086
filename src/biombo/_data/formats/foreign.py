"""Failures inside other people's libraries, said in our words."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa

from biombo._errors import BiomboError, InputError

_NOT_A_FAILURE = (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, BiomboError)


@contextmanager
def foreign_failures(key: str, **values: Any) -> Iterator[None]:
    """Raise ``InputError(key, **values)`` instead of whatever the library raises, a panic of Rust code included."""
    try:
        yield
    except pa.ArrowMemoryError as error:  # more than there ever is was asked for
        raise InputError(key, **values, detail=" ".join(str(error).split())) from None
    except _NOT_A_FAILURE:
        raise
    except BaseException as error:  # a panic of Rust code is no Exception
        raise InputError(key, **values, detail=" ".join(str(error).split())) from None
