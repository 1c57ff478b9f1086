"""What must hold before data are sent to other machines: who takes part is known, and nobody else can read along."""

import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from biombo._errors import UsageError

Setting = Callable[[str], str | None]
"""The value of a setting by its name; none where there is none."""

_LOCAL = re.compile(r"local(\[.*\])?")
_SECRET_VARIABLE = "_SPARK_AUTH_SECRET"
_SECRETS = ("spark.authenticate.secret", "spark.authenticate.secret.file", "spark.authenticate.secret.driver.file")


def refuse_unprotected(setting: Setting, shown: str, *, own_secret: bool = True) -> None:
    """Raise where Spark at ``shown`` works beyond this machine without authentication and encryption.

    With ``own_secret`` this process takes part in the authentication, so it must have the secret.
    """
    if _LOCAL.fullmatch(setting("spark.master") or ""):
        return
    missing = list(_missing(setting, own_secret=own_secret))
    if missing:
        raise UsageError("spark.unprotected", master=shown, settings=", ".join(missing))


def _missing(setting: Setting, *, own_secret: bool) -> Iterator[str]:
    if not _is_on(setting, "spark.authenticate"):
        yield "spark.authenticate=true"
    if own_secret and not (any(map(setting, _SECRETS)) or os.environ.get(_SECRET_VARIABLE)):
        yield "spark.authenticate.secret"
    if not (_is_on(setting, "spark.network.crypto.enabled") or _is_on(setting, "spark.ssl.rpc.enabled")):
        yield "spark.network.crypto.enabled=true"
    if not _is_on(setting, "spark.io.encryption.enabled"):
        yield "spark.io.encryption.enabled=true"


def _is_on(setting: Setting, name: str) -> bool:
    return (setting(name) or "").strip().lower() == "true"


def settings_of(session: Any) -> Setting:
    """The settings of a session, Connect's or not."""
    return lambda name: session.conf.get(name, None)
