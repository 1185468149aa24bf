"""Emit what is asked of a route: its paths, their ends and costs.

In:  a route whose search is printed.
Out: functions of the generated module that rest on the search; answers are kept until something they rest on changes.
"""

from __future__ import annotations

from ..bans import refusal
from ..memo_dependencies import Rests
from ..traced import BEGIN, told_lines
from .search import Searching


class Answers(Searching):
    """Paths, ends and costs."""

    def answers(self) -> None:
        """Paths, ends and costs."""
        e, r, base, params = self.e, self.r, self.base, self.params
        rests = Rests(("route", r.name))
        self.kept_answer(
            f"{base}_reach",
            "every place in reach, with the cheapest way in",
            f"{base}_search({params}, {self.starts})",
            rests,
        )
        if self.quick():
            self.kept_answer(
                f"{base}_nearest",
                "no farther than the nearest ends",
                f"{base}_search({params}, {self.starts}, {self.goals})",
                rests,
            )
        f = e.function(f"{base}_fits", f"{params}, path", f"{self.title}: what is required of a whole path.")
        p = e.printer()
        for rule in self.needs:
            f.lines.append(e.at(f"if {refusal(rule, p)}:", rule.case, rule.span, rule.id))
            f.lines.append("    return False")
        f.lines.append("return True")
        self.paths()
        self.any()
        self.ends()
        self.shortest()
        f = e.function(f"{base}_cost", f"{params}, path", f"{self.title}: what a path of {r.name} costs.")
        f.lines.append(f"reach = {base}_{'nearest' if self.quick() else 'reach'}({params})")
        f.lines.append("if path and path[-1] in reach.cost and path_to(reach, path[-1]) == path:")
        f.lines.append("    return reach.cost[path[-1]]")
        f.lines.append(f"return price_of(path, {self.step_call()})")
        f = e.function(f"{base}_accepts", f"{params}, path", f"{self.title}: whether a given path keeps to {r.name}.")
        goal_test = f" and path[-1] in {self.goals}" if self.goals is not None else ""
        f.lines.append(f"return follows({self.walk_args('path, ')}) and {base}_fits({params}, path){goal_test}")

    def kept_answer(self, name: str, doc: str, call: str, rests: Rests) -> None:
        """A function whose answer is kept until something it rests on changes; the traced twin keeps what it asked too."""
        f = self.e.function(name, self.params, f"{self.title}: {doc}.")
        self.e.memoised(f, name, self.args, call, rests)
        if self.e.traced:
            key = self.args if self.args and "," not in self.args else "key"
            f.lines[-3:] = [
                f"    return tell_all(S, S.trace, *memo[{key}])[0]",
                BEGIN,
                f"value = memo[{key}] = tell_all(S, above, {call}, S.trace)",
                "return value[0]",
            ]
        f.lines[-2] = self.at_route(f.lines[-2])

    def walk_args(self, first: str = "") -> str:
        """What the walks of the runtime ask for: where to begin, what joins places, how far, and a step at a time."""
        table = self.e.constants.links(self.r.layers)
        budget, jumps = self.facet.get("budget", "None"), self.facet.get("jump", "()")
        return f"{first}{self.starts}, {table}, {budget}, {self.step_call()}, {self.stops_call()}, {jumps}"

    def paths(self) -> None:
        base, params = self.base, self.params
        f = self.e.function(base, params, f"{self.title}: the paths of {self.r.name}, one to each end.")
        check = f"{base}_fits({params}, p)"
        at_goal = " and len(p) > 1"
        if self.goals is not None:
            f.lines.append(f"goals = frozenset({self.goals})")
            at_goal = " and p[-1] in goals"
        if "length" in self.r.needs or "path" in self.r.needs:
            f.lines.append(f"return one_each([p for p in walks({self.walk_args()}) if {check}{at_goal}])")
        elif "start" in self.r.needs:
            run = f"lambda start: {base}_search({params}, (start,))"
            f.lines.append(f"return from_each({self.starts}, {run}, lambda p: {check}{at_goal})")
        else:
            f.lines.append(f"reach = {base}_reach({params})")
            inside = " if p in goals" if self.goals is not None else " if reach.last[p] >= 0"
            found = f"path_to(reach, p) for p in sorted(reach.cost){inside}"
            f.lines.append(f"return tuple(p for p in ({found}) if {check})" if self.needs else f"return tuple({found})")

    def any(self) -> None:
        e, base, params = self.e, self.base, self.params
        if self.alike is not None:
            return
        if not self.quick():
            f = e.function(f"{base}_any", params, f"{self.title}: whether {self.r.name} has any path.")
            f.lines.append(f"return bool({base}({params}))")
            return
        call = f"{base}_found({params}, {self.starts}, {self.goal_set})"
        if e.traced:
            f = e.function(f"{base}_any", params, f"{self.title}: whether {self.r.name} has any path.")
            f.lines += [BEGIN, *told_lines(self.at_route(self.tell(call)))]
            return
        rests = Rests(("route", self.r.name))
        self.kept_answer(f"{base}_any", f"whether {self.r.name} has any path", call, rests)

    def ends(self) -> None:
        base, params = self.base, self.params
        doc = f"where {self.r.name} can end"
        rests = Rests(("route", self.r.name))
        if "length" in self.r.needs or "path" in self.r.needs or self.needs:
            self.kept_answer(f"{base}_ends", doc, f"unique(p[-1] for p in {base}({params}))", rests)
        else:
            inside = self.goal_set if self.goals is not None else "None"
            self.kept_answer(f"{base}_ends", doc, f"ends_of({base}_reach({params}), {inside})", rests)

    def shortest(self) -> None:
        base, params = self.base, self.params
        f = self.e.function(f"{base}_shortest", params, f"{self.title}: the paths of {self.r.name} of the least cost.")
        if self.quick():
            f.lines.append(f"reach = {base}_nearest({params})")
            f.lines.append(f"ends = sorted(p for p in frozenset({self.goals}) if p in reach.cost)")
            f.lines.append("least = lowest(reach.cost[p] for p in ends) if ends else 0")
            f.lines.append("return tuple(path_to(reach, p) for p in ends if reach.cost[p] == least)")
            return
        f.lines.append(f"ways = [({base}_cost({params}, p), p) for p in {base}({params})]")
        f.lines.append("least = lowest(x[0] for x in ways) if ways else 0")
        f.lines.append("return tuple(x[1] for x in ways if x[0] == least)")
