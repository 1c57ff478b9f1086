"""What follows from the events of a release, against what a reader of them would say."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from biombo import Decision, PublicRelease, RegisteredRelease, RegisterEntry, RegisterEvent

START = date(2027, 1, 1)
DAYS = st.integers(0, 30).map(lambda days: START + timedelta(days=days))
LATER = st.lists(st.tuples(st.sampled_from(["reviewed", "revoked", "breached"]), DAYS), max_size=6)


def release(review, later):
    entry = RegisterEntry.of(
        Decision(PublicRelease(harm="low"), 5),
        what="x",
        department="y",
        access="copy",
        plan_hash="0" * 64,
        review=review,
    )
    events = [("registered", None), *((kind, day if kind == "reviewed" else None) for kind, day in later)]
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return RegisteredRelease(1, entry, tuple(RegisterEvent(kind, at, None, None, day) for kind, day in events))


@given(DAYS, LATER, DAYS)
def test_status_and_review_are_what_the_last_event_about_them_says(review, later, on):
    status, next_review = "active", review
    for kind, day in later:
        if kind == "reviewed":
            next_review = day
        else:
            status = kind

    found = release(review, later)
    assert (found.status, found.review) == (status, next_review)
    assert found.due(on) == (status != "revoked" and next_review <= on)
