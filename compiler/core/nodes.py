"""The core: everything that the notation says, in a few typed forms.

Code generation, the interpreter, diff, coverage and the checks read this and nothing above it. An expression is an
operator over expressions, a statement holds expressions and blocks, the rest are declarations with their cases; a
`Book` holds them all. Readers import this module as `c`.
"""

from .book import *  # noqa: F403
from .declarations import *  # noqa: F403
from .example_lines import *  # noqa: F403
from .expressions import *  # noqa: F403
from .statements import *  # noqa: F403
