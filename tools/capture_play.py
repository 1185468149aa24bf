"""Take the screens shown in docs/play.md again.

    python tools/capture_play.py            # rewrite the screens in the page, and docs/play-trc.svg
    python tools/capture_play.py --check    # say which would change; exit 1 where one does

A screen stands in the page after a comment that says how it is made:

    <!-- screen NAME 100x30: play trc --scenario battle; 1 | 47 Panzer -->

The command runs in a terminal of that size; then each word between the bars is typed, with Enter.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).parent))

from terminal import Terminal

PAGE = Path(__file__).resolve().parent.parent / "docs" / "play.md"
SCREEN = re.compile(r"<!-- screen (\S+) (\d+)x(\d+): ([^;]*?)(?:; (.*?))? -->\n+```text\n(.*?)```", re.S)
COMMAND = [sys.executable, "-m", "rulewright.compiler.cli.main"]
COLORS = {
    "default": "#d8d8d8",
    "black": "#1e1e1e",
    "red": "#e0523a",
    "green": "#3aa655",
    "brown": "#b8860b",
    "blue": "#3a8dde",
    "magenta": "#a05ad0",
    "cyan": "#46a6a6",
    "white": "#ffffff",
}
WIDE, HIGH = 8.0, 17


def take(width: int, height: int, command: str, keys: list[str]) -> Terminal:
    """The terminal after a command and what is typed into it."""
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal([*COMMAND, *command.split()], width, height, Path(folder))
        terminal.wait(">")
        for key in keys:
            settled(terminal)
            terminal.type(key + "\r")
        settled(terminal)
        terminal.stop()
    return terminal


def settled(terminal: Terminal) -> None:
    """Wait until the screen stands still."""
    before, since = "", time.monotonic()
    while time.monotonic() - since < 1.0:
        terminal.read(0.2)
        if terminal.text() != before:
            before, since = terminal.text(), time.monotonic()


def svg(terminal: Terminal) -> str:
    """The screen as a picture."""
    screen = terminal.screen
    size = screen.columns * WIDE + 16, screen.lines * HIGH + 16
    box = f'viewBox="0 0 {size[0]:.0f} {size[1]}" width="{size[0]:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img">',
        "<style>text{font:13px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}</style>",
        f'<rect width="{size[0]:.0f}" height="{size[1]}" rx="6" fill="#1e1e1e"/>',
    ]
    for y in range(screen.lines):
        for x, style, text in runs(screen, y):
            front, back, bold = style
            at, top = 8 + x * WIDE, 8 + y * HIGH
            if back != COLORS["black"]:
                parts.append(f'<rect x="{at}" y="{top}" width="{len(text) * WIDE}" height="{HIGH}" fill="{back}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                length = f'textLength="{len(text) * WIDE}" lengthAdjust="spacingAndGlyphs"'
                parts.append(f'<text x="{at}" y="{top + 13}" fill="{front}" {length}{weight}>{escape(text)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def runs(screen: object, y: int):  # type: ignore[no-untyped-def]
    """Neighbouring letters of one look."""
    start, style, text = 0, None, ""
    for x in range(screen.columns):  # type: ignore[attr-defined]
        cell = screen.buffer[y][x]  # type: ignore[attr-defined]
        front, back = shade(cell.fg, "default"), shade(cell.bg, "black")
        look = (back, front, cell.bold) if cell.reverse else (front, back, cell.bold)
        if look != style and text:
            yield start, style, text
            start, text = x, ""
        style, text = look, text + cell.data
    if text:
        yield start, style, text


def shade(name: str, default: str) -> str:
    if name == "default":
        return COLORS[default]
    return COLORS.get(name) or (f"#{name}" if re.fullmatch(r"[0-9a-f]{6}", name) else COLORS["default"])


def main(check: bool) -> int:
    page = PAGE.read_text(encoding="utf-8")
    changed = []

    def anew(match: re.Match[str]) -> str:
        name, width, height, command, keys, before = match.groups()
        terminal = take(int(width), int(height), command, [k.strip() for k in (keys or "").split("|") if k.strip()])
        text = terminal.text().rstrip() + "\n"
        if text != before:
            changed.append(name)
        if not check and name == "trc":
            PAGE.with_name("play-trc.svg").write_text(svg(terminal), encoding="utf-8")
        return match[0].replace(before, text) if before else match[0].replace("```text\n", "```text\n" + text)

    made = SCREEN.sub(anew, page)
    if not check:
        PAGE.write_text(made, encoding="utf-8")
    print("changed: " + ", ".join(changed) if changed else "all screens are as they were")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
