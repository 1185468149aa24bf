"""Generate the searches behind routes."""
