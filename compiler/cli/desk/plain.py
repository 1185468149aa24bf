"""The line-based front end, for pipes and simple terminals.

In:  a desk, and lines of standard input.
Out: new lines of the log, the question, and the first lines of the list; `more` prints the next ones, `map` the map.
     Nothing is printed twice, and nothing moves the cursor.
"""

from __future__ import annotations

import shutil
import sys

from .board import PLAIN, said
from .desk import Desk

PAGE = 20


def run_plain(desk: Desk, quiet: bool = False) -> None:
    """Ask until the game is over, the input ends or the person leaves."""
    asker = Plain(desk, quiet)
    if sys.stdin.isatty():
        import contextlib

        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (line editing and history for input())
    desk.begin()
    while asker.turn():
        pass


class Plain:
    def __init__(self, desk: Desk, quiet: bool) -> None:
        self.desk, self.quiet = desk, quiet
        self.told: tuple[str, int] = ("", 0)
        self.shown: object = None
        self.stood = ""
        self.upto = 0
        self.ascii = "utf" not in (sys.stdout.encoding or "").lower()

    def turn(self) -> bool:
        """Print what is new, ask once, handle the answer; False at the end."""
        desk = self.desk
        if desk.curtain:
            self.say(f"It is for {desk.side} to decide, and not all of it is for others to see; Enter goes on.")
        else:
            self.news()
        if desk.over:
            return False
        try:
            line = input(f"{desk.side}> ").strip()
        except EOFError:
            return False
        if line == "more":
            self.more()
            return True
        before, page = (desk.words, self.step()), desk.page
        desk.line(line)
        if desk.page is not None and desk.page is not page:
            for text in desk.page[1]:
                self.say(text)
            desk.page = None
        if desk.message:
            self.say(desk.message)
        if line == "map" or line.startswith("map "):
            width, height = shutil.get_terminal_size((80, 24))
            for row in desk.board(width, max(12, height - 6)):
                self.say(said(row))
        if (desk.words, self.step()) != before or (line.isdigit() and desk.step_built()):
            self.shown = None
        return not desk.left

    def step(self) -> object:
        return self.desk.steps[-1] if self.desk.steps else None

    def news(self) -> None:
        """Print what happened since, and the question if it is a new one."""
        desk = self.desk
        side, n = self.told
        if side != desk.side or n > len(desk.lines):
            n = n if n <= len(desk.lines) else len(desk.lines)
        if not self.quiet:
            for text in desk.lines[n:]:
                self.say(text)
        self.told = (desk.side, len(desk.lines))
        if desk.over:
            self.say(desk.ending())
        elif self.shown is not self.step() or self.shown is None:
            self.shown, self.upto = self.step(), 0
            if desk.standing() != self.stood:
                self.stood = desk.standing()
                self.say(self.stood)
            self.say(desk.question())
            for hint in desk.hints():
                self.say(f"  {hint}")
            self.more()

    def more(self) -> None:
        items = self.desk.listing()
        for n, item in items[self.upto : self.upto + PAGE]:
            mark = self.desk.step.mark(n - 1) if n <= len(self.desk.step.items) else ""
            note = f"not yet: {item.shut}" if item.shut else item.note
            self.say(f"{n:4} {mark}{item.text}" + (f"  — {note}" if note else ""))
        self.upto = min(len(items), self.upto + PAGE)
        if not items:
            self.say("     nothing in the list" + (f" with {self.desk.words}" if self.desk.words else ""))
        elif self.upto < len(items):
            self.say(f"     {self.upto} of {len(items)} shown: more, /WORDS, why N, help, quit")

    def say(self, text: str) -> None:
        print(text.translate(PLAIN) if self.ascii else text)
