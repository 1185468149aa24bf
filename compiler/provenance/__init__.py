"""House values and printed ones: what a book makes up, what its text fixes, how an owner puts their own in place."""
