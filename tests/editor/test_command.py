"""The command `rulewright lsp`, with and without what it needs."""

import subprocess
import sys

from rulewright.editor import command


def test_without_the_extra_one_line_says_what_to_install(tmp_path):
    code = (
        "import sys, importlib.util\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *a: None if name == 'pygls' else find(name, *a)\n"
        "from rulewright.compiler.cli.main import main\n"
        "sys.exit(main(['lsp']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.strip().split("\n") == ["rulewright lsp needs pygls: pip install 'rulewright[lsp]'"]


def test_the_command_line_lists_it():
    code = "import sys; from rulewright.compiler.cli.main import main; sys.exit(main(['--help']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "lsp" in done.stdout and command.HELP.split(":")[0] in done.stdout


def test_the_compiler_alone_needs_neither_editor_nor_server():
    code = (
        "import sys\nfrom rulewright.compiler.cli.commands import commands_for\n"
        "commands_for(['check'])\nimport rulewright.compiler.pipeline\n"
        "print([m for m in sys.modules if m.startswith(('rulewright.editor', 'pygls', 'pygments'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
