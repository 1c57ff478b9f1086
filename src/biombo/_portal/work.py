"""What each kind of job does: it calls the library, and notes in the database what lists show."""

from collections.abc import Callable, Mapping

from biombo._portal import catalogue, negotiations, questions, tables, workbench
from biombo._portal.keeping import keep_no_longer
from biombo._portal.models import Job

WORK: Mapping[str, Callable[[Job], object]] = {
    "begin": negotiations.begin,
    "act": negotiations.act,
    "erase": negotiations.erase,
    "plans": negotiations.search_plans,
    "values": negotiations.look_up_values,
    "check-questions": questions.check_columns,
    "foresee-question": questions.foresee,
    "answer-question": questions.answer,
    "fetch": tables.fetch,
    "inspect": tables.look_at,
    "propose-hierarchies": tables.propose_hierarchies,
    "check-hierarchy": tables.check_hierarchy,
    "draft-risk": workbench.measure_risk,
    "draft-person": workbench.look_at_person,
    "draft-search": workbench.search_plans,
    "draft-utility": workbench.rehearse,
    "draft-publish": workbench.publish,
    "list-release": catalogue.list_release,
    "retention": lambda _job: keep_no_longer(),
    "verify": catalogue.verify_again,
}
"""By kind."""
