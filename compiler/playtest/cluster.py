"""Games on a cluster: an existing scheduler of dask.distributed and its workers.

In:  the address of a scheduler, `dask://HOST:PORT`; a stage and tasks.
Out: what each game told, as it comes; the same as in one process.
Reports: `Refusal` where there is no scheduler or no worker, where a worker has another Rulewright, other rules or other
         players, and where a game has killed one worker after another.

Each worker loads the rules and the players once and says what it has loaded by hashes; a game is played only where they
are those of the one who asks, whenever a worker has joined. A worker that dies loses nothing: the scheduler gives its
games to others, and seeds make them the same games there. So many games wait at a time as keep the workers busy; what
has been played is with the one who asks at once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import rulewright
from rulewright.runtime.problems import Refusal

from ..examples.executed_statements import stamp
from .records import Played, Setting, Task
from .stage import Stage

SCHEME = "dask://"
AHEAD = 4
"""So many games wait for each thread of the cluster."""
DEATHS = 3
"""How many workers a game may have died with."""
About = dict[str, str]


class Cluster:
    """A cluster, by the address of its scheduler."""

    def __init__(self, address: str, patience: int = 10) -> None:
        if not address.startswith(SCHEME) or not address.removeprefix(SCHEME):
            raise Refusal(f'"{address}" is no cluster: write {SCHEME}HOST:PORT')
        self.at_once = 256
        self.address, self.patience = "tcp://" + address.removeprefix(SCHEME), patience

    def play(self, stage: Stage, tasks: Sequence[Task]) -> Iterator[Played]:
        """The games in the order in which they end."""
        try:
            import distributed
        except ImportError:
            raise Refusal("a cluster needs an extra: pip install 'rulewright[cluster]'") from None
        library: Any = distributed
        wanted = about(stage)
        try:
            client = library.Client(self.address, timeout=self.patience, set_as_default=False)
        except (OSError, TimeoutError):
            raise Refusal(f"there is no scheduler at {self.address}") from None
        with client:
            threads = self.ready(client, stage.setting, wanted)
            left = iter(tasks)

            def given(many: int) -> list[Any]:
                return [
                    client.submit(play_there, stage.setting, task, wanted, pure=False, retries=0)
                    for task in islice(left, many)
                ]

            try:
                running = library.as_completed(given(AHEAD * threads), loop=client.loop, with_results=True)
                for future, played in running:
                    future.release()
                    for more in given(1):
                        running.add(more)
                    yield Played.read(played)
            except library.KilledWorker as killed:
                raise Refusal(f"a game has killed {DEATHS} workers in turn: {killed}") from None
            except Other as other:
                raise Refusal(str(other)) from None

    def ready(self, client: Any, setting: Setting, wanted: About) -> int:
        """How many threads there are, once every worker that is there has the same rules and players."""
        try:
            client.wait_for_workers(1, timeout=self.patience)
        except TimeoutError:
            raise Refusal(f"no worker has come to the scheduler at {self.address}") from None
        for worker, found in client.run(told_there, setting, on_error="return").items():
            if isinstance(found, BaseException):
                raise Refusal(f"the worker {worker} cannot play: {type(found).__name__}: {found}")
            against(found, wanted, worker)
        return sum(client.nthreads().values())


class Other(Exception):
    """A worker that would play other games; it stays one on its way back."""


def about(stage: Stage) -> About:
    """All that must be the same wherever these games are played."""
    seats = (f"{side} {seat}" for x in stage.contestants for side, seat in x.seats.items())
    return {
        "Rulewright": f"{rulewright.__version__} ({stamp()[:12]})",
        "rules": stage.loaded.program.rules_hash,
        "players": ", ".join(seats),
    }


def against(found: About, wanted: About, worker: str) -> None:
    """Refuse a worker that has loaded something else."""
    for what, value in wanted.items():
        if found.get(what) != value:
            raise Refusal(f"the worker {worker} has another {what}: {found.get(what)}, and not {value}")


# ---------------------------------------------------------------- at a worker

_STAGES: dict[Setting, tuple[str, Stage]] = {}
_ONE_AT_A_TIME = threading.Lock()
"""A watched program plays one game at a time; threads of a worker would win nothing by more."""


def told_there(setting: Setting) -> About:
    with _ONE_AT_A_TIME:
        return about(stage_there(setting, ""))


def stage_there(setting: Setting, rules: str) -> Stage:
    """The stage of a worker, set again when the rules that are wanted are not those it has."""
    known = _STAGES.get(setting)
    if known is None or known[0] != rules:
        stage = Stage(setting)
        _STAGES[setting] = known = (stage.loaded.program.rules_hash, stage)
    return known[1]


def play_there(setting: Setting, task: Task, wanted: About) -> str:
    """One game at a worker."""
    with _ONE_AT_A_TIME:
        stage = stage_there(setting, wanted["rules"])
        try:
            against(about(stage), wanted, "that was given a game")
        except Refusal as refused:
            raise Other(str(refused)) from None
        return stage.play(task).text()
