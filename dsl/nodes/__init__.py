"""Syntax nodes: what an author wrote, with full spans.

Expressions, statements and declarations are frozen dataclasses. Names are still plain text here; the compiler binds
them. Nothing in these modules knows a game. Readers import this module as `n`.
"""

from .declarations import *  # noqa: F403
from .expressions import *  # noqa: F403
from .statements import *  # noqa: F403
