"""Print syntax nodes as canonical `.rules` text.

In:  declarations.
Out: text that parses to the same declarations; spans and comments are not kept. Lines are as long as they come:
     `fmt` breaks them.
"""

from .declarations import *  # noqa: F403
from .expressions import *  # noqa: F403
from .statements import *  # noqa: F403
