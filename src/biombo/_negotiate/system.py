"""What follows from an act by rule: checks, offers, lists and metrics (processes 3, 4, 6, 8, 9, 12 and 14)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from biombo._errors import UsageError
from biombo._negotiate import acts, findings
from biombo._negotiate.agreed_plan import has_noise, plan_of, prepared, schema_of
from biombo._negotiate.facts import Act, Fact
from biombo._negotiate.measure import Changed
from biombo._negotiate.offer import Offer
from biombo._negotiate.release_model import decision_on, model_of
from biombo._negotiate.safe import SafeView
from biombo._negotiate.source import NegotiatedSource
from biombo._negotiate.state import State
from biombo._plan import Plan

Telling = Callable[[int, Fact], State]
"""Adds a fact of a process to the chain, and gives the state after it."""


@dataclass(frozen=True)
class System:
    """The program as one who takes part: it measures and tells, and decides nothing."""

    source: NegotiatedSource
    precision: int
    """How exactly the requester is told shares: see ``safe.py``."""
    epsilon_before: float = 0.0
    """The ε of releases that this one amends."""
    values_told: bool = False
    """Was the requester told of values of this source in another negotiation?"""
    strictest: int = 0
    """The highest TG that was set for the requester in any negotiation on this source."""
    most_plans: int = 3

    def follow(self, state: State, act: Act, tell: Telling) -> State:
        """Do all that ``act`` brings with it, and give the state that comes of it."""
        doing = _DOING.get(type(act))
        return state if doing is None else doing(self, state, act, tell)

    def _prepared(self, state: State, act: acts.Prepare, tell: Telling) -> State:
        schema = schema_of(state)
        if state.request.dimension != "structure":  # where nothing is generalised
            self.source.check_hierarchies(state)
        told = findings.Prepared(dict(act.columns), schema.quasi, schema.sensitive, act.k, act.epsilon, act.message)
        return self._check_records(tell(2, told), tell)

    def _accepted(self, state: State, act: acts.Accept, tell: Telling) -> State:  # noqa: ARG002
        return self._offer(state, tell)

    def _answered(self, state: State, act: acts.Answer, tell: Telling) -> State:
        return self._offer(state, tell) if act.accepted else state

    def _carried_out(self, state: State, act: acts.CarryOut, tell: Telling) -> State:
        if (act.k, act.l, act.epsilon) != (None, None, None):
            levels = state.levels
            state = tell(state.stand.process, findings.LevelsSet(levels.k, levels.l, levels.epsilon, act.message))
        if state.name == "value-check":
            return self._check_values(state, tell)
        return self._check_records(state, tell)

    def _diversity_asked(self, state: State, act: acts.AskDiversity, tell: Telling) -> State:  # noqa: ARG002
        return self._check_values(state, tell)

    def _waived(self, state: State, act: acts.Waive, tell: Telling) -> State:  # noqa: ARG002
        if state.values is not None and state.values.silent:  # as many events as where values are found to be diverse
            state = tell(8, state.values)
            return self._offer(tell(8, findings.ValuesProtected("untold")), tell)
        told = "untold" if self.values_told or state.values_told else "waived"
        return self._offer(tell(8, findings.ValuesProtected(told)), tell)

    def resume(self, state: State, tell: Telling) -> State:
        """Do what is left to the system, where a program was stopped before it was done."""
        return self._check_values(state, tell) if state.name == "value-check" else self._check_records(state, tell)

    def _check_records(self, state: State, tell: Telling) -> State:
        """Process 3, and what it leads to."""
        self.safe(state).refuse_few()
        if state.request.dimension == "structure":
            return self._noised(tell(3, findings.RecordsChecked(False, noised=True)), tell)
        state = self._offer(state, tell)
        changed, k = self.source.under(state), state.levels.k or 2
        obstacles = changed.obstacles(k)
        told = tuple(asdict(each) for each in obstacles)
        if _reaches(changed, k, state.agreement.max_suppression):
            state = tell(3, findings.RecordsChecked(True, told))
            return tell(3, findings.RecordsProtected("groups"))
        if state.request.dimension == "hybrid" and state.rounds:
            return self._noised(tell(3, findings.RecordsChecked(False, told, noised=True)), tell)
        state = tell(3, findings.RecordsChecked(False, told))
        return tell(4, findings.BlockingSent(tuple(self.safe(state).blocking(obstacles)), self.precision))

    def _noised(self, state: State, tell: Telling) -> State:
        state = self._offer(state, tell)
        assert state.offer is not None
        unique = self.safe(state).share(state.offer.measured.singled_out)
        return tell(3, findings.RecordsProtected("noise", {"share": unique}, self.precision))

    def _check_values(self, state: State, tell: Telling) -> State:
        """Process 8, and what it leads to."""
        checks = self.source.value_checks(state)
        told = {each.column: each.as_json() for each in checks}
        holds = all(each.groups == 0 for each in checks)
        literal = all(each.literal_groups == 0 for each in checks)
        noised, silent = not holds and self._noises_values(state), self.values_told or state.values_told
        again = state.values is not None and state.values.silent
        if again and not holds and not noised:
            raise UsageError("negotiation.values-fail")
        state = tell(8, findings.ValuesChecked(holds, literal, told, noised, silent))
        if silent:
            return self._offer(tell(8, findings.ValuesProtected("untold")), tell) if again else state
        if holds or noised:
            state = tell(8, findings.ValuesProtected("values" if holds else "noise"))
            return self._offer(state, tell)
        safe = self.safe(state)
        listed = {each.column: safe.values(each.values, each.outside) for each in checks if each.groups}
        return tell(9, findings.ValuesSent(listed))

    @staticmethod
    def _noises_values(state: State) -> bool:
        dimension = state.request.dimension
        return dimension == "structure" or (dimension == "hybrid" and state.value_rounds > 0)

    def _offer(self, state: State, tell: Telling) -> State:
        """Measure the plan in force, unless that was the last offer."""
        plan = plan_of(state)
        levels, last = state.levels, state.offer
        if last is not None and (last.plan_hash, last.k, last.l) == (plan.hash, levels.k, levels.l):
            return state
        known = next((each for each in state.offers if (each.plan_hash, each.k) == (plan.hash, levels.k)), None)
        measured = self.source.measured(state) if known is None else known.measured
        preparation = prepared(state)
        decision = decision_on(model_of(preparation), measured, state.override)
        offer = Offer(
            number=len(state.offers) + 1,
            plan=plan.to_tree(),
            plan_hash=plan.hash,
            k=levels.k,
            l=levels.l,
            epsilon=state.epsilon,
            measured=measured,
            asked=tuple(_asked(state, plan)),
            allowed=None if decision is None else decision.allowed,
            model=dict(preparation.model),
            override=state.override,
            epsilon_in_all=None if state.epsilon is None else state.epsilon + self.epsilon_before,
        )
        return tell(6, findings.Offered(offer.to_tree()))

    def _plans(self, state: State, act: acts.AskForPlans, tell: Telling) -> State:
        found = self.source.plans(state, act, self.most_plans)
        state = tell(5, findings.PlansFound(tuple(found)))
        return tell(5, findings.PlansSent(tuple(self.safe(state).plans(found))))

    def _metrics(self, state: State, act: acts.SendMetrics, tell: Telling) -> State:  # noqa: ARG002
        metrics = self.source.metrics(state)
        state = tell(12, findings.MetricsMeasured(metrics))
        return tell(12, findings.MetricsSent(self.safe(state).metrics(metrics), self.precision))

    def safe(self, state: State) -> SafeView:
        """How exact numbers become what the requester may read now."""
        return SafeView(max(state.strictest, self.strictest), self.source.records(state), self.precision)


def _reaches(changed: Changed, k: int, max_suppression: float) -> bool:
    """Do all groups reach TG, once what may be suppressed is gone, and is anybody left?"""
    small = changed.below(k)
    if not small.any():
        return True
    return bool(changed.suppressed(k, max_suppression).any()) and not small.all()


def _asked(state: State, plan: Plan) -> Iterator[tuple[str, Any, str]]:
    """Each operation of the plan that somebody asked for, and who; worded when it is read."""
    agreement = state.agreement
    for operation, who in zip(agreement.manipulations, agreement.asked_by, strict=True):
        yield "operation", plan.operations.index(operation), who
    if agreement.max_suppression > 0:
        yield "suppression", agreement.max_suppression, "requester"
    if has_noise(state):
        yield "noise", "", "system"
    for column in agreement.synonyms:
        yield "synonyms", column, "requester"
    if agreement.waived is not None:
        yield "waived", agreement.waived.l, "manager"


_DOING: Mapping[type[Act], Callable[[System, State, Any, Telling], State]] = {
    acts.Prepare: System._prepared,
    acts.Accept: System._accepted,
    acts.AskForPlans: System._plans,
    acts.Answer: System._answered,
    acts.CarryOut: System._carried_out,
    acts.AskDiversity: System._diversity_asked,
    acts.Waive: System._waived,
    acts.SendMetrics: System._metrics,
}
"""What each act brings with it."""
