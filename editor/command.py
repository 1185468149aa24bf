"""`rulewright lsp`: start the language server on standard input and output."""

from __future__ import annotations

import argparse
import importlib.util
import sys

HELP = "serve editors: diagnostics, go to, hover, completion, rename and formatting"


def add_lsp(p: argparse.ArgumentParser) -> None:
    p.add_argument("--stdio", action="store_true", help="standard input and output (what it does anyway)")
    p.set_defaults(run=run_lsp)


def run_lsp(args: argparse.Namespace) -> int:
    """Serve until the editor disconnects; 1 after a malformed message, 2 where the extra `lsp` is not installed."""
    if importlib.util.find_spec("pygls") is None or importlib.util.find_spec("lsprotocol") is None:
        print("rulewright lsp needs pygls: pip install 'rulewright[lsp]'", file=sys.stderr)
        return 2
    from .server import serve

    return serve()


COMMAND = (add_lsp, HELP)
