"""`python -m rasa_intent_discovery`: the same as `rasa discover-intents`, and needs no hook in `rasa`."""

from rasa_intent_discovery.rasa_plugin.hooks import main

if __name__ == "__main__":
    main(prog="python -m rasa_intent_discovery")
