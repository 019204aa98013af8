"""The names of the plug-in and its command, and the exit codes that say more than 0, 1 and 2."""

PLUGIN = "rasa-intent-discovery"
COMMAND = "discover-intents"
REVIEW = "review"
APPLY = "apply"
#: The option of our own program that says that there is no bot of Rasa's.
NLU = "--nlu"
#: With `--exit-code`: proposals wait for a decision. 1 and 2 are errors.
WAITING = 3
INTERRUPTED = 130
