"""The lattice of a search, drawn when it is small: what satisfies, what is minimal, what was chosen."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from biombo._cells import NodeState
from biombo._i18n import integer, text
from biombo._report.blocks import Block, Drawing, Figure, Prose, Section, Table, numbers, words
from biombo._report.charts.lattice import Look, Node, lattice
from biombo._report.charts.svg import drawn
from biombo._report.search.subject import Subject
from biombo._report.wording import enumerated, rich
from biombo._search import Explored, SearchResult

MOST_NODES = 200
MOST_NAMED = 8
"""The most minimal generalisations that the description of a picture names."""

_WORDS = {
    Look.CHOSEN: "report.search.look.chosen",
    Look.MINIMAL: "report.search.look.minimal",
    Look.SATISFYING: "report.search.look.satisfying",
    Look.FAILING: "report.search.look.failing",
    Look.UNDECIDED: "report.search.look.undecided",
}


def lattice_section(subject: Subject) -> Section:
    """A picture for each set of quasi columns."""
    blocks = tuple(_block(part, subject) for part in subject.parts)
    return Section("lattice", text("report.search.lattice.title"), blocks)


def _block(part: SearchResult, subject: Subject) -> Block:
    if part.lattice > MOST_NODES:
        return Prose(rich("report.search.lattice.large", nodes=part.lattice, most=MOST_NODES))
    limit = part.explored.question.limit(part.max_suppression)
    explored = part.whole_lattice
    looks = _looks(explored, limit, subject)
    nodes = [Node(tuple(levels), look) for levels, look in zip(explored.question.nodes.tolist(), looks, strict=True)]
    columns = [subject.names.columns[name] for name in explored.question.quasi]
    title = text("report.search.lattice.figure", nodes=len(nodes))
    chart = lattice(nodes, {look: text(key) for look, key in _WORDS.items()})
    drawing = Drawing(drawn(chart, title, _description(nodes, columns)), natural=True)
    caption = rich("report.search.lattice.caption", columns=enumerated(columns))
    return Figure(title, (drawing,), caption, _every_node(nodes, explored, limit))


def _looks(explored: Explored, limit: int, subject: Subject) -> Sequence[Look]:
    chosen = _is_chosen(explored, subject)
    satisfying, minimal = explored.satisfying(limit), explored.minimal(limit)
    unknown = explored.counts.state == NodeState.UNKNOWN
    order = (
        (Look.CHOSEN, chosen),
        (Look.MINIMAL, minimal),
        (Look.SATISFYING, satisfying),
        (Look.UNDECIDED, unknown),
    )
    return [next((look for look, holds in order if holds[node]), Look.FAILING) for node in range(len(chosen))]


def _is_chosen(explored: Explored, subject: Subject) -> NDArray[np.bool_]:
    nodes, plan = explored.question.nodes, subject.chosen
    if plan is None:
        return np.zeros(len(nodes), bool)
    levels = [plan.levels[name] for name in explored.question.quasi]
    return np.asarray((nodes == levels).all(axis=1))


def _description(nodes: Sequence[Node], columns: Sequence[str]) -> str:
    counts = Counter(node.look for node in nodes)
    satisfying = len(nodes) - counts[Look.FAILING] - counts[Look.UNDECIDED]
    sentences = [
        text("report.search.lattice.description", nodes=len(nodes), satisfying=satisfying, columns=", ".join(columns)),
        *_named(nodes, Look.CHOSEN, "report.search.lattice.chosen"),
        *_named(nodes, Look.MINIMAL, "report.search.lattice.minimal"),
    ]
    return " ".join(sentences)


def _named(nodes: Sequence[Node], look: Look, key: str) -> Iterator[str]:
    labels = [node.label for node in nodes if node.look is look]
    if labels:
        more = ", …" if len(labels) > MOST_NAMED else ""
        yield text(key, labels=", ".join(labels[:MOST_NAMED]) + more)


def _every_node(nodes: Sequence[Node], explored: Explored, limit: int) -> Table:
    """The nodes, the least generalised first, with what they suppress, unless they fail for another reason."""
    suppressed = explored.counts.suppressed[:, 0]
    told = (explored.counts.state == NodeState.CHECKED) & (explored.satisfying(limit) | (suppressed > limit))
    in_order = sorted(range(len(nodes)), key=lambda place: (sum(nodes[place].levels), nodes[place].levels))
    rows = [
        [
            nodes[place].label,
            text(_WORDS[nodes[place].look]),
            integer(suppressed[place]) if told[place] else "–",
        ]
        for place in in_order
    ]
    headings = [words("levels"), words("node"), numbers("suppressed")]
    return Table.of(text("report.search.lattice.table"), headings, rows)
