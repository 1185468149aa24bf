"""Emit what the traced twin tells.

In:  an answer, with the name, arguments and case that belong to it.
Out: the lines that give it and note it down: a node, as runtime/trace.py describes it, in the list above.

While a function is being printed such an answer is one line with its parts marked off (`telling`); when it is known
whether answers are kept, it becomes the lines of the function (`told_lines`).
"""

from __future__ import annotations

import re

BEGIN = "above, S.trace = S.trace, []"
"""The first line of a function that asks others: what they tell goes below it."""
TELLING = re.compile(r"( *)return ⟪(.*)⟪(.*)⟪(.*)⟪(.*)⟪(S\.trace|\(\))(⟦\d+⟧)?\Z")

TABLE = re.compile(r"tell_again\(S, (A_\w+\[.*\])\)")
"""An answer that is found once, with its node."""


def telling(name: str, args: list[str] | str, case: str, value: str, parts: str = "()", leaf: bool = False) -> str:
    """The answer of a call; a `leaf` has asked nothing in turn."""
    if not isinstance(args, str):
        args = f"({', '.join(args)}{',' if len(args) == 1 else ''})"
    return f"return ⟪{name!r}, {args}⟪{case}⟪{value}⟪{parts}⟪{'()' if leaf else 'S.trace'}"


def told_lines(line: str, key: str = "") -> list[str]:
    """The lines that give an answer and tell it; with a key, its node is kept. Any other line stays as it is."""
    match = TELLING.fullmatch(line)
    if match is None:
        return [line]
    pad, given, case, value, parts, below, mark = match.groups()
    table = TABLE.fullmatch(value) if below == "()" else None
    if table is not None:
        lines = [f"node = {table[1]}{mark or ''}", f"S.trace.append(({given}, {case}, node[3], (node,), {parts}))"]
        return [pad + x for x in (*lines, "return node[3]")]
    node = f"({given}, {case}, value, {below}, {parts})"
    lines = [] if value == "value" else [f"value = {value}{mark or ''}"]
    if key:
        lines.append(f"node = memo[{key}] = {node}")
        node = "node"
    lines.append(f"{'above' if below == 'S.trace' else 'S.trace'}.append({node})")
    if below == "S.trace":
        lines.append("S.trace = above")
    return [pad + x for x in (*lines, "return value")]
