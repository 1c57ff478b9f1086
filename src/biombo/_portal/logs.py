"""What may stand in a log: that something failed and where, never what somebody sent or what the data say."""

import logging

LOG = logging.getLogger("biombo.portal")


class Discreet(logging.Filter):
    """Takes texts of errors out of records: they may quote forms or values. Their kinds and places stay."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record passes, emptied."""
        request = getattr(record, "request", None)
        if request is not None:  # addresses may hold the secret of a link
            route = getattr(getattr(request, "resolver_match", None), "view_name", None)
            record.msg, record.args = f"{getattr(record, 'status_code', '')} at the route {route}".strip(), ()
        if record.exc_info and record.exc_info[0] is not None:
            record.msg = f"{record.getMessage()} [{record.exc_info[0].__name__} at {_place(record.exc_info[2])}]"
            record.args, record.exc_info, record.exc_text = (), None, None
        if hasattr(record, "request"):
            del record.request
        return True


def _place(traceback: object) -> str:
    """The innermost place in the program."""
    place = "?"
    while traceback is not None:
        code = traceback.tb_frame.f_code  # type: ignore[attr-defined]
        place = f"{code.co_filename.rpartition('/')[2]}:{traceback.tb_lineno}"  # type: ignore[attr-defined]
        traceback = traceback.tb_next  # type: ignore[attr-defined]
    return place
