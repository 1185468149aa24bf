"""Templates of generated modules.

In:  a template by its name; templates own the layout of modules, and all they are given is decided before.
Out: the template, as Jinja compiled it now or before.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from pathlib import Path

import jinja2

from rulewright.dsl.cache import cache_directory, read_sealed, write_sealed

from ..cache.passed_checks import compiler_stamp


@cache
def templates(folder: Path = Path(__file__).with_name("templates")) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
        bytecode_cache=Ready(),
    )


class Ready(jinja2.BytecodeCache):
    """Templates as Jinja compiled them before, by their text."""

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        content = read_sealed(self.path(bucket))
        with suppress(EOFError, ValueError, TypeError):
            if content is not None:
                bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        write_sealed(self.path(bucket), bucket.bytecode_to_string())

    def path(self, bucket: jinja2.bccache.Bucket) -> Path:
        return cache_directory() / "templates" / f"{compiler_stamp()}-{bucket.key}.bin"
