"""`python -m rasa_intent_discovery`: `rasa discover-intents` without the plug-in hook of `rasa`."""

from rasa_intent_discovery.rasa_plugin.hooks import main

if __name__ == "__main__":
    main(prog="python -m rasa_intent_discovery")
