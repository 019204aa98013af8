"""The page of the review desk: its text, styles and scripts."""
