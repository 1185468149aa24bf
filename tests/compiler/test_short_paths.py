"""Long curves take fewer bytes and lie where they lay."""

from __future__ import annotations

import re

from rulewright.compiler.pages.short_paths import relative, shortened


def ends(d: str) -> list[tuple[float, float]]:
    """Where each step of a path ends."""
    x = y = bx = by = 0.0
    found = []
    for command, body in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        if command == "z":
            x, y = bx, by
            continue
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", body)]
        dx, dy = numbers[-2:]
        x, y = (x + dx, y + dy) if command.islower() else (dx, dy)
        if command == "M":
            bx, by = x, y
        found.append((x, y))
    return found


def test_a_long_curve_is_shorter_and_nowhere_more_than_half_a_unit_off() -> None:
    steps = "".join(f"Q{k * 3.4 + 1.3:.1f} {k % 7 * 2.6:.1f} {k * 3.4 + 2.9:.1f} {k % 5 * 3.1:.1f}" for k in range(300))
    d = f"M0.4 0.6{steps}zM5.5 7.5L9.2 11.4Q12.6 13.3 14.4 15.2z"
    short = relative(d)
    assert len(short) < 0.7 * len(d)
    apart = [max(abs(a - c), abs(b - e)) for (a, b), (c, e) in zip(ends(d), ends(short), strict=True)]
    assert max(apart) <= 0.5
    assert shortened(f'<path d="{d}"/>') == f'<path d="{short}"/>'


def test_other_paths_stay_as_they_are() -> None:
    arc = "M0.5 0.5" + "A1 1 0 0 1 3.5 4.5" * 200
    for d in ("M0.5 0.5Q1.5 1.5 2.5 2.5", "M0.5 0.5" + "L1.5 2.5" * 400, arc):
        assert shortened(f'<path d="{d}"/>') == f'<path d="{d}"/>'
