"""The opening lines of declarations, told by their form alone.

In:  a line of a file of rules.
Out: what it opens: a book, an overlay, the use of a library.

Nothing is parsed here: these answer at once, and also for a book that does not compile.
"""

from __future__ import annotations

import re

BOOK = re.compile(r'book (\w+)(?: of [\w.]+)?(?: without [\w./]+)?(?: "([^"\n]*)")?')
OVERLAY = re.compile(r'(option|errata|expansion|variant|edition) (\w+) of ([\w.]+)(?: "([^"\n]*)")?:')
USE = re.compile(r"use (\w+)")
REQUIRES = re.compile(r"  requires: *([^#]*[^#\s])")
