"""What the page gets, on the desk and in the report: its scripts as one, the drafts and messages as JSON."""
