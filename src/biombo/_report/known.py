"""Which combinations of columns were tried."""

from markupsafe import Markup

from biombo._attack import Question
from biombo._report.names import Names
from biombo._report.words import counted, rich


def known(question: Question, names: Names) -> Markup:
    """All of some columns, or those up to a size."""
    columns, n = names.told(question.quasi), len(question.quasi)
    if question.max_size < n:
        return rich("report.method.known-cut", n=n, most=question.max_size, columns=columns)
    return counted("report.method.known", n, columns=columns)
