"""A bot's NLU files and domain as text: read, escaped, edited so that the rest stays as it is."""
