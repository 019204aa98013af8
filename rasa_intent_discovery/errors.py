"""The errors that a user can meet. Their text is one sentence, shown to the user unchanged."""


class DiscoveryError(Exception):
    """An error that the user can correct: the text says what was found and what to do next."""


class ConfigError(DiscoveryError):
    """A setting is unknown, of the wrong type, out of range, or names something that does not exist."""


class DataError(DiscoveryError):
    """A file, its content, or the folder of drafts is not as required."""


class NothingStoredYet(DataError):
    """There is no database of conversations yet, or nothing in it: no bot has used it."""


class TooFewMessages(DataError):
    """There are too few messages to discover anything yet; a growing log will have enough later."""


def unreadable(path: object, error: OSError) -> str:
    """Says that a file or folder cannot be read.

    >>> unreadable("log.csv", PermissionError(13, "Permission denied"))
    'log.csv: cannot be read (Permission denied), make it readable first'
    """
    return f"{path}: cannot be read ({error.strerror}), make it readable first"
