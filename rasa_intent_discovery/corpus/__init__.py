"""From logged messages, in files and conversations, to clean, masked and distinct rows."""
