"""Games without a server: a page that replays one, a folder that plays in the browser alone."""
