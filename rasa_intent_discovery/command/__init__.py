"""The command line without Rasa: options, exit codes, and the program for NLU YAML alone."""
