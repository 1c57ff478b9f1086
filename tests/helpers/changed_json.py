"""JSON in which something is different."""

from typing import Any

from hypothesis import strategies as st

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["", "data.csv", "../data.csv", "/etc/passwd", "a\0b", "n" * 5000, "*", "attested", "trace_id"])
    | st.text(max_size=5)
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


@st.composite
def changes(draw: st.DrawFn, tree: Any) -> Any:
    """``tree`` with something in it replaced, left out or added, at any depth."""
    if isinstance(tree, dict | list) and tree and draw(st.integers(0, 4)):
        places = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
        place = draw(st.sampled_from(places))
        inner = draw(changes(tree[place]))
        return {**tree, place: inner} if isinstance(tree, dict) else [*tree[:place], inner, *tree[place + 1 :]]
    if isinstance(tree, dict) and tree and draw(st.booleans()):
        name = draw(st.sampled_from(list(tree)))
        return {key: value for key, value in tree.items() if key != name}
    if isinstance(tree, dict) and draw(st.booleans()):
        return {**tree, draw(st.text(max_size=5) | st.just("criterion")): draw(VALUES)}
    return draw(VALUES)
