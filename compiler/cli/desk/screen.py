"""The full-screen front end, made with prompt_toolkit.

In:  a desk, and keys.
Out: screens. Typing goes to the line at the bottom; arrow and page keys move in the list, with Shift or Ctrl on the
     map. A word after `/` filters the list while it is typed.
"""

from __future__ import annotations

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from .board import PLAIN
from .desk import Desk
from .frame import Spot, frame

GROUND = {
    "woods": "#005f00",
    "forest": "#005f00",
    "mountain": "#5f5f00",
    "hills": "#5f5f00",
    "rough": "#5f5f00",
    "swamp": "#005f5f",
    "lake": "#00005f",
    "sea": "#00005f",
    "desert": "#875f00",
}
ON_GROUND = {"side0": "#87d7ff", "side1": "#ffaf87", "side2": "#afff87", "side3": "#d7afff", "goal": "#ffd75f"}
STYLE = Style.from_dict(
    {
        "status": "reverse",
        "question": "bold",
        "message": "bold #b8860b",
        "number": "#888888",
        "dim": "#888888",
        "shut": "#888888",
        "pick": "reverse",
        "grid": "#777777",
        "hex": "",
        "here": "reverse",
        "name": "italic",
        "goal": "bold #b8860b",
        "log": "#888888",
        "side0": "bold #3a8dde",
        "side1": "bold #e0523a",
        "side2": "bold #3aa655",
        "side3": "bold #a05ad0",
    }
    | {land: f"bg:{ground} #ffffff" for land, ground in GROUND.items()}
    | {f"{land} {side}": shade for land in GROUND for side, shade in ON_GROUND.items()}
)
SCROLL = {"up": "north", "down": "south", "left": "west", "right": "east"}


class Screen:
    """One desk in full screen."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.spot = desk, Spot()
        self.input = Buffer(multiline=False, on_text_changed=self.typed)
        prompt = FormattedTextControl(lambda: [("class:question", f"{desk.side or 'rulewright'}> ")])
        self.app: Application[None] = Application(
            layout=Layout(
                HSplit(
                    [
                        Window(FormattedTextControl(self.draw, show_cursor=False), always_hide_cursor=True),
                        VSplit([Window(prompt, dont_extend_width=True), Window(BufferControl(self.input))], height=1),
                    ]
                )
            ),
            key_bindings=self.keys(),
            style=STYLE,
            full_screen=True,
            color_depth=ColorDepth.from_env(),
        )
        self.app.ttimeoutlen = 0.05
        self.plain = "utf" not in (self.app.output.encoding() or "").lower()
        desk.table.watch = self.watched

    def run(self) -> None:
        """Run until the player leaves."""
        self.desk.begin()
        self.app.run()

    def draw(self) -> StyleAndTextTuples:
        try:
            return self.drawn()
        except Exception as error:
            self.fail(error)
            return []

    def fail(self, error: Exception) -> None:
        """Leave full screen before an exception is reported, or the terminal would swallow the message."""
        if not self.app.future or not self.app.future.done():
            self.app.exit(exception=error)

    def drawn(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        found: StyleAndTextTuples = []
        for line in frame(self.desk, self.spot, size.columns, size.rows - 1):
            found += [(style, text.translate(PLAIN) if self.plain else text) for style, text in line]
            found.append(("", "\n"))
        return found[:-1]

    def watched(self) -> None:
        """Show the progress of the other players from time to time."""
        if self.app.is_running and self.desk.table.made % 20 == 0:
            self.desk.message = f"{self.desk.table.made} choices …"
            self.app._redraw()

    # ------------------------------------------------------------ keys

    def typed(self, _: Buffer) -> None:
        text = self.input.text
        if text.startswith("/") and self.desk.steps:
            self.desk.narrow(text[1:].strip(), patience=0.2)
            self.spot.home()

    def keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("enter")
        def _(event: KeyPressEvent) -> None:
            text = self.input.text
            self.input.reset()
            try:
                self.enter(text)
            except Exception as error:
                self.fail(error)

        @keys.add("tab")
        def _(event: KeyPressEvent) -> None:
            self.complete()

        @keys.add("escape", eager=True)
        def _(event: KeyPressEvent) -> None:
            self.escape()

        for key, by in {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}.items():
            keys.add(key)(lambda event, by=by: self.move(by))
        for key, way in SCROLL.items():
            keys.add(f"s-{key}")(lambda event, way=way: self.desk.scroll(way))
            keys.add(f"c-{key}")(lambda event, way=way: self.desk.scroll(way))
        for key in ("c-c", "c-d"):
            keys.add(key)(lambda event: self.leave())
        return keys

    def enter(self, text: str) -> None:
        """Handle the input line; an empty one picks the selected line."""
        desk = self.desk
        reading = desk.page is not None or desk.curtain
        if text.startswith("/"):
            moved = self.spot.at
            desk.narrow(text[1:].strip())
            if len(desk.listing()) != 1 and not moved:
                return
            text = ""
        if not text.strip() and not reading and desk.listing():
            text = str(desk.listing()[min(self.spot.at, len(desk.listing()) - 1)][0])
        before = desk.steps[-1] if desk.steps else None
        desk.line(text)
        self.spot.read = 0
        if not desk.steps or desk.steps[-1] is not before:
            self.spot.home()
        if desk.left:
            self.leave()

    def move(self, by: int) -> None:
        if self.desk.page is not None:
            self.spot.read = max(0, self.spot.read + by)
            return
        listing = self.desk.listing()
        self.spot.at = max(0, min(self.spot.at + by, len(listing) - 1))
        if listing:
            item = listing[self.spot.at][1]
            self.desk.point(item.place)
            self.desk.message = "  ".join(filter(None, (item.text, item.shut or item.note)))

    def escape(self) -> None:
        """Leave the page, clear the filter or the input, whichever comes first; else go one step back."""
        desk = self.desk
        if desk.page is not None:
            desk.page = None
        elif self.input.text:
            self.input.reset()
            desk.narrow("")
        elif desk.words or len(desk.steps) > 1:
            desk.line("back")
        self.spot.home()

    def complete(self) -> None:
        """Complete a name as far as all matching lines agree."""
        text = self.input.text
        verb, space, rest = text.partition(" ") if text.startswith(("why ", "map ")) else ("", "", text)
        names = self.desk.names(rest)
        if names:
            shared = names[0]
            for name in names[1:]:
                while not name.lower().startswith(shared.lower()):
                    shared = shared[:-1]
            if len(shared) >= len(rest):
                self.input.text = verb + space + shared
                self.input.cursor_position = len(self.input.text)

    def leave(self) -> None:
        self.desk.left = True
        self.app.exit()


def run_screen(desk: Desk) -> None:
    """Play in full screen until the player leaves or a signal ends the program."""
    Screen(desk).run()
