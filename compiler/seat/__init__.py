"""One side at a game: what it sees, what it may pick, and why not; every face (terminal, page) draws this."""
