"""The sequence machine: procedures as flat blocks, with the call stack kept in the state.

A frame is `[procedure, block, locals]`. A block is a function of the state and the locals that
returns the number of the next block, or -1 at the end. It may push a frame (`call`), or leave
decisions pending (`ask`, `offer`); the machine stops there and goes on when they are answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import ops
from .choices.questions import ask_space
from .problems import Fault, rested
from .program import AskInfo
from .state import State
from .telling.veils import kept_value

END = -1
WITH_OTHERS = -2
"""In place of a block: a question asked together with others that fails is noted, and seen to once all are answered."""
BUDGET = 200_000


def run(S: State) -> None:
    """Go on until a side must decide, or nothing is left to do."""
    S.steps = 0
    rested(S)
    S.seldom.clear()
    procedures = S.program.procedures
    while not S.over:
        if S.queue and not S.together:
            for procedure, local in reversed(ops.due(S)):
                push(S, procedure, local)
        if S.pending:
            return
        if S.parked and len(S.stack) <= S.parked[-1][0]:
            resume_parked(S)
            continue
        if not S.stack:
            return
        frame = S.stack[-1]
        info = procedures[frame[0]]
        following = info.blocks[frame[1]](S, frame[2])
        count(S, info.case)
        if following == END:
            finish(S, frame)
        else:
            frame[1] = following


def count(S: State, case: str) -> None:
    """One step more; whatever goes on without a decision is stopped, at the same step on every machine."""
    S.steps += 1
    if S.steps > BUDGET:
        raise Fault(f"more than {BUDGET:,} steps without a decision", case)


def rounds(S: State, items: Sequence[Any], case: str) -> Iterator[Any]:
    """What a loop runs over; each round is a step."""
    for item in items:
        count(S, case)
        yield item


def finish(S: State, frame: list[Any]) -> None:
    """A frame is done: take it off, and tell whoever waits for what it did."""
    if S.stack[-1] is frame:
        S.stack.pop()
    else:
        S.stack = [x for x in S.stack if x is not frame]
    name, _, local = frame
    info = S.program.procedures[local["@wrapped"][0] if "@wrapped" in local else name]
    if info.sort in ("action", "procedure", "sequence") and "@inner" not in local:
        event = ("happens", info.name)
        if event in S.program.by_event:
            ops.fire(S, event, tuple(local.get(p) for p in info.params))


def call(S: State, procedure: str, args: tuple[Any, ...]) -> None:
    """Run a procedure before the caller goes on."""
    info = S.program.procedures[procedure]
    push(S, procedure, dict(zip(info.params, args, strict=True)))


def push(S: State, procedure: str, local: dict[str, Any], after: int = -1) -> None:
    """Push a procedure, or the nearest wrapper of it that applies, and what is announced before it."""
    info = S.program.procedures[procedure]
    chosen = procedure
    for i, (wrapper, guard) in enumerate(info.wrappers):
        if i > after and (guard is None or guard(S, *(local.get(p) for p in wrapped_params(info)))):
            chosen = wrapper
            local = {**local, "@wrapped": [procedure, i]}
            break
    S.stack.append([chosen, 0, local])
    event = ("before", info.name)
    if after == -1 and event in S.program.by_event:
        ops.fire(S, event, tuple(local.get(p) for p in info.params))


def interrupt(S: State, procedure: str, local: dict[str, Any]) -> None:
    """Run an action taken out of turn; what is pending waits until all of it is done."""
    S.parked.append([len(S.stack), S.pending])
    S.pending = []
    push(S, procedure, local)


def resume_parked(S: State) -> None:
    """Take up again what an interruption put off; a question with no answer left goes the way of its failing."""
    _, waiting = S.parked.pop()
    for item in waiting:
        frame = S.stack[item["frame"]]
        if item["sort"] == "ask":
            info = S.program.asks[item["ref"]]
            if not ask_space(S, info, frame[2]).possible():
                frame[2][info.name] = no_answer(info)
                if item["else"] == WITH_OTHERS:
                    note_failed(frame[2], item["ref"])
                elif item["else"] >= 0:
                    frame[1] = item["else"]
                continue
        S.pending.append(item)


def usual(S: State, local: dict[str, Any]) -> None:
    """`do usual`: what would have run without this wrapper."""
    procedure, i = local["@wrapped"]
    info = S.program.procedures[procedure]
    push(S, procedure, {**{p: local.get(p) for p in wrapped_params(info)}, "@inner": True}, i)


def wrapped_params(info: Any) -> tuple[str, ...]:
    """What a wrapper knows of the procedure that it stands in for; an action also has its actor."""
    return (*info.params, "actor") if info.sort == "action" else tuple(info.params)


# ---------------------------------------------------------------- walking


def begin_walk(S: State, local: dict[str, Any], slot: str, unit: int, path: tuple[int, ...] | None) -> None:
    local[slot] = [unit, list(path or ())[1:], S.at[unit]]
    if unit in S.halted:
        S.halted.remove(unit)


def walk_on(S: State, local: dict[str, Any], slot: str, case: str) -> bool:
    """One step of a walk, or all of it where nothing listens; triggers run before the next one, and `halt` ends it.

    Says whether the walk goes on.
    """
    unit, rest, at = local[slot]
    watched = any(("happens", e) in S.program.by_event for e in ("enter", "leave", "cross"))
    while rest and unit not in S.halted and S.at[unit] is not None and S.at[unit] == at:
        at = local[slot][2] = place = rest.pop(0)
        here = S.at[unit]
        ops.put(S, unit, place, case)
        if here is not None:
            ops.fire(S, ("happens", "cross"), (unit, (min(here, place), max(here, place)), here))
        if watched or S.queue:
            if rest:
                return True
            break
    ops.fire(S, ("happens", "halted"), (unit, S.at[unit]))
    del local[slot]
    return False


def walk(S: State, unit: int, path: tuple[int, ...] | None, case: str) -> None:
    """A walk in which no trigger can step in."""
    if unit in S.halted:
        S.halted.remove(unit)
    if path and S.playout is not None and S.playout.unwatched:
        S.playout.walk(S, unit, path[-1])
    elif S.at[unit] is not None:
        for place in (path or ())[1:]:
            ops.put(S, unit, place, case)


# ---------------------------------------------------------------- loops


def next_item(L: dict[str, Any], slot: str, var: str) -> bool:
    """Bind the next member of a loop; False where there is none."""
    items = L[slot]
    if not items:
        del L[slot]
        return False
    L[var] = items.pop(0)
    return True


def count_down(L: dict[str, Any], slot: str, go: bool) -> bool:
    """Whether a bounded loop has one more round."""
    if not go or L[slot] <= 0:
        del L[slot]
        return False
    L[slot] -= 1
    return True


# ---------------------------------------------------------------- decisions


def ask(S: State, index: int, local: dict[str, Any], otherwise: int = -1) -> bool:
    """Leave a decision pending; False when there is nothing to choose from and the book says what follows.

    `otherwise` is the block of the book's `failing:`, should an interruption leave nothing to choose from.
    """
    info = S.program.asks[index]
    side = info.side(S, local)
    space = ask_space(S, info, local) if side is not None else None
    if space is not None and space.possible():
        leave_pending(S, local, {"sort": "ask", "ref": index, "side": side, "case": info.case, "else": otherwise})
        return True
    local[info.name] = no_answer(info) if space is not None else None
    if space is not None and space.settled():
        return True
    if otherwise == WITH_OTHERS:
        note_failed(local, index)
    return False


def note_failed(local: dict[str, Any], index: int) -> None:
    """One of several questions asked together has no answer."""
    local.setdefault("@failed", []).append(index)


def failed(local: dict[str, Any], index: int) -> bool:
    """Whether a question that was asked together with others had no answer; asked once."""
    noted = local.get("@failed", [])
    if index not in noted:
        return False
    noted.remove(index)
    if not noted:
        del local["@failed"]
    return True


def no_answer(info: AskInfo) -> Any:
    return () if info.sort in ("some", "order", "shares") else None


def offer(S: State, index: int, local: dict[str, Any]) -> bool:
    """Open a window: a side may act, again and again, until it is done; False when there is no such side."""
    info = S.program.offers[index]
    side = info.side(S, local)
    if side is None:
        end_draft(S, local)
        return False
    if info.sort == "draft" and "@draft" not in local:
        local["@draft"] = len(S.drafts)
        S.drafts.append(())
    leave_pending(S, local, {"sort": "offer", "ref": index, "side": side, "case": info.case})
    return True


def leave_pending(S: State, local: dict[str, Any], item: dict[str, Any]) -> None:
    frame = len(S.stack) - 1
    while S.stack[frame][2] is not local:
        frame -= 1
    S.pending.append({"id": S.counter, "frame": frame, **item})
    S.counter += 1


def answer(S: State, item: dict[str, Any], value: Any) -> None:
    """A question is answered; a secret answer is marked as its side's own."""
    info, side, local = S.program.asks[item["ref"]], item["side"], S.stack[item["frame"]][2]
    S.pending.remove(item)
    local[info.name] = value
    if info.secret:
        ops.keep_secret(local, info.name, side)
    told = {"name": info.name, "side": side, "value": value, "secret": info.secret, "type": info.type}
    ops.note(S, "answer", info.case, **told, **ops.kept_from(kept_value(S, info.type, value)))


def act(S: State, item: dict[str, Any], procedure: str, args: dict[str, Any]) -> None:
    """An action is taken in a window."""
    S.pending.remove(item)
    if S.program.offers[item["ref"]].sort == "once":
        S.stack[item["frame"]][2]["@done"] = True
    push(S, procedure, args)


def close(S: State, item: dict[str, Any]) -> None:
    """A side is done with its window; what was drafted stands."""
    local = S.stack[item["frame"]][2]
    S.pending.remove(item)
    end_draft(S, local)
    local["@done"] = True


def end_draft(S: State, local: dict[str, Any]) -> None:
    """A window closes, by whatever way: what was drafted in it can no longer be taken back."""
    if local.pop("@draft", None) is not None:
        S.drafts.pop()


def window(S: State, index: int, L: dict[str, Any]) -> bool:
    """Keep a window open until its side is done."""
    if L.pop("@done", False) or (S.playout is not None and S.playout.fill(S, index, L)):
        return False
    return offer(S, index, L)


def together(S: State, begin: bool) -> None:
    S.together += 1 if begin else -1
    if not S.together:
        ops.settle(S)
