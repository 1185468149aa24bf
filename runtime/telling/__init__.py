"""What a game tells its players: explanations, traces, memories, the log as lines."""
