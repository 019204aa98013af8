"""What the plug-in and its command are called, for the hook and for the command itself."""

PLUGIN = "rasa-intent-discovery"
COMMAND = "discover-intents"
INTERRUPTED = 130
