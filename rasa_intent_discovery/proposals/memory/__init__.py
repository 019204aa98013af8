"""Earlier runs: their proposals found again in a new one, and what a person decided about them applied."""
