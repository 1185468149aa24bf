"""Every book in the browser: tables with seats and spectators, games on disk, served to this machine alone."""
