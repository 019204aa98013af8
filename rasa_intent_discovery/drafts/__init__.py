"""The folder of drafts, and the way from it into the bot's own files."""
