"""docs/commands.md, docs/play.md and docs/playtests.md: what they show is run, and no command is forgotten."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.compiler.cli.commands import COMMANDS, parser_of

DOCS = Path(__file__).parent.parent.parent / "docs"
RULEWRIGHT = (
    f'{sys.executable} -c "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(sys.argv[1:]))"'
)


@pytest.mark.parametrize("page", ["commands.md", "play.md", "playtests.md"])
def test_every_line_of_shell_runs(page: str, tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / page).read_text(), re.S)
    lines = [line for block in blocks for line in block.strip().split("\n")]
    assert lines
    for line in lines:
        made = re.sub(r"(^|\| )rulewright ", lambda m: f"{m[1]}{RULEWRIGHT} ", line).replace(
            " python -c", f" {sys.executable} -c"
        )
        done = subprocess.run(["bash", "-c", f"set -o pipefail; {made}"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (line, done.stderr)


def test_the_page_lists_every_command_with_its_formats() -> None:
    rows = {}
    for line in (DOCS / "commands.md").read_text().splitlines():
        if line.startswith("| `"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            name = re.split(r"[`\s]+", cells[0])[1]  # a later table has a status of the same name as a command
            rows.setdefault(name, [word.strip() for word in cells[-1].split(",") if word.strip()])
    assert set(COMMANDS) <= set(rows)
    for name in COMMANDS:
        parser = parser_of(name, COMMANDS)
        formats = next((a for a in parser._actions if a.dest == "format"), None)
        assert rows[name] == list((formats.choices if formats is not None else None) or ()), name
