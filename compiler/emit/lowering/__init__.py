"""Lower procedures: nested statements become blocks that a game can stop between."""
