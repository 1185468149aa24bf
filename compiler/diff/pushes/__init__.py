"""Which way a change pushes: from the changed text, through what uses it, to what is legal or who wins."""
