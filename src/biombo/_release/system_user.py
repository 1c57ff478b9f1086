"""Who uses the system, for logs and the register."""

import getpass


def system_user() -> str | None:
    """The name that the system has for who runs the program, if any."""
    try:
        return getpass.getuser() or None
    except (KeyError, ImportError, OSError):
        return None
