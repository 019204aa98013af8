"""A bot's NLU files and domain as text: reads, escapes and edits them, leaving everything else unchanged."""
