"""Logged messages, from files and conversations to clean, masked, distinct rows."""
