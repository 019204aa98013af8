"""The names of the plug-in and its command, and the exit code after an interrupt."""

PLUGIN = "rasa-intent-discovery"
COMMAND = "discover-intents"
INTERRUPTED = 130
