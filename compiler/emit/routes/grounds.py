"""Emit what speaks against a given path.

In:  a route of the core.
Out: the function that tells every rule which bars one of the path's steps, its length, or the whole.
"""

from __future__ import annotations

from ..bans import refusal
from ..text import where
from .answers import Answers


class Grounds(Answers):
    """Why a path is refused."""

    def grounds(self) -> None:
        """Why a path is refused: every rule that bars one of its steps, its length, or the whole."""
        r, base, params = self.r, self.base, self.params
        starts, budget, goals = self.starts, self.facet.get("budget", "None"), self.goals
        f = self.e.function(f"{base}_grounds", f"{params}, path", f"{self.title}: what speaks against a path.")
        p = self.e.printer()
        f.lines += ["found = []", f"if path[0] not in {starts}:"]
        f.lines.append(f"    found.append(Ground(case={r.case!r}, label='starts elsewhere', where={where(r.span)!r}))")
        f.lines.append("for i in range(1, len(path)):")
        f.lines.append("    here, there = path[i - 1], path[i]")
        f.lines.append("    crossing = (here, there) if here < there else (there, here)")
        touching = " or ".join(
            "there in NEAR[here]" if x == "land" else f"there in linked(S, {x!r}, here)" for x in r.layers
        )
        f.lines.append(f"    if not ({touching}):")
        f.lines.append(f"        found.append(Ground(case={r.case!r}, label='not joined', where={where(r.span)!r}))")
        for rule in r.rules:
            if rule.sort == "require":
                continue
            text = refusal(rule, p)
            label = rule.label or ("must stop" if rule.sort == "stop" else "barred")
            trail = "there"
            if self.e.traced:
                f.lines.append("    mark = traced_so_far(S)")
                trail = "traced_since(S, mark)"
            if rule.sort == "stop":
                f.lines.append(f"    if i + 1 < len(path) and {text}:")
            else:
                f.lines.append(f"    if {text}:")
            f.lines.append(
                f"        found.append(Ground(case={rule.case!r}, label={label!r}, where={where(rule.span)!r}, trail={trail}))"
            )
        f.lines.append(f"limit = {budget}")
        f.lines.append(f"if limit is not None and not found and {base}_cost({params}, path) > limit:")
        f.lines.append(f"    found.append(Ground(case={r.case!r}, label='too far', where={where(r.span)!r}))")
        for rule in r.rules:
            if rule.sort == "require":
                f.lines.append(f"if {refusal(rule, p)}:")
                f.lines.append(
                    f"    found.append(Ground(case={rule.case!r}, label={(rule.label or 'required')!r}, where={where(rule.span)!r}))"
                )
        if goals is not None:
            f.lines.append(f"if path[-1] not in {goals}:")
            f.lines.append(
                f"    found.append(Ground(case={r.case!r}, label='ends elsewhere', where={where(r.span)!r}))"
            )
        f.lines.append("return found")
