"""A real cluster: a scheduler and two worker processes, one of which is killed amid the games."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.compiler.playtest import cluster
from rulewright.compiler.playtest.cluster import Cluster
from rulewright.compiler.playtest.kept import Kept
from rulewright.compiler.playtest.playtest import playtest
from rulewright.compiler.playtest.records import Setting
from rulewright.compiler.playtest.run import Here
from rulewright.compiler.playtest.stage import Stage
from rulewright.runtime.problems import Refusal

distributed = pytest.importorskip("distributed")
BOOK = str(Path(__file__).parent.parent / "books" / "skirmish.rules")
SETTING = Setting(BOOK, "battle", ("random", "busy"), 20_000, False)


@pytest.fixture(scope="module")
def workers() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler of this process, and two workers of their own."""
    with distributed.LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as here:
        address = here.scheduler_address
        words = ["--no-nanny", "--nthreads", "1", "--no-dashboard", "--death-timeout", "60"]
        code = "import sys; from distributed.cli.dask_worker import main; main(sys.argv[1:])"
        started = [
            subprocess.Popen([sys.executable, "-c", code, address, *words], stderr=subprocess.DEVNULL) for _ in range(2)
        ]
        with distributed.Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield address.replace("tcp://", "dask://"), started
        for process in started:
            process.kill()
            process.wait()


def test_a_cluster_plays_the_same_games_and_a_dead_worker_loses_nothing(workers, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    address, started = workers
    stage = Stage(SETTING)
    kept = Kept(tmp_path / "games.db")
    seen: list[int] = []

    def told(n: int) -> None:
        seen.append(n)
        if n == 4:
            os.kill(started[0].pid, signal.SIGKILL)

    there = playtest(stage, range(12), place=Cluster(address), known=kept.of(stage), told=told)
    assert started[0].wait(20) == -signal.SIGKILL and started[1].poll() is None
    here = playtest(stage, range(12), place=Here(1))
    assert there.played == here.played and there.document == here.document
    assert seen == [*range(25)], "each game comes once"
    again = playtest(stage, range(12), place=Cluster("dask://nowhere:1"), known=kept.of(stage))
    assert again.played == here.played, "all of it is kept: nobody is asked"


def test_a_worker_with_other_rules_is_named(workers, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    address, _ = workers
    monkeypatch.setattr(cluster, "about", lambda stage: {"rules": "of another edition"})
    with pytest.raises(Refusal, match=r"the worker tcp://.* has another rules: .*of another edition"):
        playtest(Stage(SETTING), range(1), place=Cluster(address))
    monkeypatch.undo()
    monkeypatch.setattr(Cluster, "ready", lambda self, client, setting, wanted: 1)
    monkeypatch.setattr(cluster, "about", lambda stage: {"rules": "of another edition"})
    with pytest.raises(Refusal, match="the worker that was given a game has another rules"):
        playtest(Stage(SETTING), range(1), place=Cluster(address))


def test_what_is_no_cluster_is_refused() -> None:
    with pytest.raises(Refusal, match="is no cluster"):
        Cluster("localhost:8786")
    with pytest.raises(Refusal, match="there is no scheduler at"):
        playtest(Stage(SETTING), range(1), place=Cluster("dask://127.0.0.1:9", 1))


def test_the_commands_of_the_page_are_known() -> None:
    """Options of dask and of Rulewright, as docs/cluster.md gives them."""
    from distributed.cli.dask_scheduler import main as scheduler
    from distributed.cli.dask_worker import main as worker

    from rulewright.compiler.cli.commands import COMMANDS, parser_of

    page = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text()
    lines = [line.split() for line in page.splitlines() if line.startswith("    ")]
    programs = {"scheduler": scheduler, "worker": worker}
    seen = 0
    for words in lines:
        if words[0] == "dask":
            known = {x for param in programs[words[1]].params for x in param.opts}
            assert {x for x in words if x.startswith("--")} <= known
            seen += 1
        elif words[0] == "rulewright":
            assert parser_of("sim", COMMANDS).parse_args(words[2:]).on == "dask://one:8786"
            seen += 1
    assert seen == 4
